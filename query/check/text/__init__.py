"""The stretches of a file that are Lisp, and where they stand in it."""
