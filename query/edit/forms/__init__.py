"""Edits of Lisp forms, as the text has them: what is not edited keeps its layout and its comments."""
