"""The rules about the text of a file as such: what is never closed, and comments that silence rules."""
