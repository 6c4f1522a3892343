"""Renames of what belongs to a class or a function: slots, initargs, keyword arguments."""
