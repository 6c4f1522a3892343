"""The parts of a file that are Lisp, and their places."""
