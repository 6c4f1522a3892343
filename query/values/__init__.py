"""Live values: the values of variables, from an SBCL that runs."""
