"""The Common Lisp side of oblist, and the modules that start SBCL with it."""
