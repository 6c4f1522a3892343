"""The forms that define packages, in the texts of a project as they are now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from oblist.indexer.names import split_package

from ...edit.forms.packages import DEFINING, PackageForm, package_forms_in
from ...index.written import own_name
from ...syntax.lexemes import Lexeme, read_lexemes
from ...syntax.names.designators import designated
from ...syntax.nodes import Atom
from ..errors import RefactorError
from ..project.texts import ProjectText, ProjectTexts
from . import sql


class DefinedPackage(NamedTuple):
    """A package, and the form that defines it in a text of the project."""

    name: str
    file: ProjectText
    form: PackageForm

    @property
    def place(self) -> tuple[str, int]:
        """Where the form begins."""
        return self.file.path, self.form.start

    @property
    def shown(self) -> str:
        """The name of the package for messages."""
        return own_name(self.name, self.file.project.index.upcase)


def package_forms(one: ProjectText) -> Iterator[PackageForm]:
    """Yield the forms that define packages in a text."""
    folded = one.text.upper()
    if not any(operator in folded for operator in DEFINING):
        return
    upcase = one.project.index.upcase
    for _, toplevel, _, tokens in one.toplevels:
        yield from package_forms_in(one.text, 0, toplevel, tokens, lambda name: own_name(name, upcase))


def defined_package(project: ProjectTexts, package: str) -> DefinedPackage | None:
    """The package of an exact name, with the first form of it in the given texts or where it was indexed."""
    index = project.index
    paths = [index.local_path(path) or path for (path,) in index.rows(sql.PACKAGE_FILES, package=package)]
    for path in dict.fromkeys([*project.given, *paths]):
        one = project.file_inside(path)
        if one is None or not one.has(package):
            continue
        for form in package_forms(one):
            if form.name == package:
                return DefinedPackage(package, one, form)
    return None


def package_named(project: ProjectTexts, typed: str) -> str:
    """The real name of the package that a text names. Raises RefactorError if the index has none."""
    token = split_package(typed, project.index.upcase)
    for name in token.spellings:
        found = project.meanings.package(name, name)
        if found is not None:
            return found
    raise RefactorError(f"the index has no package {typed}")


def package_to_edit(project: ProjectTexts, package: str) -> DefinedPackage:
    """The package of an exact name, if the text of the project tells what it is. Raises RefactorError."""
    shown = own_name(package, project.index.upcase)
    if package not in project.index.package_numbers:
        raise RefactorError(f"the index does not contain the package {shown} yet: build the index again")
    found = [
        DefinedPackage(package, one, form)
        for one in project.sources()
        if one.has(package)
        for form in package_forms(one)
        if form.name == package
    ]
    if not found:
        raise RefactorError(f"no form in {project.folder} defines the package {shown}")
    if len(found) > 1:
        raise RefactorError(f"the package {shown} is defined by {len(found)} forms: change them by hand")
    (only,) = found
    if not project.is_inside(only.file.path):
        raise RefactorError(f"{only.file.path} is a link to a file outside {project.folder}")
    if only.form.is_computed:
        raise RefactorError(f"part of the definition of {shown} is computed at read time: change it by hand")
    for one in project.sources():
        if one.has(package) and (start := _hidden(one, package, only)) is not None:
            place = one.place(start)
            raise RefactorError(
                f"{place.path}:{place.line} also defines {shown}, for other Lisps: change both by hand"
            )
    return only


def _hidden(one: ProjectText, package: str, known: DefinedPackage) -> int | None:
    """Where a text has a form of the package that the reader of this SBCL does not see."""
    before: Lexeme | None = None
    for lexeme in read_lexemes(one.text):
        is_known = one is known.file and known.form.start <= lexeme.start < known.form.end
        defines = before is not None and before.text.rpartition(":")[2].upper() in DEFINING
        named = designated(Atom(lexeme.start, lexeme.text), one.project.tokens) if defines else None
        if named == package and not is_known:
            return lexeme.start
        before = lexeme
    return None
