"""Edits of packages: what is imported, used, exported and nicknamed, and which file a definition is in."""
