"""Imports and exports that no text of the project needs."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...index.finding.resolve import find_symbol
from ...index.written import own_name
from ...syntax.names.meanings import NamedSymbol
from ...syntax.nodes import forms_in
from ...syntax.tokens import KEYWORD, SymbolToken
from ..errors import RefactorError
from ..plan import EditPlan, ExpectedFact, PlannedPlace
from ..project.prose import prose_names
from ..project.texts import ProjectText, ProjectTexts, ReadSymbol
from . import sql
from .defined import DefinedPackage, defined_package
from .imports import takers
from .planned import PackageEdits, strings_in


def without_unused(
    project: ProjectTexts, here: DefinedPackage, names: Sequence[str] = (), *, exports: bool = False
) -> EditPlan:
    """The plan of dropping what nothing needs: imports, and exports if they are asked for.

    ``names`` are exports, or imports, of which each must be unused. Other projects may need an export, which
    is unknown here. Raises RefactorError.
    """
    if names:
        imported, exported = _named(project, here, names)
    else:
        imported = unused_imports(project, here)
        wanted = sorted(here.form.exports()) if exports else []
        exported = [one for one in wanted if export_use(project, here, one) is None]
        if not imported and not exported:
            raise RefactorError(f"the definition of {here.shown} has nothing unused")
    edits = PackageEdits(project, here)
    sources = dict(here.form.imports())
    for name in imported:
        symbol = _symbol(project, project.meanings.package(sources[name], here.name) or "", name)
        edits.gone.append(ExpectedFact.use("imports", symbol.package, name))
    if imported:
        edits.of_form(here.form.not_importing(*imported), "what it imports")
    for name in exported:
        symbol = _symbol(project, here.name, name)
        edits.gone.append(ExpectedFact.use("exports", symbol.package, name))
        edits.gone.append(ExpectedFact("export", (here.name, name)))
    if exported:
        edits.of_form(here.form.not_exporting(*exported), "what it exports")
        _leave_exporting(edits)
    return edits.plan(f"the definition of {here.shown}")


def _named(project: ProjectTexts, here: DefinedPackage, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Some names as imports and exports. Raises RefactorError if one is neither, or is used."""
    imported, exported = [], []
    unused = [*unused_imports(project, here)]
    for text in dict.fromkeys(names):
        token = project.tokens.symbol(text) if text else None
        name = token.name if token is not None and token.package is None else ""
        if name in here.form.exports():
            use = export_use(project, here, name)
            if use is not None:
                raise RefactorError(f"{text} is used: {use.path}:{use.line}:{use.column}: {use.text}")
            exported.append(name)
        elif name in unused:
            imported.append(name)
        elif name in dict(here.form.imports()):
            raise RefactorError(f"{text}, which {here.shown} imports, is used")
        else:
            raise RefactorError(f"the definition of {here.shown} neither exports nor imports {text}")
    return imported, exported


def _symbol(project: ProjectTexts, package: str, name: str) -> NamedSymbol:
    """The symbol that a package has under a name. Raises RefactorError if the index has none."""
    symbol = project.meanings.symbol(SymbolToken(package, 2, name), package)
    if symbol is None:
        shown = own_name(name, project.index.upcase)
        raise RefactorError(f"the index does not have {shown}: build the index again")
    return symbol


def _leave_exporting(edits: PackageEdits) -> None:
    """Note the calls that may export what no text names: a literal symbol there is a use of the export."""
    for one, each in edits.calls("EXPORT"):
        form = one.toplevel_at(each.start)
        calls = forms_in(form.toplevel.node) if form is not None else ()
        names = [call.items[1] for call in calls if len(call.items) > 1 and call.items[0].start == each.start]
        is_literal = bool(names) and names[0].kind == "'"
        if not is_literal or any(part.kind == "," for part in forms_in(names[0])):
            edits.leave(one, each.start, "it may export names")


# Imports


def unused_imports(project: ProjectTexts, here: DefinedPackage) -> list[str]:
    """The names that a package imports and that nothing names in it, or through it."""
    kept = here.form.exports() | here.form.others()
    candidates = {name for name, _ in here.form.imports()} - kept
    in_strings = _in_strings(project, candidates)
    return [
        name
        for name in sorted(candidates - in_strings)
        if not is_exported(project, here.name, name)
        and not takers(project, here.name, name)
        and not any(_names_it(project, here, one, each) for one, each in _all_named(project, name))
    ]


def is_exported(project: ProjectTexts, package: str, name: str) -> bool:
    """Whether the index has a name as one that a package exports."""
    number = project.index.package_numbers.get(package)
    found = find_symbol(project.index, number, name) if number is not None else None
    return found is not None and found.status == "external"


def _names_it(project: ProjectTexts, here: DefinedPackage, one: ProjectText, each: ReadSymbol) -> bool:
    """Whether a token names what a package has under its name; a package that is not known may be it."""
    prefix = each.token.package
    if prefix is None:
        return each.package == here.name
    if prefix == KEYWORD:
        # ASDF finds the class of a component by a keyword of its name.
        return one.path.endswith(".asd") and each.package == here.name
    return project.meanings.package(prefix, each.package) in (here.name, None)


def _all_named(project: ProjectTexts, name: str) -> list[tuple[ProjectText, ReadSymbol]]:
    return [(one, each) for one in project.sources() for each in one.symbols_named(name)]


def _in_strings(project: ProjectTexts, names: Collection[str]) -> set[str]:
    """The names that are the whole of a string somewhere: something may make symbols of them."""
    return {name for name in names if next(strings_in(project, frozenset((name,))), None) is not None}


# Exports


def export_use(project: ProjectTexts, here: DefinedPackage, name: str) -> PlannedPlace | None:
    """A place in the project that needs a name to be exported; None if there is none."""
    for one, start in strings_in(project, frozenset((name,))):
        if one is not here.file or not here.form.start <= start < here.form.end:
            return one.place(start)
    for one, each in _all_named(project, name):
        if _needs_export(here, one, each):
            return one.place(each.start)
    if takers(project, here.name, name):
        return here.file.place(here.form.start)
    if (other := _exported_again(project, here, name)) is not None:
        there = defined_package(project, other) or here
        return there.file.place(there.form.start)
    for one in project.documents():
        for start, _ in prose_names(one, name) if one.has(name) else ():
            return one.place(start)
    return None


def _exported_again(project: ProjectTexts, here: DefinedPackage, name: str) -> str | None:
    """Another package that exports the same symbol, which it may have from what this one exports."""
    symbol = project.meanings.designated(name, here.name)
    rows = project.index.rows(sql.EXPORTERS, symbol=symbol.number) if symbol is not None else []
    home = symbol.package if symbol is not None else None
    return next((other for (other,) in rows if other not in (here.name, home)), None)


def _needs_export(here: DefinedPackage, one: ProjectText, each: ReadSymbol) -> bool:
    """Whether a token names what a package exports from outside of it, or exports it again."""
    meanings = one.project.meanings
    prefix, name = each.token.package, each.token.name
    if prefix == KEYWORD:
        return False
    if prefix is not None:
        package = meanings.package(prefix, each.package)
        return package is None or (package == here.name and each.token.colons == 1)
    exported = meanings.designated(name, here.name)
    if each.package == here.name:
        within = one is here.file and here.form.start <= each.start < here.form.end
        return not within and _is_exporting(one, each.start)
    if meanings.package(each.package, each.package) is None:
        return True  # a package that is not known may use it
    found = meanings.symbol(each.token, each.package)
    uses = (here.name,) in one.project.index.rows(sql.USED, package=each.package)
    return uses and found is not None and exported is not None and found.number == exported.number


def _is_exporting(one: ProjectText, start: int) -> bool:
    """Whether a call exports what is named at an offset."""
    form = one.form_at(start)
    return form is not None and any(
        each.start == start and each.relation == "exports" for each in form.walked.occurrences
    )
