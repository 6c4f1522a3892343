"""The toplevel forms of systems: where each is loaded, what it defines, and whether it runs anything then."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...index.present.carried import PresentFile
from ...syntax.names.meanings import Symbol
from ...syntax.nodes import Form
from ...syntax.walk.files import WalkedForm
from ..project.order import LoadOrder
from ..project.texts import ProjectText, ProjectTexts
from . import sql
from .sql import DefinedInRow, IndexedFileRow

FUNCTIONS = frozenset(("DEFUN", "DEFMETHOD", "DEFGENERIC"))
"""The operators whose forms define functions, which are only called when something runs."""
EXPANDERS = frozenset(
    (
        *("DEFMACRO", "DEFTYPE", "DEFINE-COMPILER-MACRO", "DEFSETF", "DEFINE-SETF-EXPANDER"),
        *("DEFINE-MODIFY-MACRO", "DEFINE-SYMBOL-MACRO", "DEFINE-METHOD-COMBINATION"),
    )
)
"""The operators whose forms define what the compiler calls, or puts in the place of a form."""
CLASSES = frozenset(("DEFCLASS", "DEFSTRUCT", "DEFINE-CONDITION"))
_DEFERRED = FUNCTIONS | EXPANDERS | CLASSES


Key = tuple[str | None, str]
"""A symbol, by its home package and its name: a symbol that is only in the text has no number."""


def key_of(symbol: Symbol) -> Key:
    """The key of a symbol."""
    return symbol.package, symbol.name


@dataclass(frozen=True, slots=True, eq=False)
class SystemForm:
    """A toplevel form of a file that a system loads."""

    file: ProjectText
    walked: WalkedForm
    operator: str
    """The name of its operator, if that is one of the standard; else empty."""
    defined: frozenset[Key]
    mentioned: frozenset[Key]

    @property
    def place(self) -> tuple[str, int]:
        """Where it begins."""
        return self.file.path, self.walked.toplevel.node.start

    @property
    def is_deferred(self) -> bool:
        """Whether it only defines something, so that what its body calls is not called when it is loaded."""
        return self.operator in _DEFERRED

    @property
    def shown(self) -> str:
        """Its place for messages."""
        place = self.file.place(self.place[1])
        return f"{place.path}:{place.line}"


class SystemForms:
    """The forms of all files that the systems of a project load."""

    def __init__(self, project: ProjectTexts) -> None:
        self.project = project
        self.order = LoadOrder(project)

    @cached_property
    def all(self) -> Sequence[SystemForm]:
        """All of them."""
        loaded = [one for one in self.project.sources() if self.order.systems_of(one.path)]
        return [form for one in loaded for form in self._forms(one)]

    @cached_property
    def definers(self) -> Mapping[Key, Sequence[SystemForm]]:
        """The forms that define a symbol."""
        found: defaultdict[Key, list[SystemForm]] = defaultdict(list)
        for form in self.all:
            for key in form.defined:
                found[key].append(form)
        return dict(found)

    @cached_property
    def _files(self) -> Mapping[str, int]:
        """The numbers of the files of the index by their paths on this machine."""
        index = self.project.index
        rows = map(IndexedFileRow._make, index.rows(sql.FILES))
        return {os.path.realpath(index.local_path(row.path) or row.path): row.number for row in rows}

    def between(self, first: tuple[str, int], last: tuple[str, int]) -> Iterator[SystemForm]:
        """Yield the forms that are, or may be, loaded after one place and before another."""
        for form in self.all:
            if not self.order.is_before(form.place, first) and not self.order.is_before(last, form.place):
                yield form

    def _forms(self, one: ProjectText) -> Iterator[SystemForm]:
        made = self._made(one)
        unknown = self._unknown(one)
        for form in one.forms:
            walked, node = form.walked, form.toplevel.node
            operator = node.items[0].word if node.kind == "(" and node.items else ""
            here = [(at, key) for at, key in unknown if node.start <= at < node.end]
            own = {key_of(each.symbol) for each in walked.definitions} | made[node.start]
            if operator.startswith("DEF") and isinstance(node, Form) and len(node.items) > 1:
                name = node.items[1]
                own |= {key for at, key in here if name.start <= at < name.end}
            used = {key_of(each.symbol) for each in walked.occurrences if each.relation != "defines"}
            used |= {key for _, key in here}
            yield SystemForm(one, form, operator, frozenset(own), frozenset(used | own))

    def _unknown(self, one: ProjectText) -> Sequence[tuple[int, Key]]:
        """The symbols of a file that the index does not have yet, with their places."""
        meanings = self.project.meanings
        return [
            (each.start, (each.package, each.token.name))
            for each in one.symbols
            if each.token.package is None and meanings.symbol(each.token, each.package) is None
        ]

    def _made(self, one: ProjectText) -> Mapping[int, set[Key]]:
        """What each form of a file defined when it was indexed: some of these names are in no text."""
        index = self.project.index
        found: defaultdict[int, set[Key]] = defaultdict(set)
        file = self._files.get(os.path.realpath(one.path))
        rows = map(DefinedInRow._make, index.rows(sql.DEFINED_IN, file=file))
        indexed = index.indexed_text(file)
        present = PresentFile(indexed, one.text) if indexed is not None else None
        for row in rows:
            extent = present.extent(row.line, row.column) if present is not None else None
            form = one.form_at(extent.start) if extent is not None else None
            if form is not None:
                found[form.toplevel.node.start].add((row.home, row.name))
        return found
