"""The answer of at for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from ..styled import Line, Segment, Style, code, fact, faint, joined, kind, label, line, name
from ..view import View
from .answer import AtAnswer, NameAt, UseAt


def at_people(answer: AtAnswer, view: View) -> Iterator[Line]:
    """The line, the definition around it, its names, then what its form uses."""
    yield line(
        view.place(answer.path, answer.at_line, answer.at_column), kind(f"in {view.lisp(answer.package)}")
    )
    yield from code(answer.text.strip())
    if answer.definition is not None:
        lines = faint(f"lines {answer.definition_line} to {answer.definition_end_line}")
        yield fact("Within", joined(name(answer.definition), f" {answer.defined_by}  ", lines), indent=0)
    if answer.names:
        yield line(label("Names on the line"))
    for one in answer.names:
        yield _name(one, view)
    if answer.form is not None:
        yield line(label("This form uses" if answer.uses else "This form uses no names in the index"))
        yield from code(answer.form.split("\n")[0])
    for expansion, uses in groupby(answer.uses, key=lambda one: one.in_expansion_of):
        if expansion is not None:
            yield line(faint(f"in the expansion of {expansion.lower()}"), indent=2)
        for use in uses:
            yield _use(use, answer.path, indent=2 if expansion is None else 4)


def _name(one: NameAt, view: View) -> Line:
    if one.written is None:
        bound = f"bound on line {one.line}" if one.line is not None else "bound by a macro, if at all"
        return line(name(view.lisp(one.text)), kind(f"local {one.kind or 'name'}"), faint(bound), indent=2)
    arglist = f" {view.lambda_list(one.arglist)}" if one.arglist else ""
    parts = joined(name(one.written), arglist), kind(one.kind or ""), faint(one.relation)
    return line(*parts, view.place(one.path, one.line), indent=2, hang=4)


def _use(one: UseAt, path: str, indent: int) -> Line:
    """A use, after its place in the file, whose path is not said again."""
    place = ":".join(str(part) for part in (one.use_line, one.use_column) if part is not None)
    there = Segment(place, Style.PLACE, path)
    return line(there, name(one.written), kind(one.kind or ""), faint(one.relation), indent=indent, hang=4)
