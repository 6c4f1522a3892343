"""Renaming: every place that names a symbol or a local name, or the reason why it cannot be done."""
