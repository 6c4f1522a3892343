"""The choices of apropos: which symbols to search, and which to list."""

TYPES = ("function", "macro", "variable", "class", "generic-function")
"""The types of symbols, as describe has them, that a question may ask for."""
SCOPES = ("accessible", "present", "external")
"""Which symbols of a package to search."""
