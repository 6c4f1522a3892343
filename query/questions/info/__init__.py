"""info: what an index holds, and from what it was built."""
