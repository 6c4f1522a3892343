"""Gathers the edits of a package, and what they leave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ...edit.changes import Edit
from ...syntax.lexemes import lexemes
from ...syntax.names.literals import string_value
from ...syntax.tokens import KEYWORD
from ..errors import RefactorError
from ..gathered import GatheredEdits
from ..plan import EditPlan, ExpectedFact
from ..project.texts import ProjectText, ProjectTexts, ReadSymbol
from .defined import DefinedPackage


class PackageEdits:
    """The edits of one package and of the text that is read in it."""

    def __init__(self, project: ProjectTexts, here: DefinedPackage) -> None:
        self.project = project
        self.here = here
        self.gone: list[ExpectedFact] = []
        self.new: list[ExpectedFact] = []
        self._gathered = GatheredEdits(project)

    def of_form(self, edits: Sequence[Edit], what: str) -> None:
        """Add edits of the form of the package. Raises RefactorError if there are none."""
        if not edits:
            place = self.here.file.place(self.here.form.start)
            raise RefactorError(
                f"{place.path}:{place.line}: changing {what} would affect a comment or conditional: "
                "do it by hand"
            )
        for edit in edits:
            self._gathered.add(self.here.file, None, edit)

    def write(self, one: ProjectText, start: int, end: int, new: str) -> None:
        """Replace an extent of a text; leave the place if the file is not in the project."""
        if not self.project.is_inside(one.path):
            self.leave(one, start, "a link to a file outside the project")
        else:
            self._gathered.add(one, None, Edit(start, end, new))

    def leave(self, one: ProjectText, start: int, why: str) -> None:
        """Note a place that may concern what changes, but stays as it is."""
        self._gathered.tell(one, start, why)

    def leave_strings(self, names: Iterable[str]) -> None:
        """Note the strings that consist of one of these names: code may make symbols from them."""
        for one, start in strings_in(self.project, frozenset(names)):
            if one is not self.here.file or not self.here.form.start <= start < self.here.form.end:
                self.leave(one, start, "this string is its name, so code may make the symbol from it")

    def calls(self, operator: str) -> Iterator[tuple[ProjectText, ReadSymbol]]:
        """Yield where text that is read in the package, or that names it, has an operator."""
        for one in self.project.sources():
            for each in one.symbols_named(operator):
                near = each.package == self.here.name or one.has(self.here.name)
                if near and each.token.package != KEYWORD:
                    yield one, each

    @property
    def written(self) -> bool:
        """Whether anything but the form of the package is edited."""
        return self._gathered.touches(self.here.file.path, self.here.form.start, self.here.form.end)

    def plan(self, subject: str) -> EditPlan:
        """The plan of all edits."""
        return replace(self._gathered.plan(subject), gone=self.gone, new=self.new)


def strings_in(project: ProjectTexts, names: frozenset[str]) -> Iterator[tuple[ProjectText, int]]:
    """Yield where the sources of a project have a string that is one of some names."""
    for one in project.sources():
        if '"' not in one.text or not any(map(one.has, names)):
            continue
        for kind, piece, start in lexemes(one.text):
            if kind == "string" and string_value(piece) in names:
                yield one, start


def named_through(project: ProjectTexts, package: str, name: str) -> Iterator[tuple[ProjectText, ReadSymbol]]:
    """Yield the tokens that name a symbol with the name of a package before it, in whatever package."""
    for one in project.sources():
        for each in one.symbols_named(name):
            prefix = each.token.package or KEYWORD
            if prefix != KEYWORD and project.meanings.package(prefix, each.package) == package:
                yield one, each


def read_in(project: ProjectTexts, package: str, name: str) -> Iterator[tuple[ProjectText, ReadSymbol]]:
    """Yield the tokens of a name, with or without a package before it, that are read in a package."""
    for one in project.sources():
        for each in one.symbols_named(name):
            if each.package == package:
                yield one, each
