"""The slots and accessors of the classes that the text around a place gives its variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....index.not_found import NotFound
from ....questions.classes.answer import SlotAnswer
from ....syntax.nodes import Atom, Form, Node
from ....syntax.walk.nodes import LIST, QUOTE
from ...documents.unfinished import Unfinished
from ..asked import Asked
from ..pointed import written
from .places import word

_TAKING_SLOTS = ("SLOT-VALUE", "SLOT-BOUNDP", "SLOT-MAKUNBOUND", "SLOT-EXISTS-P")
_LETS = ("LET", "LET*")
_LEAST = 2  # the items of a binding with a value, and of a specialized parameter
_WITH_SLOTS = "WITH-SLOTS"


def slots_at(asked: Asked, unfinished: Unfinished, *, quoted: bool) -> list[SlotAnswer] | None:
    """The slots that a place may name, of the classes of variables there; None where no slot is named."""
    levels = unfinished.levels
    heads = [word(one.form.items[0]) if one.item else "" for one in levels]
    if quoted and levels and heads[0] in _TAKING_SLOTS and levels[0].item == _LEAST:
        instance = levels[0].form.items[1]
        named = _classes(unfinished, instance.text.upper()) if isinstance(instance, Atom) else []
        return [*_slots(asked, named or _classes(unfinished, None))]
    for number, (level, head) in enumerate(zip(levels[:2], heads[1:3], strict=False)):
        # (with-slots (name (variable name)) ...
        if head == _WITH_SLOTS and levels[number + 1].item == 1 and (number == 0 or level is levels[1]):
            return [*_slots(asked, _classes(unfinished, None))]
    return None


def accessors_at(asked: Asked, unfinished: Unfinished) -> set[str]:
    """The functions that read slots of the classes of the variables at a place, as one types them."""
    found = _slots(asked, _classes(unfinished, None))
    return {reader.rpartition(":")[2] for one in found for reader in one.readers}


def _slots(asked: Asked, classes: Sequence[Atom]) -> Iterator[SlotAnswer]:
    seen = set()
    for name in classes:
        typed = written(asked, name.symbol, None) if name.symbol is not None else None
        answer = asked.project.index.class_(typed) if typed is not None else None
        if answer is None or isinstance(answer, NotFound):
            continue
        for slot in answer.slots:
            if slot.name not in seen:
                seen.add(slot.name)
                yield slot


def _classes(unfinished: Unfinished, variable: str | None) -> list[Atom]:
    """The names of the classes of a variable, or of all variables, the innermost first."""
    found = []
    for level in unfinished.levels:
        items = level.form.items
        head = word(items[0]) if items else ""
        pairs: Iterator[tuple[Node, Node]] = iter(())
        if head == "DEFMETHOD":
            pairs = _specialized(items[2 : level.item])
        elif head in _LETS and level.item > 1:
            pairs = _instances(items[1])
        for name, class_ in pairs:
            if isinstance(class_, Atom) and variable in (None, name.text.upper()):
                found.append(class_)
    return found


def _specialized(items: Sequence[Node]) -> Iterator[tuple[Node, Node]]:
    lambda_list = next((one for one in items if isinstance(one, Form) and one.kind == LIST), None)
    for one in lambda_list.items if lambda_list is not None else ():
        if isinstance(one, Form) and len(one.items) == _LEAST:
            yield one.items[0], one.items[1]


def _instances(bindings: Node) -> Iterator[tuple[Node, Node]]:
    """The variables that are bound to new instances of a class that is named."""
    for one in bindings.items:
        value = one.items[1] if isinstance(one, Form) and len(one.items) == _LEAST else None
        if not isinstance(value, Form) or len(value.items) < _LEAST:
            continue
        head, quoted = value.items[:2]
        if word(head) == "MAKE-INSTANCE" and isinstance(quoted, Form) and quoted.kind == QUOTE:
            yield one.items[0], quoted.items[0]
