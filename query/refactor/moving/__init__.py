"""Moves a definition to another file of its system, if what it needs, and what needs it, allows that."""
