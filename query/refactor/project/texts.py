"""The texts of a project, and the tokens in them that name a symbol."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import NamedTuple

from ...check.files import SOURCES, files_below, is_document, read_text, read_text_below
from ...edit.forms.packages import DEFINING, PackageForm, package_forms_in
from ...index.meanings import IndexMeanings
from ...index.present.lines import TextLines
from ...index.reading import Reading
from ...index.written import own_name
from ...syntax.current_package import first_package
from ...syntax.features import Features, OtherFeatures
from ...syntax.lambda_list import LambdaList, read_lambda_list
from ...syntax.lexemes import lexemes, read_lexemes
from ...syntax.names.meanings import MACRO, Symbol
from ...syntax.nodes import Form, Node, Toplevel, forms_in
from ...syntax.reader import read
from ...syntax.tokens import UPCASE, SymbolToken, Tokens
from ...syntax.walk.files import WalkedForm, read_forms, walk_text
from ...syntax.walk.nodes import LIST
from ..errors import RefactorError
from ..plan import PlannedPlace
from . import sql
from .macros import KnownMacros
from .meanings import ProjectMeanings


class PlacedToplevel(NamedTuple):
    """A toplevel form that is not walked, the package that forms after it are read in, and how it is read."""

    start: int
    toplevel: Toplevel
    package: str
    tokens: Tokens


class ReadSymbol(NamedTuple):
    """A token that reads as a symbol, the package that it is read in, and how its form is read.

    Its name, without a package, begins at ``name_start``.
    """

    start: int
    name_start: int
    end: int
    token: SymbolToken
    package: str
    tokens: Tokens


class ProjectText:
    """A source file, or a document, of a project."""

    def __init__(self, path: str, text: str, project: ProjectTexts) -> None:
        self.path = path
        self.text = text
        self.project = project

    @property
    def shown(self) -> str:
        """Its path, relative to the project's folder."""
        return self.path.removeprefix(f"{self.project.folder}{os.sep}")

    @cached_property
    def lines(self) -> TextLines:
        """The lines of the text."""
        return TextLines(self.text)

    @cached_property
    def forms(self) -> list[WalkedForm]:
        """The toplevel forms, walked."""
        return self._walked(self.project.features)

    @cached_property
    def hidden_forms(self) -> list[WalkedForm]:
        """The forms if all conditionals were decided the other way; none if the text has no conditionals."""
        has_any = "#+" in self.text or "#-" in self.text
        return self._walked(self.project.other_features) if has_any else []

    def _walked(self, features: Features) -> list[WalkedForm]:
        project, package = self.project, first_package(self.path)
        macros = project.macros
        return [*walk_text(self.text, package, features, project.meanings, project.tokens, macros=macros)]

    @cached_property
    def toplevels(self) -> list[PlacedToplevel]:
        """The same forms as they are read, without a walk, which takes less time."""
        if "forms" in self.__dict__:  # they are there already
            return [
                PlacedToplevel(one.toplevel.node.start, one.toplevel, one.package, one.tokens)
                for one in self.forms
            ]
        project = self.project
        found = read_forms(
            self.text, first_package(self.path), project.features, project.meanings, project.tokens
        )
        return [PlacedToplevel(one.node.start, one, names.package, names.tokens) for one, names in found]

    def toplevel_at(self, offset: int) -> PlacedToplevel | None:
        """The last toplevel form that begins before an offset, or there, as it is read."""
        number = bisect_right(self.toplevels, offset, key=attrgetter("start"))
        return self.toplevels[number - 1] if number else None

    def is_read(self, start: int) -> bool:
        """Whether this SBCL reads the atom at an offset: no conditional hides it."""
        form = self.toplevel_at(start)
        return form is not None and _reads(form.toplevel.node, start)

    def package_at(self, offset: int) -> str:
        """The name of the package in which the text at an offset is read."""
        number = bisect_right(self.toplevels, offset, key=attrgetter("start"))
        if number and offset < self.toplevels[number - 1].toplevel.node.end:
            number -= 1  # IN-PACKAGE has the package that it enters, and is read in the one before
        return self.toplevels[number - 1].package if number else first_package(self.path)

    @cached_property
    def symbols(self) -> list[ReadSymbol]:
        """All tokens that read as symbols, in templates, data and hidden conditionals, too."""
        found = []
        for kind, piece, start in read_lexemes(self.text):
            if kind != "symbol":
                continue
            form = self.toplevel_at(start)
            tokens = form.tokens if form is not None else self.project.tokens
            if (token := tokens.symbol(piece)) is not None:
                name_start = start + piece.rfind(":") + 1 if token.package is not None else start
                package = self.package_at(start)
                found.append(ReadSymbol(start, name_start, start + len(piece), token, package, tokens))
        return found

    def symbols_named(self, name: str) -> Iterator[ReadSymbol]:
        """Yield the tokens of symbols with this name, in whatever package."""
        if self.has(name):
            yield from (one for one in self.symbols if one.token.name == name)

    def form_at(self, offset: int) -> WalkedForm | None:
        """The last toplevel form that begins before an offset, or there."""
        number = bisect_right(self.forms, offset, key=lambda one: one.toplevel.node.start)
        return self.forms[number - 1] if number else None

    def form_reading(self, start: int) -> WalkedForm | None:
        """The toplevel form with the atom at an offset, as it is read where no conditional hides that."""
        form = self.form_at(start)
        if form is None or _reads(form.toplevel.node, start):
            return form
        number = bisect_right(self.hidden_forms, start, key=lambda one: one.toplevel.node.start)
        return self.hidden_forms[number - 1] if number else form

    def form_on(self, line: int) -> WalkedForm | None:
        """The last toplevel form that begins on a line, or before it; None beyond the text."""
        if not 1 <= line <= len(self.lines):
            return None
        end = self.text.find("\n", self.lines.start(line))
        return self.form_at(end if end >= 0 else len(self.text))

    def has(self, name: str) -> bool:
        """Whether the text has a name, in any case."""
        return self.project.index.fold(name) in self._folded

    @cached_property
    def _folded(self) -> str:
        return self.project.index.fold(self.text)

    def naming(self, symbol: Symbol) -> Iterator[ReadSymbol]:
        """Yield the tokens that read as a symbol, wherever they stand, except in comments and strings."""
        for each in self.symbols_named(symbol.name):
            found = self.project.meanings.symbol(each.token, each.package)
            if found is not None and found.number == symbol.number:
                yield each

    def captured(self, symbol: Symbol) -> Iterator[int]:
        """Yield where templates, or quoted code in macros, have a variable that nothing binds there."""
        meanings = self.project.meanings
        if meanings.facts(symbol).variable is not None:
            return
        for each in self.naming(symbol):
            form, start = self.form_at(each.start), each.start
            if form is None:
                continue
            made = (meanings.facts(one.symbol).operator for one in form.walked.definitions)
            is_quoted = start in form.walked.data and not _is_no_variable(form.toplevel.node, start)
            if start in form.walked.captured or (is_quoted and MACRO in made):
                yield start

    def tokens_in(self, form: WalkedForm | None) -> Tokens:
        """How the tokens of a form are read."""
        return form.tokens if form is not None else self.project.tokens

    def written(self, name: str, form: WalkedForm | None, like: str = "") -> str:
        """How a form writes the name of a symbol: in capitals if ``like`` is, where that means the same."""
        return self.written_by(name, self.tokens_in(form), like)

    def written_by(self, name: str, tokens: Tokens, like: str = "") -> str:
        """How a name is written so that it is read by ``tokens``."""
        plain = own_name(name, self.project.index.upcase)
        choices = [plain.upper()] if like.isupper() else []
        choices += [plain] if tokens.case == UPCASE else [name.swapcase(), name, plain]
        for one in choices:
            token = tokens.symbol(one)
            if token == SymbolToken(None, 0, name) and [*map(itemgetter(1), lexemes(one))] == [one]:
                return one
        return plain

    def place(self, offset: int, why: str = "") -> PlannedPlace:
        """The place of an offset."""
        line, column = self.lines.place(offset)
        start = self.lines.start(line)
        end = self.text.find("\n", start)
        text = self.text[start : end if end >= 0 else len(self.text)].strip()
        return PlannedPlace(self.path, line, column, text, why)


def _reads(node: Node | None, start: int) -> bool:
    """Whether an atom begins at an offset in what was read."""
    while isinstance(node, Form):
        node = next((one for one in node.items if one.start <= start < one.end), None)
    return node is not None and node.start == start


def _is_no_variable(node: Node, start: int) -> bool:
    """Whether what begins at an offset is the operator of a list, or names a block."""
    for one in forms_in(node):
        if one.kind == LIST and one.items:
            names_block = one.items[0].word in ("BLOCK", "RETURN-FROM") and len(one.items) > 1
            if start in (one.items[0].start, one.items[1].start if names_block else None):
                return True
    return False


class ProjectTexts:
    """All sources and documents below a folder; ``texts`` are the contents of some, by their paths."""

    def __init__(
        self,
        index: Reading,
        folder: str,
        texts: Mapping[str, str] | None = None,
        meanings: IndexMeanings | None = None,
    ) -> None:
        self.index = index
        self.folder = folder
        self.tokens = Tokens(index.upcase)
        self.features = Features(index.facts.get("features", ""), self.tokens)
        self.other_features = OtherFeatures(index.facts.get("features", ""), self.tokens)
        self.meanings = ProjectMeanings(meanings or IndexMeanings(index), self._package_forms)
        self.macros = KnownMacros(index, self.meanings, self.tokens, self.features)
        self._texts = dict(texts or {})
        self.given = [*self._texts]
        """The paths of the texts that were given."""
        self._files: dict[str, ProjectText] = {}

    def _package_forms(self) -> dict[str, PackageForm]:
        """The forms that define packages in the sources, by the names of the packages."""
        found = {}
        for one in self.sources():
            if any(map(one.has, DEFINING)):
                for toplevel in read(one.text, self.features):
                    for form in package_forms_in(one.text, 0, toplevel, self.tokens, str.lower):
                        found[form.name or ""] = form
        return found

    @cached_property
    def paths(self) -> list[str]:
        """The paths of all files."""
        unreadable: dict[str, str] = {}
        found = files_below([self.folder], lambda _: False, unreadable)
        found += [path for path in self.given if path not in found and self.is_inside(path)]
        if unreadable:
            path, why = next(iter(unreadable.items()))
            raise RefactorError(f"{path} may contain the name, but cannot be read: {why}")
        return found

    def is_inside(self, path: str) -> bool:
        """Whether a file is in the folder once all links are followed."""
        return os.path.realpath(path).startswith(f"{self.folder}{os.sep}")

    def sources(self) -> Iterator[ProjectText]:
        """Yield the source files."""
        for path in self.paths:
            if path.lower().endswith(SOURCES):
                yield self.file(path)

    def documents(self) -> Iterator[ProjectText]:
        """Yield the documents."""
        for path in self.paths:
            if is_document(path):
                yield self.file(path)

    def file(self, path: str) -> ProjectText:
        """The file at a path. Raises RefactorError if it cannot be read."""
        if path not in self._files:
            try:
                text = self._texts[path] if path in self._texts else read_text(path)
            except OSError as error:
                raise RefactorError(
                    f"{path} may contain the name, but cannot be read: {error.strerror}"
                ) from error
            self._files[path] = ProjectText(path, text, self)
        return self._files[path]

    def file_inside(self, path: str) -> ProjectText | None:
        """The file at a path if it is in the folder, whatever links lead to it; None if it is not.

        No link that appears meanwhile leads out of it. Raises RefactorError if it cannot be read.
        """
        folder, found = Path(self.folder), Path(os.path.realpath(path))
        if folder not in found.parents:
            return None
        if path not in self._texts:
            try:
                self._texts[path] = read_text_below(folder, found)
            except OSError as error:
                raise RefactorError(f"{path} cannot be read: {error.strerror}") from error
        return self.file(path)

    def forms_defining(self, number: int) -> Iterator[tuple[ProjectText, WalkedForm]]:
        """Yield the forms that define a symbol, by its number, in files where the index has it."""
        for (recorded,) in self.index.rows(sql.FILES_OF, symbol=number):
            path = self.index.local_path(recorded) or recorded
            one = self.file_inside(path)
            if one is not None:
                for form in one.forms:
                    if any(made.symbol.number == number for made in form.walked.definitions):
                        yield one, form

    def lambda_lists(self, number: int) -> Iterator[LambdaList]:
        """Yield the lambda lists of all definitions of an operator, by the number of its symbol."""
        for (text,) in self.index.rows(sql.LAMBDA_LISTS, symbol=number):
            found = read_lambda_list(text, self.tokens, self.features)
            if found is not None:
                yield found

    def positional_parameters(self, number: int) -> Sequence[str]:
        """The names of the required and optional parameters of an operator; none if the index has none."""
        return next((tuple(one.name for one in each.positional) for each in self.lambda_lists(number)), ())
