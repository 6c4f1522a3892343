"""xref: who uses a name, and what it uses."""
