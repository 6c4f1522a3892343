"""The grammar: both sides know its terms, and the operators that it describes are those of the standard."""

from __future__ import annotations

import re

from oblist.lisp.sbcl import Sbcl
from oblist.lisp.sources import SOURCES
from oblist.query.syntax.walk.grammar import Description, rules
from oblist.query.syntax.walk.operators import WALKERS
from oblist.query.syntax.walk.terms import TERMS
from support.live import printed_values

_LISP_TERM = re.compile(r"^\(define-term ([a-z-]+)", re.MULTILINE)
# What may stand in a description besides terms, names of rules, and what begins with an ampersand.
_FORMS = {"OR", "ATOM", "IN", "IN-ORDER", "EACH", "BY-KEY", "TYPE", "KEY", "TYPE-ARGUMENT", "EITHER", "T"}


def _symbols(description: Description) -> list[str]:
    if isinstance(description, str):
        return [description]
    return [symbol for one in description for symbol in _symbols(one)]


def test_both_sides_know_all_terms_and_the_grammar_uses_them() -> None:
    lisp = _LISP_TERM.findall((SOURCES / "dump" / "occurrences" / "operators.lisp").read_text("utf-8"))
    assert {term.upper() for term in lisp} == set(TERMS)
    used = {symbol for rule in rules() for symbol in _symbols(rule[1:]) if symbol[0] not in ":&"}
    assert used - _FORMS == set(TERMS)


def test_each_operator_has_one_rule_and_names_a_macro_or_function(sbcl: Sbcl) -> None:
    names = [name for rule in rules() for name in _symbols(rule[0]) if not name.startswith(":")]
    assert len(names) == len(set(names)) == len(WALKERS) > 100
    listed = " ".join(names)
    (unknown,) = printed_values(sbcl, f"(remove-if #'fboundp (remove 'declare '({listed})))")
    assert unknown == "NIL"
