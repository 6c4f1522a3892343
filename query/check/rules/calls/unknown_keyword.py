"""The rule unknown-keyword."""

from __future__ import annotations

from collections.abc import Iterable

from ....index.written import typed_name
from ....syntax.nodes import Atom
from ....syntax.tokens import KEYWORD, Tokens
from ..walked import WalkFault
from .complaint import Complaint, LambdaListRule


class _UnknownKeyword(LambdaListRule):
    def suggestions(self, fault: WalkFault) -> tuple[str, ...]:
        calls = fault.operators.meaning(fault.symbol).calls
        return fault.nearest.keywords(fault.node, calls.all_keywords if calls is not None else ())


RULE = _UnknownKeyword("unknown-keyword", "error", __file__)


def complaint(atom: Atom, accepted: Iterable[str], tokens: Tokens) -> Complaint:
    """The complaint about a keyword that is none of ``accepted``."""
    names = filter(None, sorted(accepted))
    known = ", ".join(typed_name(one, KEYWORD, tokens.cased, external=True) for one in names)
    return Complaint(RULE, f"takes no keyword {atom.text}" + (f", only {known}" if known else ""), atom)
