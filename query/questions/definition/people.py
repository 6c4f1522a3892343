"""The answer of definition for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from ...index.not_found import NotFound
from ...index.shown import counted
from ...index.standpoint.seen_from import seen_lines
from ..styled import BLANK, Line, code, fact, faint, joined, kind, label, line, listed, name, plain
from ..view import View, not_found_people
from .answer import DefinitionPlace, DefinitionTextAnswer


def definition_people(answer: DefinitionTextAnswer | NotFound, view: View) -> Iterator[Line]:
    """The definitions of one name: of each its kind and place, and its text below."""
    if isinstance(answer, NotFound):
        yield from not_found_people(answer)
        return
    yield line(
        name(answer.written), counted(answer.total, "definition") if answer.total else "no definitions"
    )
    for _, group in groupby(answer.definitions, key=lambda one: one.text_offset):
        same = list(group)
        yield BLANK
        yield from (_heading(one, view) for one in same)
        begin = same[0].text_offset
        yield from code(answer.text[begin : begin + same[0].text_length])
    if answer.truncated:
        yield BLANK
        shown = f"{len(answer.definitions):,} of {counted(answer.total, 'definition')}"
        if answer.characters is not None:
            shown = f"{len(answer.text):,} of {answer.characters:,} characters"
        yield line(faint(f"... {shown} shown (--max-length 0 shows all)"))
    yield from _packages(answer, view)
    yield from plain("\n".join(seen)) if (seen := seen_lines(answer.seen_from)) else ()


def _heading(one: DefinitionPlace, view: View) -> Line:
    """The kind of a definition, what tells it from others of the name, its macro and its place."""
    told = "".join(f" {view.lisp(part)}" for part in (one.qualifiers, one.specializers) if part)
    by = f"by {view.lisp(one.defined_by)}" if one.defined_by and not one.from_source else ""
    place = view.place(one.path, one.line, one.column, one.recorded_path)
    return line(joined(kind(one.kind), told), by, place, faint("" if one.from_source else "no source text"))


def _packages(answer: DefinitionTextAnswer, view: View) -> Iterator[Line]:
    if answer.packages is None:
        return
    yield BLANK
    yield line(label("Symbols in the text, by package"))
    for package, symbols in answer.packages.items():
        yield fact(view.lisp(package), listed(view.lisp(one) for one in symbols))
