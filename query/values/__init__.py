"""Live values: the values of variables, from a running SBCL."""
