"""The answer of at as text; pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from ...index.shown import shown_name
from .answer import AtAnswer, NameAt, UseAt


def at_text(answer: AtAnswer) -> str:
    """Return the text of at: the line, the definition around it, its names, then what its form uses."""
    return "\n".join(_lines(answer))


def _lines(answer: AtAnswer) -> Iterator[str]:
    place = ":".join(str(one) for one in (answer.path, answer.at_line, answer.at_column) if one is not None)
    yield f"{shown_name(place)}  in package {shown_name(answer.package)}"
    yield f"  {answer.text.strip()}"
    if answer.definition is not None:
        lines = f"lines {answer.definition_line}-{answer.definition_end_line}"
        yield f"Within {shown_name(answer.definition)} [{answer.defined_by}], {lines}"
    if answer.names:
        yield "Names on the line:"
        yield from (f"  {_name(one, answer.path)}" for one in answer.names)
    if answer.form is not None:
        extent = f"{answer.form_line}:{answer.form_column}"
        if answer.form_end_line != answer.form_line:
            extent += f" to line {answer.form_end_line}"
        yield (
            f"The form at {extent} uses:"
            if answer.uses
            else f"The form at {extent} uses no names in the index."
        )
    for expansion, uses in groupby(answer.uses, key=lambda one: one.in_expansion_of):
        if expansion is not None:
            yield f"  in the expansion of {shown_name(expansion.lower())}:"
        indent = "  " if expansion is None else "    "
        yield from (f"{indent}{_use(one)}" for one in uses)


def _name(one: NameAt, path: str) -> str:
    if one.written is None:
        bound = f", bound on line {one.line}" if one.line is not None else ", bound by a macro, if at all"
        return f"{one.column}  {shown_name(one.text)}  local {one.kind or 'name'}{bound}"
    where = "" if one.line is None else f"  {'line ' if one.path == path else f'{one.path}:'}{one.line}"
    arglist = f" {one.arglist}" if one.arglist else ""
    kind = f"  {one.kind}" if one.kind else ""
    return shown_name(f"{one.column}  {one.written}{arglist}{kind}, {one.relation}{where}")


def _use(one: UseAt) -> str:
    place = f"{one.use_line}:{one.use_column}" if one.use_column is not None else f"{one.use_line}"
    return shown_name(f"{place}  {one.written}{f'  {one.kind}' if one.kind else ''}, {one.relation}")
