"""The offline checker: Lisp sources and documentation, judged against an index, without a Lisp.

The way of the text: files (project) -> forms (syntax) -> what the files themselves define
(declared) -> symbols and functions of files and index (world) -> judgement (tokens, walk) ->
findings -> reports. Nothing is read by a Lisp, interned or evaluated.
"""
