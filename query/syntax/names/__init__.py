"""What the atoms of a text name: symbols, packages, strings."""
