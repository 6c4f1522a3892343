"""The page of a class: its place among the others as a picture, its slots, the methods on it."""

from __future__ import annotations

from collections.abc import Sequence

from ...index.not_found import NotFound
from ...index.resolve import Resolved, resolve
from ...questions.classes.answer import ClassAnswer
from ...questions.classes.ask import describe_class
from ..desk import Desk, Named, Page
from ..names import named, not_found
from ..pictures.graphs import class_picture

_MOST = 200


def class_(desk: Desk) -> Page:
    """The page of the class that the URL names."""
    index, name, package = desk.index, desk.segments["name"], desk.segments["package"]
    found = resolve(index, name, package)
    if isinstance(found, NotFound):
        return not_found(desk, found)
    if (moved := desk.moved(desk.links.class_(found.home, found.name))) is not None:
        return moved
    offset = desk.number("offset")
    answer = describe_class(index, name, package, _MOST, offset)
    if isinstance(answer, NotFound):
        return not_found(desk, answer)
    return Page("class", _context(desk, found, answer), answer=answer)


def _context(desk: Desk, found: Resolved, answer: ClassAnswer) -> dict[str, object]:
    shown = answer.offset + max(len(answer.methods), len(answer.subclasses))
    most = max(answer.methods_total, answer.subclasses_total)
    return {
        "title": f"{answer.kind} {answer.written}",
        "answer": answer,
        "symbol_link": desk.links.symbol(found.home, found.name),
        "own": desk.links.class_(found.home, found.name),
        "superclasses": _named(desk, answer.superclasses),
        "precedence": _named(desk, answer.precedence or []),
        "subclasses": _named(desk, [one.written for one in answer.subclasses]),
        "slots": [
            (
                slot,
                _named(desk, slot.readers),
                _named(desk, slot.writers),
                named(desk, slot.defined_in, class_page=True),
            )
            for slot in answer.slots
        ],
        "methods": [(method, named(desk, method.written)) for method in answer.methods],
        "picture": class_picture(desk, found.symbol),
        "next": shown if shown < most else None,
    }


def _named(desk: Desk, forms: Sequence[str]) -> list[Named]:
    """Names with their pages: those of classes lead to the pages of classes."""
    return [named(desk, form, class_page=not form.startswith("(")) for form in forms]
