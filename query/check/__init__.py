"""The offline checker: judges Lisp sources and documentation against an index, without a Lisp.

The stages: files -> forms (query/syntax) -> their own definitions (declare) -> packages, symbols and
operators of the files and the index (world) -> judgement (judge, walk, rules) -> findings, silenced or not
(silence) -> reports (report). No Lisp reads, interns or evaluates anything.
"""
