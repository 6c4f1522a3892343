"""The Common Lisp side of oblist, and the module that starts SBCL with it."""
