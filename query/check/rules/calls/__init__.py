"""The rules about the arguments of calls, and about what should not be called any more."""
