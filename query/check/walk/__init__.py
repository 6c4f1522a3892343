"""The second pass: a walk through code that knows which subforms the standard operators evaluate."""
