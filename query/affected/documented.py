"""The documentation strings in defining forms, which nothing that code does depends on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..syntax.nodes import Atom, Form, Node

_WITH_BODY = frozenset(("defun", "defmacro", "deftype", "define-compiler-macro", "defmethod"))
_VARIABLES = frozenset(("defvar", "defparameter", "defconstant"))
_WITH_OPTIONS = frozenset(("defclass", "defgeneric", "define-condition"))
_OPTION = ":documentation"


def documentation_strings(node: Node) -> Iterator[Atom]:
    """Yield the documentation strings of a form; only the standard's defining forms have any."""
    items = node.items
    operator = items[0].text.rpartition(":")[2].lower() if items else ""
    if operator in _WITH_BODY:
        body = _body(items)
        yield from _strings(body[:1] if len(body) > 1 else [])
    elif operator in _VARIABLES:
        yield from _strings(items[3:4])
    elif operator in _WITH_OPTIONS:
        yield from _in_options(items[2:])


def lambda_list(items: Sequence[Node]) -> int:
    """The place of the lambda list among the items of a form that names a function or method."""
    lists = (
        place for place, one in enumerate(items) if place > 1 and isinstance(one, Form) and one.kind == "("
    )
    return next(lists, len(items))


def _body(items: Sequence[Node]) -> Sequence[Node]:
    return items[lambda_list(items) + 1 :]


def _in_options(items: Sequence[Node]) -> Iterator[Atom]:
    for before, one in pairwise(items):
        if before.text.lower() == _OPTION:
            yield from _strings([one])
    for one in items:
        yield from _in_options(one.items)


def _strings(items: Sequence[Node]) -> Iterator[Atom]:
    yield from (one for one in items if isinstance(one, Atom) and one.text.startswith('"'))
