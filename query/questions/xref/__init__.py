"""xref: the uses of a name, and the names that it uses."""
