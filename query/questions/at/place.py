"""A place in a source: its line, what is around it, and the uses that SBCL recorded there."""

from __future__ import annotations

from functools import cached_property
from itertools import islice

from ...index.meanings import IndexMeanings
from ...syntax.current_package import first_package
from ...syntax.features import Features
from ...syntax.nodes import Form, forms_in
from ...syntax.tokens import Tokens
from ...syntax.walk.files import WalkedForm, walk_text
from ..definition.ask import package_read_in
from ..xref.answer import ReferenceAnswer
from ..xref.ask import uses_by
from ..xref.references import References
from ..xref.sql import UseRow
from . import sql
from .around import PlacedDefinition, definitions_near, hidden_forms, toplevel_forms
from .source import AskedSource

_MOST_DEFINITIONS = 40


class Place:
    """A place in a source. Offsets count characters of its text from 0."""

    def __init__(self, source: AskedSource, line: int, column: int | None) -> None:
        """Without a ``column``, it is the first character on the line."""
        self.source, self.line, self.column = source, line, column
        self.text = source.line(line)
        self.start = source.lines.start(line)
        """The offset at which the line begins."""
        self.end = self.start + len(self.text)
        first = len(self.text) - len(self.text.lstrip()) if column is None else column - 1
        self.at = self.start + min(first, len(self.text))

    @cached_property
    def forms(self) -> list[WalkedForm]:
        """The toplevel forms on the line, walked.

        The whole file is read, which takes longer, only if the index does not know the form around the line.
        Forms that are hidden by a feature that SBCL had only while it was built are included.
        """
        source = self.source
        if source.present is not None:
            return self._walk(source.text, first_package(source.path))
        around = next(toplevel_forms(source, self.line), None)
        if around is not None and not source.index.rows(sql.READTABLES, file=source.file.number):
            return self._walk(*around)
        if found := self._walk(source.text, first_package(source.path)):
            return found
        around = around or next(hidden_forms(source, self.at), None)
        return self._walk(*around) if around is not None else []

    def _walk(self, text: str, package: str) -> list[WalkedForm]:
        index = self.source.index
        tokens = Tokens(index.upcase)
        features = Features(index.facts.get("features", ""), tokens)
        between = self.start, self.end + 1
        return list(walk_text(text, package, features, IndexMeanings(index), tokens, between=between))

    @property
    def package(self) -> str:
        """The package that the line is read in."""
        if self.forms:
            return self.forms[0].package
        found = package_read_in(self.source.index, self.source.file.number, self.line)
        return found.name if found is not None else first_package(self.source.path)

    @cached_property
    def toplevel(self) -> WalkedForm | None:
        """The toplevel form at the place; of several on the line, the first that ends after it."""
        return next((one for one in self.forms if one.toplevel.node.end > self.at), None)

    @cached_property
    def definition(self) -> PlacedDefinition | None:
        """The innermost definition around the place."""
        near = definitions_near(self.source, self.forms, self.at, self.at + 1)
        return next((one for one in near if one.start <= self.at < one.end), None)

    @cached_property
    def lists(self) -> list[Form]:
        """The lists in the toplevel form, and the form itself."""
        node = self.toplevel.toplevel.node if self.toplevel is not None else None
        return [one for one in forms_in(node) if one.kind == "("] if isinstance(node, Form) else []

    @cached_property
    def form(self) -> Form | None:
        """The list around the place, or the first that begins on the line if no column was given."""
        if self.column is None:
            begun = [one for one in self.lists if self.at <= one.start < self.end]
            if begun:
                return min(begun, key=lambda one: (one.start, -one.end))
        around = [one for one in self.lists if one.start <= self.at < one.end]
        return max(around, key=lambda one: one.start, default=None)

    @cached_property
    def recorded(self) -> list[tuple[UseRow, ReferenceAnswer]]:
        """What the index has of the uses by the definitions of the toplevel form, the nearest first.

        The text of a definition may be outside of the form: in a local macro that makes it.
        """
        node = self.toplevel.toplevel.node if self.toplevel is not None else None
        if node is None:
            return []
        near = definitions_near(self.source, self.forms, node.start, node.end)
        near.sort(key=lambda one: max(one.start - self.at, self.at - one.end, 0))
        names = dict.fromkeys((one.symbol, one.operator) for one in near if one.symbol is not None)
        index, number = self.source.index, self.source.file.number
        uses = [use for name in islice(names, _MOST_DEFINITIONS) for use in uses_by(index, *name)]
        rows = [use for use in uses if use.file == number]
        return list(zip(rows, References(index).answers(rows), strict=True))
