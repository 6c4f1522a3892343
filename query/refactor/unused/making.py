"""Code that makes names at run time, and which names it may make."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from ...syntax.format_control import literal_pieces
from ...syntax.names.literals import string_value
from ...syntax.nodes import Atom, Form, Node, forms_in
from ..errors import RefactorError
from ..project.texts import ProjectText, ProjectTexts
from . import sql
from .deletion import DeletedExtent
from .sql import MakingNamesRow

_EXPANDING = frozenset(("macro", "compiler-macro", "setf-expander", "type"))
"""The kinds of what runs when something is compiled: the index has what it made."""
_NAME_AT = {
    **dict.fromkeys(("INTERN", "INTERN*", "FIND-SYMBOL", "FIND-SYMBOL*"), 1),
    "SYMBOL-CALL": 2,
}
"""Which argument is the name, or makes it."""
_FORMATTING = {"FORMAT": 2, "FORMAT-SYMBOL": 2}
"""Which argument is the control string."""
_JOINING = frozenset(("CONCATENATE", "SYMBOLICATE", "STRCAT"))
_SAME_NAME = frozenset(("STRING", "SYMBOL-NAME", "STRING-UPCASE", "PRINC-TO-STRING"))
"""The functions that make a name from their first argument alone."""
_MAKING = frozenset((*_NAME_AT, "FORMAT-SYMBOL", "SYMBOLICATE", "READ-FROM-STRING"))
_FEWEST = 2  # characters of a piece that tells anything


class _Maker(NamedTuple):
    """A place that makes names: all of them have one of the pieces, or are one, if there are any."""

    file: ProjectText
    line: int
    start: int
    pieces: frozenset[str] = frozenset()
    is_whole: bool = False

    def may_make(self, name: str) -> bool:
        """Whether a name is one that it may make, by the pieces."""
        return name in self.pieces if self.is_whole else any(piece in name for piece in self.pieces)


class NameMakers:
    """The places of a project that make names at run time."""

    def __init__(self, project: ProjectTexts) -> None:
        self._project = project

    def refuse(self, name: str, extents: Sequence[DeletedExtent]) -> None:
        """Raise RefactorError if a place outside of what is deleted may make a name.

        If nothing is known of the names that code makes, they may be any names in its own file.
        """
        files = {one.file.path for one in extents}
        for maker in self._makers:
            if any(one.file is maker.file and one.start <= maker.start < one.end for one in extents):
                continue
            may_be = maker.may_make(name)
            if may_be or (not maker.pieces and maker.file.path in files):
                which = "this may be one of them" if may_be else "it is not known which"
                raise RefactorError(f"{maker.file.shown}:{maker.line} makes names at run time, and {which}")

    @cached_property
    def _makers(self) -> Sequence[_Maker]:
        index = self._project.index
        found: dict[tuple[str, int], _Maker] = {}
        for row in map(MakingNamesRow._make, index.rows(sql.MAKING_NAMES_AT)):
            path = os.path.realpath(index.local_path(row.path) or row.path)
            is_own = self._project.is_inside(path)
            if row.kind in _EXPANDING or row.line is None or not (is_own or row.system is not None):
                continue
            for maker in self._on_line(path, row.line):
                if is_own or maker.is_whole:  # a library may look up what it knows by name
                    found[maker.file.path, maker.start] = maker
        return [*found.values()]

    def _on_line(self, path: str, line: int) -> Iterator[_Maker]:
        if not os.path.isfile(path):  # noqa: PTH113
            return
        file = self._project.file(path)
        end = file.text.find("\n", file.lines.start(line)) if line <= len(file.lines) else -1
        form = file.toplevel_at(end if end >= 0 else len(file.text))
        if form is None:
            return
        calls = [*_calls(form.toplevel.node)]
        on_line = [one for one in calls if file.lines.place(one.start)[0] == line]
        upcase = self._project.index.upcase
        for call in on_line:
            part: Node = call
            if (at := _NAME_AT.get(_operator(call))) is not None:
                part = call.items[at] if at < len(call.items) else call
            while (inner := _same_name(part)) is not None:
                part = inner
            pieces = [upcase(one) for one in _pieces(part) if len(one) >= _FEWEST]
            yield _Maker(file, line, call.start, frozenset(pieces), _literal(part) is not None)
        if not on_line:  # it is passed on as a function, say
            yield _Maker(file, line, form.toplevel.node.start)


def _pieces(part: Node) -> list[str]:
    """The pieces of text that what makes a name puts in it; none if that is not certain."""
    if (name := _literal(part)) is not None:
        return [name]
    operator = _operator(part)
    if not isinstance(part, Form):
        return []
    if (at := _FORMATTING.get(operator)) is not None and at < len(part.items):
        return literal_pieces(_literal(part.items[at]) or "")
    if operator in _JOINING:
        return [name for one in part.items[1:] if (name := _literal(one)) is not None]
    return []


def _same_name(part: Node) -> Node | None:
    """What a form makes a name of that is the same; None if it does not."""
    if not isinstance(part, Form):
        return None
    if part.kind == "#." and len(part.items) == 1:
        return part.items[0]
    return part.items[1] if _operator(part) in _SAME_NAME and len(part.items) > 1 else None


def _literal(part: Node) -> str | None:
    """The name that an argument is, as a string or a symbol; None if it is made."""
    if isinstance(part, Form):
        return _literal(part.items[0]) if part.kind == "'" and len(part.items) == 1 else None
    if part.text.startswith('"'):
        return string_value(part.text)
    return part.text.rpartition(":")[2] if part.text.startswith(("#:", ":")) else None


def _operator(call: Node) -> str:
    """The name of what a list calls, whatever its package; empty for what is not a list."""
    head = call.items[0] if call.kind == "(" and call.items else None
    return head.text.rpartition(":")[2].upper() if isinstance(head, Atom) else ""


def _calls(node: Node) -> Iterator[Form]:
    return (form for form in forms_in(node) if _operator(form) in _MAKING)
