"""The page of a symbol: every definition with its source, its callers and its callees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from markupsafe import Markup

from oblist.indexer.left_out import REFERENCES

from ...index.finding.resolve import Resolved, resolve
from ...index.finding.setf_names import belongs_to
from ...index.kinds import CLASSES
from ...index.not_found import NotFound
from ...index.written import printed_name
from ...questions.classes.ask import describe_class
from ...questions.classes.parameters import ClassParameters
from ...questions.definition.ask import package_read_in, text_without_source
from ...questions.definition.passages import source_text
from ...questions.definition.sql import DEFINITION_PLACES, DefinitionPlaceRow
from ...questions.describe.answer import DefinitionAnswer, DescribeAnswer
from ...questions.describe.ask import describe
from ...questions.describe.parameters import DescribeParameters
from ...questions.examples.ask import forms_in_use
from ...questions.search.signatures.ask import similar_query
from ...syntax.printed import lower_symbols
from ..names import asked_of, named, not_found
from ..page_request import LinkedName, Page, PageRequest
from ..slot_table import slot_table
from ..sql import SIGNATURE, SignatureRow
from .documentation import documentation
from .highlighting import highlighted
from .source_links import MOST_DEFINITIONS, SourceLinks
from .uses import callees, callers

_MOST_METHODS = 500
_EXAMPLES = 3
# Limits for one definition; the file's page has the rest. Tables of characters may be a line of 80,000.
_MOST_LINES = 400
_MOST_CHARACTERS = 20_000
# URL fragments take the other characters of names as they are.
_NO_SLUG = re.compile(r"[^a-z0-9*+=$!?-]+")


class ShownDefinition(NamedTuple):
    """A definition as the page shows it."""

    answer: DefinitionAnswer
    documentation: Markup | None
    anchor: str
    heading: str
    place: LinkedName | None
    lines: list[Markup] | None
    first_line: int | None
    from_source: bool
    is_cut: bool


def symbol(request: PageRequest) -> Page:
    """The page of the symbol that the URL names."""
    index, name, package = request.index, request.segments["name"], request.segments["package"]
    found = resolve(index, name, package)
    if isinstance(found, NotFound):
        return not_found(request, found, asked_of(request, found))
    own = request.links.symbol(found.home, found.name, found.typed.operator)
    if (moved := request.moved(own)) is not None:
        return moved
    answer = describe(index, DescribeParameters(name, package))
    if isinstance(answer, NotFound):
        return not_found(request, answer, name)
    context = {
        "title": answer.written,
        "answer": answer,
        "documentation": documentation(request, answer.documentation, found.home, answer.arglist),
        "own": own,
        "package_link": request.links.package(found.home),
        "system": index.package_systems.get(found.home),
        "exported_from": [LinkedName(one, request.links.package(one)) for one in answer.exported_from],
        "see_also": [named(request, form) for form in answer.see_also],
        "signature": _signature(request, found),
        "ftype": _type(request, answer),
        "examples": _examples(request, found),
        "edit_sites": (
            request.links.edit_sites(found.home, found.name, found.typed.operator)
            if answer.arglist is not None
            else None
        ),
        "unrecorded": index.unrecorded(REFERENCES),
        "callers": callers(request, found, answer),
        "callees": callees(request, found),
        **_definitions(request, found, answer),
        **_class(request, found, answer),
    }
    return Page("symbol", context, answer=answer)


def _definitions(request: PageRequest, found: Resolved, answer: DescribeAnswer) -> dict[str, object]:
    """One page of the list of definitions, and a table of all methods."""
    rows = [DefinitionPlaceRow.of(row) for row in request.index.rows(DEFINITION_PLACES, symbol=found.symbol)]
    if (operator := found.typed.operator) is not None:
        rows = [row for row in rows if belongs_to(row.operator, row.documentation_type, operator)]
    pairs = list(zip(rows, answer.definitions, strict=True))
    anchors = list(_anchors(answer.definitions))
    start = min(request.number("from"), max(0, len(pairs) - 1))
    end = start + MOST_DEFINITIONS
    shown = [
        _definition(request, found, row, definition, anchor)
        for (row, definition), anchor in zip(pairs[start:end], anchors[start:end], strict=True)
    ]
    methods = [
        (definition, request.place(row.place.file, row.place.line), _page_of(place, start, anchors[place]))
        for place, (row, definition) in enumerate(pairs)
        if definition.kind == "method"
    ]
    return {
        "definitions": shown,
        "start": start,
        "next": end if end < len(pairs) else None,
        "methods": methods[:_MOST_METHODS] if len(methods) > 1 else [],
        "qualified": any(method.qualifiers for method, _, _ in methods),
        "systems": len({method.system for method, _, _ in methods}) > 1,
    }


class ShownSignature(NamedTuple):
    """The types of a function, and the search for functions with the same."""

    arguments: str | None
    results: str
    similar: str


def _signature(request: PageRequest, found: Resolved) -> ShownSignature | None:
    """The types of arguments and values, as far as SBCL knows them; None if it knows nothing."""
    rows = request.index.rows(SIGNATURE, symbol=found.symbol, operator=found.typed.operator)
    row = next((SignatureRow._make(row) for row in rows if row[1] or row[2]), None)
    if row is None:
        return None
    upcase = request.index.upcase
    arguments = lower_symbols(row.argument_types, upcase) if row.argument_types else None
    results = "any value"
    if row.result_types is not None:
        results = lower_symbols(row.result_types[1:-1], upcase) or "no values"
    return ShownSignature(arguments, results, request.links.search(q=similar_query(*row, upcase)))


def _type(request: PageRequest, answer: DescribeAnswer) -> str | None:
    """The type of a variable; functions have a signature."""
    if answer.ftype is None or answer.arglist is not None:
        return None
    return lower_symbols(answer.ftype, request.index.upcase)


class Example(NamedTuple):
    """A form that uses the symbol, as the page shows it."""

    place: LinkedName | None
    system: str | None
    lines: list[Markup] | None


def _examples(request: PageRequest, found: Resolved) -> list[Example]:
    """A few forms that use the symbol, each with its place."""
    _, forms = forms_in_use(request.index, found.symbol, found.typed.operator, _EXAMPLES)
    shown = []
    for one in forms:
        where = package_read_in(request.index, one.row.file, one.row.line)
        package = where.name if where is not None else found.home
        lines = highlighted(one.text, SourceLinks(request).of_fragment(one.text, package))
        shown.append(Example(request.place(one.row.file, one.row.line), one.row.system, lines))
    return shown


def _page_of(place: int, start: int, anchor: str) -> str:
    """The URL, relative to this page, of the definition at ``place`` in the list."""
    if start <= place < start + MOST_DEFINITIONS:
        return f"#{anchor}"
    return f"?from={place // MOST_DEFINITIONS * MOST_DEFINITIONS}#{anchor}"


def _anchors(definitions: list[DefinitionAnswer]) -> Iterator[str]:
    """The URL fragment of each definition, which survives a rebuild of the index."""
    taken: dict[str, int] = {}
    for one in definitions:
        operator = "setf" if one.name.startswith("(") else None
        parts = (operator, one.kind, one.qualifiers, one.specializers)
        slug = _NO_SLUG.sub("-", " ".join(part for part in parts if part).lower()).strip("-")
        taken[slug] = taken.get(slug, 0) + 1
        yield slug if taken[slug] == 1 else f"{slug}-{taken[slug]}"


def _definition(
    request: PageRequest, found: Resolved, row: DefinitionPlaceRow, answer: DefinitionAnswer, anchor: str
) -> ShownDefinition:
    text = source_text(request.index, row)
    from_source = text is not None
    if text is None:
        name = printed_name(found.name, request.index.upcase)
        text = text_without_source(request.index, found, row, name)
    part = "\n".join(islice(text[:_MOST_CHARACTERS].split("\n"), _MOST_LINES))
    links = SourceLinks(request)
    # Of the whole text: in a part of a form, nobody knows what is local.
    if from_source:
        text_links = links.of_definition(row.place.file, row.place.line, row.place.column, text)
    else:
        text_links = links.of_text(text, found.home)
    shown_links = [one for one in text_links if one.end <= len(part)]
    heading = (answer.kind, answer.qualifiers, answer.specializers)
    return ShownDefinition(
        answer=answer,
        documentation=documentation(request, answer.documentation, found.home, answer.arglist),
        anchor=anchor,
        heading=" ".join(part for part in heading if part),
        place=request.place(row.place.file, row.place.line),
        lines=highlighted(part, shown_links),
        first_line=row.place.line if from_source else None,
        from_source=from_source,
        is_cut=len(part) < len(text),
    )


def _class(request: PageRequest, found: Resolved, answer: DescribeAnswer) -> dict[str, object]:
    """The class page and the slots of a symbol that names a class."""
    if CLASSES.isdisjoint(answer.kinds) or found.typed.operator:
        return {"class_link": None, "slots": None}
    made_of = describe_class(
        request.index, ClassParameters(request.segments["name"], request.segments["package"], limit=1)
    )
    if isinstance(made_of, NotFound):
        return {"class_link": None, "slots": None}
    return {
        "class_link": request.links.class_(found.home, found.name),
        "slots": slot_table(request, made_of),
    }
