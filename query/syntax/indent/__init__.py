"""Indentation as Emacs does it with SLIME: columns of lines from the forms around them."""
