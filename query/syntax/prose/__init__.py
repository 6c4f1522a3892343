"""Lisp in running text: examples, code in quotes and names, as documentation strings have them; pure."""
