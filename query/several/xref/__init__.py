"""xref of several indexes."""
