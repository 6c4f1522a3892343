"""Lisp text without a Lisp: lexemes, tokens, forms, lambda lists. No Lisp reader is involved."""
