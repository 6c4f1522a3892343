"""The table of rules, and the rules about calls, names, whole texts and whole projects."""
