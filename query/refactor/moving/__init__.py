"""A definition moves to another file of its system, if all that needs it, or that it needs, allows that."""
