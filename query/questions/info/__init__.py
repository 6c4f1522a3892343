"""info: the contents of an index, and its origin."""
