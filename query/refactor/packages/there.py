"""Whether a package and its symbols are there when the form of another package is loaded."""

from __future__ import annotations

from ...index.written import own_name
from ..errors import RefactorError
from ..project.order import LoadOrder
from ..project.texts import ProjectTexts
from . import sql
from .defined import DefinedPackage, defined_package

_CONTRIB = "/contrib/"


def refuse_unless_package_there(project: ProjectTexts, here: DefinedPackage, package: str) -> None:
    """Raise RefactorError unless a package certainly exists when the form of ``here`` is loaded."""
    named = {project.meanings.package(one, here.name) for one in here.form.sources()}
    if package in named | {project.meanings.package(one, one) for one in here.form.nicknames().values()}:
        return
    order = LoadOrder(project)
    shown = own_name(package, project.index.upcase)
    if (there := defined_package(project, package)) is not None:
        if not order.is_before(there.place, here.place):
            raise RefactorError(
                f"the definition of {here.shown} may be loaded before that of {shown}, in {there.file.path}"
            )
        return
    system = order.system_of_package(package)
    systems = order.systems_of(here.file.path)
    if system is None:
        files = [path for (path,) in project.index.rows(sql.PACKAGE_FILES, package=package)]
        if not any(_CONTRIB in path for path in files):
            return  # one of SBCL's own
        raise RefactorError(f"{shown} is in a module of SBCL that might not be loaded before {here.shown}")
    if not systems or not all(system == one or system in order.needed(one) for one in systems):
        raise RefactorError(
            f"{here.file.path} might be loaded without {system}, which has the package {shown}"
        )


def refuse_unless_symbol_there(
    project: ProjectTexts, here: DefinedPackage, package: str, name: str, number: int | None
) -> None:
    """Raise RefactorError unless a package certainly has a symbol when the form of ``here`` is loaded.

    A package of the project has those that its form names, and those that text before ``here`` is read as.
    """
    there = defined_package(project, package)
    if there is None:
        return
    form = there.form
    named = form.exports() | form.others() | {one for one, _ in (*form.imports(), *form.shadowing_imports())}
    if name in named:
        return
    order = LoadOrder(project)
    for one in project.sources():
        for each in one.symbols_named(name):
            found = project.meanings.symbol(each.token, each.package)
            is_it = found is not None and found.number == number and one.is_read(each.start)
            if is_it and order.is_before((one.path, each.start), here.place):
                return
    shown = own_name(name, project.index.upcase)
    raise RefactorError(
        f"{there.shown} might not have {shown} yet when the definition of {here.shown} is loaded"
    )
