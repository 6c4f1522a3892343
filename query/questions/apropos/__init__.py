"""apropos: the symbols whose names contain a pattern."""
