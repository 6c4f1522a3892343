"""The page of a class: its hierarchy as a picture, its slots, the methods on it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from ...index.finding.resolve import Resolved, resolve
from ...index.not_found import NotFound
from ...questions.classes.answer import ClassAnswer, MethodAnswer
from ...questions.classes.ask import describe_class
from ...questions.classes.parameters import ClassParameters
from ..class_sections import function_lines, open_functions, use_sections
from ..forms import asked_by
from ..names import asked_of, named, not_found
from ..page_request import LinkedName, Page, PageRequest
from ..pictures.graphs import class_picture
from ..slot_table import slot_table
from .documentation import documentation

_MOST = 200


def class_(request: PageRequest) -> Page:
    """The page of the class that the URL names."""
    index, name, package = request.index, request.segments["name"], request.segments["package"]
    found = resolve(index, name, package)
    if isinstance(found, NotFound):
        return not_found(request, found, asked_of(request, found))
    if (moved := request.moved(request.links.class_(found.home, found.name))) is not None:
        return moved
    answer = describe_class(
        index, asked_by(request, ClassParameters, name=name, package=package, limit=_MOST)
    )
    if isinstance(answer, NotFound):
        return not_found(request, answer, name)
    return Page("class", _context(request, found, answer), answer=answer)


def _context(request: PageRequest, found: Resolved, answer: ClassAnswer) -> dict[str, object]:
    lists: tuple[Sequence[object], ...] = (
        *(answer.methods, answer.inherited_methods, answer.subclasses),
        *(answer.made_in, answer.handled_in, answer.to_implement),
    )
    shown = answer.offset + max(map(len, lists))
    most = max(
        *(answer.methods_total, answer.inherited_methods_total, answer.subclasses_total),
        *(answer.made_total, answer.handled_total, answer.to_implement_total),
    )
    return {
        "title": f"{answer.kind} {answer.written}",
        "answer": answer,
        "documentation": documentation(request, answer.documentation, found.home),
        "symbol_link": request.links.symbol(found.home, found.name),
        "own": request.links.class_(found.home, found.name),
        "superclasses": _named(request, answer.superclasses),
        "precedence": _named(request, answer.precedence or answer.computed_precedence or []),
        "subclasses": _named(request, [one.written for one in answer.subclasses]),
        "slots": slot_table(request, answer),
        "place": request.located(answer),
        "methods": _methods(request, answer.methods),
        "qualified": any(method.qualifiers for method in answer.methods),
        "inherited": [
            (_named(request, [above])[0], _methods(request, list(methods)))
            for above, methods in groupby(answer.inherited_methods, key=lambda one: one.on)
        ],
        "functions": function_lines(request, answer),
        "printer": None if answer.printer is None else _named(request, [answer.printer.on])[0],
        "open_functions": open_functions(request, answer),
        "uses": use_sections(request, answer),
        "picture": class_picture(request, found.symbol),
        "next": shown if shown < most else None,
    }


def _methods(
    request: PageRequest, methods: Sequence[MethodAnswer]
) -> list[tuple[MethodAnswer, LinkedName, LinkedName | None]]:
    """Methods, each with links to the page of its generic function and to its own place."""
    return [(one, named(request, one.written), request.located(one)) for one in methods]


def _named(request: PageRequest, forms: Sequence[str]) -> list[LinkedName]:
    """Names with links to their pages; a class links to its class page."""
    return [named(request, form, class_page=not form.startswith("(")) for form in forms]
