"""search by signature: find functions by the types of their arguments and results."""
