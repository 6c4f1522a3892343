"""The documents that a client has open, and how places move through edits."""
