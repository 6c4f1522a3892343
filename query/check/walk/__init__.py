"""The second reading: a walk through code that knows which subforms the standard operators evaluate."""
