"""Code that makes names at run time, and which names it may make."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from ...syntax.format_control import literal_pieces
from ...syntax.lexemes import lexemes
from ...syntax.names.literals import string_value
from ...syntax.nodes import Atom, Form, Node, forms_in
from ..errors import RefactorError
from ..project.texts import ProjectText, ProjectTexts
from . import sql
from .deletion import DeletedExtent
from .sql import MakingNamesRow

_EXPANDING = frozenset(("macro", "compiler-macro", "setf-expander", "type"))
"""What runs when something is compiled: the index has what it made."""
_NAME_AT = {
    **dict.fromkeys(("INTERN", "INTERN*", "FIND-SYMBOL", "FIND-SYMBOL*", "READ-FROM-STRING"), 1),
    **dict.fromkeys(("SYMBOL-CALL", "FORMAT-SYMBOL"), 2),
}
"""Which argument is the name, or makes it; SYMBOLICATE makes it of all."""
_FEWEST = 2  # characters of a piece that tells anything


class _Maker(NamedTuple):
    """A place that makes names: all of them have one of the pieces, if there are any."""

    file: ProjectText
    line: int
    start: int
    pieces: frozenset[str]


class NameMakers:
    """The places of a project that make names at run time."""

    def __init__(self, project: ProjectTexts) -> None:
        self._project = project

    def refuse(self, name: str, extents: Sequence[DeletedExtent]) -> None:
        """Raise RefactorError if a place outside of what is deleted may make a name.

        Where nothing is known of the names that code makes, they may be any of its own file.
        """
        files = {one.file.path for one in extents}
        for maker in self._makers:
            if any(one.file is maker.file and one.start <= maker.start < one.end for one in extents):
                continue
            may_be = any(piece in name for piece in maker.pieces)
            if may_be or (not maker.pieces and maker.file.path in files):
                which = "it may be one of them" if may_be else "it may be any"
                raise RefactorError(f"{maker.file.shown}:{maker.line} makes names at run time, and {which}")

    @cached_property
    def _makers(self) -> Sequence[_Maker]:
        index = self._project.index
        found: dict[tuple[str, int], _Maker] = {}
        for row in map(MakingNamesRow._make, index.rows(sql.MAKING_NAMES_AT)):
            path = os.path.realpath(index.local_path(row.path) or row.path)
            if row.kind in _EXPANDING or row.line is None or not self._project.is_inside(path):
                continue
            for maker in self._on_line(path, row.line):
                found[maker.file.path, maker.start] = maker
        return [*found.values()]

    def _on_line(self, path: str, line: int) -> Iterator[_Maker]:
        if not os.path.isfile(path):  # noqa: PTH113
            return
        file = self._project.file(path)
        form = file.form_on(line)
        if form is None:
            return
        calls = [*_calls(form.toplevel.node)]
        on_line = [one for one in calls if file.lines.place(one.start)[0] == line]
        for call in on_line:
            yield _Maker(file, line, call.start, frozenset(self._pieces(file, call)))
        if not on_line:  # it is passed on as a function, say
            yield _Maker(file, line, form.toplevel.node.start, frozenset())

    def _pieces(self, file: ProjectText, call: Form) -> Iterator[str]:
        """Yield the pieces of text that the name is made of."""
        at = _NAME_AT.get(_operator(call))
        parts: Sequence[Node] = call.items[1:] if at is None else call.items[at : at + 1]
        upcase = self._project.index.upcase
        for part in parts:
            for one in lexemes(file.text[part.start : part.end]):
                found: Sequence[str] = ()
                if one.kind == "string":
                    found = literal_pieces(string_value(one.text))
                elif one.kind == "uninterned" or one.text.strip("-") != one.text:
                    found = [one.text.rpartition(":")[2]]
                yield from (upcase(each) for each in found if len(each) >= _FEWEST)


def _operator(call: Form) -> str:
    """The name of what a list calls, whatever its package."""
    head = call.items[0] if call.kind == "(" and call.items else None
    return head.text.rpartition(":")[2].upper() if isinstance(head, Atom) else ""


def _calls(node: Node) -> Iterator[Form]:
    return (form for form in forms_in(node) if _operator(form) in {*_NAME_AT, "SYMBOLICATE"})
