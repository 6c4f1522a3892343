"""What the reader's state is at a toplevel form: the current package, and the case of the readtable."""
