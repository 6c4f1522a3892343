"""The walk through code: what each symbol in a toplevel form is there for, and where local names are bound.

It tells what the indexer's scanner in Lisp tells (lisp/dump/occurrences), for text that no Lisp has seen.
"""
