"""Which methods only signal: the body of their form is one call that signals, as a note to subclasses."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from ...index.reading import Reading
from ...syntax.features import Features
from ...syntax.mentions import operators
from ...syntax.method_body import only_call
from ...syntax.tokens import Tokens
from . import sql

MOST_READ = 400
"""The maximum number of methods whose text is read; of SBCL's classes, NULL has the most methods: 190."""
_CHARACTERS = 700  # of a form; longer ones do more than signal
_SIGNALLING = frozenset(("ERROR", "CERROR", "SIGNAL"))
_IMPLEMENTING = re.compile(
    r"implement|abstract|subclass|overrid|must (?:be )?(?:defin|provid|speciali)", re.IGNORECASE
)


def only_signalling(index: Reading, methods: Sequence[int]) -> dict[int, bool]:
    """Return those of ``methods`` that only signal, each with whether its text speaks of implementing.

    Only the first MOST_READ are looked at.
    """
    names = never_returning(index)
    tokens = Tokens(index.upcase)
    features = Features(index.facts.get("features", ""), tokens)
    rows = index.rows(sql.METHOD_TEXTS, methods=json.dumps(methods[:MOST_READ]), characters=_CHARACTERS)
    found = {}
    for row in map(sql.MethodTextRow._make, rows):
        text = (row.text or "")[(row.column or 1) - 1 :]
        # Few methods call what signals; only those are read.
        if not names.isdisjoint(operators(tokens.cased(text))):
            operator = only_call(text, features, tokens)
            if operator in names:
                found[row.method] = _IMPLEMENTING.search(text) is not None
    return found


def never_returning(index: Reading) -> frozenset[str]:
    """Return the names of ERROR and its like, and of all functions that, by their types, never return."""
    return _SIGNALLING.union(name for (name,) in index.fixed_rows(sql.NEVER_RETURN))
