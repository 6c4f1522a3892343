"""What fits a place where a name is typed: an operator, a type, a class, a condition, or anything."""

from __future__ import annotations

from collections.abc import Sequence

from ....questions.complete.places import ANYWHERE, CLASS, CONDITION, OPERATOR, TYPE
from ....syntax.nodes import Atom, Form, Node
from ....syntax.walk.loop import is_type_after
from ...documents.typed import Typed
from ...documents.unfinished import Level, Unfinished

# The operators that take the name of a class, condition or type as the argument with this number, from 1:
# quoted, or unquoted.
_QUOTED = {
    **dict.fromkeys(("MAKE-INSTANCE", "FIND-CLASS", "ALLOCATE-INSTANCE"), (CLASS, (1,))),
    "CHANGE-CLASS": (CLASS, (2,)),
    **dict.fromkeys(("ERROR", "SIGNAL", "WARN", "MAKE-CONDITION"), (CONDITION, (1,))),
    "CERROR": (CONDITION, (2,)),
    **dict.fromkeys(("TYPEP", "COERCE"), (TYPE, (2,))),
    "SUBTYPEP": (TYPE, (1, 2)),
    **dict.fromkeys(("CONCATENATE", "MAP", "MERGE", "MAKE-SEQUENCE"), (TYPE, (1,))),
}
_UNQUOTED = {"THE": 1, "CHECK-TYPE": 2, "TRULY-THE": 1}
_CHOOSING = {
    **dict.fromkeys(("TYPECASE", "ETYPECASE", "CTYPECASE"), TYPE),
    "HANDLER-CASE": CONDITION,
}
_DECLARING = ("DECLARE", "DECLAIM", "PROCLAIM")
_OF_TYPES = ("TYPE", "FTYPE")
_TYPED = (":TYPE", ":ELEMENT-TYPE", ":RETURN-TYPE")
_SUPERCLASSES = {"DEFCLASS": CLASS, "DEFINE-CONDITION": CONDITION}
_AFTER_NAME = 2  # the number of what follows the name in a definition


def place_of(unfinished: Unfinished | None, typed: Typed, *, quoted: bool) -> str:
    """One of PLACES; ``quoted`` is whether there is a quote before what is typed."""
    levels = unfinished.levels if unfinished is not None else ()
    heads = [word(one.form.items[0]) if one.item else "" for one in levels]
    if levels:
        found = _quoted(levels[0], heads[0]) if quoted else _unquoted(levels, heads)
        if found is not None:
            return found
    return OPERATOR if typed.operator else ANYWHERE


def word(node: Node) -> str:
    """The name of an operator in capitals, or a keyword with its colon; empty for a list."""
    if not isinstance(node, Atom):
        return ""
    return node.text.upper() if node.text.startswith(":") else node.text.rpartition(":")[2].upper()


def _quoted(level: Level, head: str) -> str | None:
    place, numbers = _QUOTED.get(head, (None, ()))
    if level.item in numbers:
        return place
    return TYPE if _before(level) in _TYPED else None


def _unquoted(levels: Sequence[Level], heads: Sequence[str]) -> str | None:
    level, head = levels[0], heads[0]
    if _UNQUOTED.get(head) == level.item or _before(level) in _TYPED:
        return TYPE
    if head == "LOOP" and level.item > 1 and is_type_after(_before(level)):
        return TYPE
    if len(levels) == 1:
        return None
    outer, above = levels[1], heads[1]
    if level.item == 0 and outer.item >= _AFTER_NAME and above in _CHOOSING:
        return _CHOOSING[above]
    if outer.item == _AFTER_NAME and above in _SUPERCLASSES:
        return _SUPERCLASSES[above]
    return _declared(levels, heads) or _far(levels, heads)


def _declared(levels: Sequence[Level], heads: Sequence[str]) -> str | None:
    """Whether the place is in a type specifier of a declaration."""
    for number, (level, head) in enumerate(zip(levels[:-1], heads, strict=False)):
        if heads[number + 1] in _DECLARING:
            at = level.item if number == 0 else 1
            return TYPE if head in _OF_TYPES and at == 1 else None
    return None


def _far(levels: Sequence[Level], heads: Sequence[str]) -> str | None:
    """Places that three lists are around: bindings of HANDLER-BIND, and specializers."""
    if len(levels) < 3:
        return None
    level, outer, outermost = levels[:3]
    if heads[2] == "HANDLER-BIND" and (outermost.item, level.item) == (1, 0):
        return CONDITION
    if heads[2] == "DEFMETHOD" and level.item == 1 and outermost.item >= _AFTER_NAME:
        before = outermost.form.items[_AFTER_NAME : outermost.item]
        if not any(isinstance(one, Form) for one in before) and outer.form is not level.form:
            return CLASS
    return None


def _before(level: Level) -> str:
    """The word before the place."""
    return word(level.form.items[level.item - 1]) if level.item else ""
