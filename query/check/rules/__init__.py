"""The rules: what each finds. Those about calls, names, whole texts and whole projects."""
