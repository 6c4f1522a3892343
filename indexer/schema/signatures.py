"""The table of signatures: the types of arguments and results, and how many arguments a function takes.

One worked row:

    signatures  id 14116 (MAPCAR), argument_types (FUNCTION-DESIGNATOR LIST &REST LIST), result_types (LIST),
                least_arguments 2, most_arguments NULL

The types are written as people write them (lisp/dump/signatures.lisp), and only as far as SBCL knows them:
if it knows nothing about the arguments of a function, argument_types is empty.
"""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index, Integer, Table, Text

from .columns import column, metadata

signatures = Table(
    "signatures",
    metadata,
    column(
        "id",
        Integer,
        "The definition of the function",
        ForeignKey("definitions.id"),
        primary_key=True,
    ),
    column(
        "argument_types",
        Text,
        "Types of the arguments, as in a lambda list; empty if all of them may be anything",
    ),
    column(
        "result_types",
        Text,
        "Types of the values, in parentheses; (NIL) if it never returns, empty if they may be anything",
    ),
    column("least_arguments", Integer, "Minimum number of arguments", nullable=False),
    column("most_arguments", Integer, "Maximum number of arguments; empty if there is no limit"),
    comment="Signatures of functions, with the names of types that people use",
)

SIGNATURE_INDEXES = (
    Index("signatures_by_arguments", signatures.c.least_arguments, signatures.c.most_arguments),
    # Few functions never return; which they are is asked for with each class.
    Index("never_returning", signatures.c.result_types, sqlite_where=signatures.c.result_types == "(NIL)"),
)
