"""The rules: their table, and those about calls, names, whole texts and whole projects."""
