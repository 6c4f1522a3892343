"""Lisp text without a Lisp: lexemes, tokens, forms, lambda lists. Nothing is read by a Lisp reader."""
