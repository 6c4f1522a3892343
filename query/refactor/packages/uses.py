"""From a package that is used to the names that are imported from it."""

from __future__ import annotations

from collections.abc import Mapping

from ...index.written import own_name
from ...syntax.names.meanings import LISP
from ...syntax.tokens import KEYWORD
from ..errors import RefactorError
from ..plan import EditPlan, ExpectedFact
from ..project.texts import ProjectText, ProjectTexts, ReadSymbol
from . import sql
from .defined import DefinedPackage, package_forms
from .planned import PackageEdits
from .sql import ExportedRow
from .there import refuse_unless_symbol_there

_USING = ("USE-PACKAGE", "UNUSE-PACKAGE")


def expanded_use(project: ProjectTexts, here: DefinedPackage, package: str) -> EditPlan:
    """The plan of importing what is used of a package, instead of all of it. Raises RefactorError."""
    shown = own_name(package, project.index.upcase)
    if package == LISP:
        raise RefactorError(
            f"{shown} is the language itself: importing its names one by one would be pointless"
        )
    used = [one for one in here.form.uses() if project.meanings.package(one, one) == package]
    if len(used) != 1:
        raise RefactorError(f"the definition of {here.shown} must use {shown} exactly once")
    if (package,) not in project.index.rows(sql.USED, package=here.name):
        raise RefactorError(f"the index does not know yet that {here.shown} uses {shown}: build it again")
    if package in {project.meanings.package(one, one) for one in here.form.others()}:
        raise RefactorError(f"the definition of {here.shown} also names {shown} in another clause")
    edits = PackageEdits(project, here)
    exported = {
        row.name: row for row in map(ExportedRow._make, project.index.rows(sql.EXPORTED, package=package))
    }
    names = sorted(_needed(edits, exported) - _had_otherwise(project, here, package, exported))
    for name in names:
        refuse_unless_symbol_there(project, here, package, name, exported[name].number)
    edits.of_form(here.form.importing_instead(used[0], names, package), "what it uses")
    edits.leave_strings(exported.keys() - names)
    for operator in _USING:
        for one, each in edits.calls(operator):
            edits.leave(one, each.start, "it may be about the packages that are used")
    known = dict(here.form.imports())
    edits.new += [ExpectedFact.use("imports", exported[one].home, one) for one in names if one not in known]
    return edits.plan(f"the use of {shown} by {here.shown}")


def _needed(edits: PackageEdits, exported: Mapping[str, ExportedRow]) -> set[str]:
    """The names that the package has from the other one, and that text names, or that it exports."""
    project, here = edits.project, edits.here
    rows = map(ExportedRow._make, project.index.rows(sql.EXPORTED, package=here.name))
    named = {row.name for row in rows} | here.form.exports()
    for one in project.sources():
        named |= _taken(one, here.name)
        named |= {each.token.name for each in one.symbols if _is_named(here, one, each)}
    return {name for name in named & exported.keys() if _is_same(project, here, exported[name])}


def _is_named(here: DefinedPackage, one: ProjectText, each: ReadSymbol) -> bool:
    """Whether a token names what the package has under its name."""
    prefix = each.token.package
    if prefix is None:
        return each.package == here.name
    if prefix == KEYWORD:
        # ASDF finds the class of a component by a keyword of its name.
        return each.package == here.name and one.path.endswith(".asd")
    return one.project.meanings.package(prefix, each.package) == here.name


def _is_same(project: ProjectTexts, here: DefinedPackage, exported: ExportedRow) -> bool:
    """Whether a package has the same symbol under a name, and not one that it shadows."""
    symbol = project.meanings.designated(exported.name, here.name)
    return symbol is not None and symbol.number == exported.number


def _taken(one: ProjectText, package: str) -> set[str]:
    """The names that other packages of a text import from a package."""
    if not one.has(package):
        return set()
    return {
        name
        for form in package_forms(one)
        for name, source in (*form.imports(), *form.shadowing_imports())
        if form.name is not None and one.project.meanings.package(source, form.name) == package
    }


def _had_otherwise(
    project: ProjectTexts, here: DefinedPackage, package: str, exported: Mapping[str, ExportedRow]
) -> set[str]:
    """The names that the package has of yet another one, or that shadow all others."""
    found = {name for name, _ in here.form.shadowing_imports()}
    for (used,) in project.index.rows(sql.USED, package=here.name):
        if used != package:
            others = map(ExportedRow._make, project.index.rows(sql.EXPORTED, package=used))
            found |= {
                row.name for row in others if row.name in exported and exported[row.name].number == row.number
            }
    return found - here.form.exports()
