"""The language server: answers for editors, from an index and the text of open documents, without a Lisp."""
