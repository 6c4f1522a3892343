"""The plan of renaming a system: where it is defined, what depends on it, and the name of its file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from ...syntax.lexemes import lexemes
from ...syntax.names.designators import designated
from ...syntax.names.literals import string_value
from ...syntax.nodes import forms_in
from ...syntax.tokens import KEYWORD
from ..designating import designating
from ..errors import RefactorError
from ..gathered import GatheredEdits
from ..plan import EditPlan
from ..project.texts import ProjectText, ProjectTexts
from . import sql
from .package_places import is_system_definition, package_designators, system_names

_INFERRED = "package-inferred-system"


def renamed_system(project: ProjectTexts, old: str, new: str) -> EditPlan:
    """The plan of renaming a system of the project, and those that are named after it: ``name/tests``.

    A definition file that has the name of the system gets the new one. Raises RefactorError.
    """
    name, exact = _coerced(old), _coerced(new)
    path = _definition_file(project, name)
    _refuse_unless_free(project, name, exact)
    if project.file(path).has(_INFERRED):
        raise RefactorError(
            f"{path} defines a {_INFERRED}, whose packages are named after it: rename it by hand"
        )
    names = {name: exact}
    if "/" not in name:
        for other in _named_after(project, name):
            names[other] = f"{exact}/{other.removeprefix(f'{name}/')}"
    gathered = GatheredEdits(project)
    for one in project.sources():
        if one.has(name):
            _gather(gathered, one, names)
    plan = gathered.renaming(names)
    file = Path(path)
    if file.stem != name:
        return plan
    moved = file.with_name(f"{exact}{file.suffix}")
    if moved.exists():
        raise RefactorError(f"{moved} already exists")
    return replace(plan, moved={path: str(moved)})


def _coerced(text: str) -> str:
    """The name of a system as ASDF takes a designator: a string as it is, a symbol in lower case."""
    if text.startswith('"'):
        return string_value(text)
    return text.removeprefix("#").removeprefix(":").lower()


def _refuse_unless_free(project: ProjectTexts, name: str, new: str) -> None:
    token = project.tokens.symbol(new) if new and len([*lexemes(new)]) == 1 else None
    if token is None or token.package is not None or new != new.lower() or ("/" in name) != ("/" in new):
        like = "name/part" if "/" in name else "some-name"
        raise RefactorError(f"{new!r} cannot be the name of this system: use lower case, as in {like}")
    file, of = new.partition("/")[0], name.partition("/")[0]
    if "/" in new and file != of:
        raise RefactorError(f"ASDF would look for {new} in {file}.asd, but {name} is in {of}.asd")
    if project.index.rows(sql.SYSTEM_NAMED, name=new):
        raise RefactorError(f"{new} is already in use: the index has a system of that name")


def _named_after(project: ProjectTexts, name: str) -> Iterator[str]:
    """Yield the systems ``name/part`` that the project's definition files have."""
    for one in project.sources():
        for form in one.forms if one.path.lower().endswith(".asd") else ():
            for inner in forms_in(form.toplevel.node):
                if is_system_definition(inner, form):
                    found = designated(inner.items[1], form.tokens) or ""
                    found = found if inner.items[1].text.startswith('"') else found.lower()
                    if found.startswith(f"{name}/"):
                        yield found


def _definition_file(project: ProjectTexts, name: str) -> str:
    for (recorded,) in project.index.rows(sql.SYSTEM_FILE, name=name):
        path = project.index.local_path(recorded) or recorded
        if not project.is_inside(path):
            raise RefactorError(f"the system {name} is defined in {path}, outside {project.folder}")
        return path
    raise RefactorError(f"the index has no system {name} with a definition file")


def _gather(gathered: GatheredEdits, one: ProjectText, names: Mapping[str, str]) -> None:
    """Edit what names one of the systems, and tell what may."""
    places: set[int] = set()
    packages: set[int] = set()
    parameters = gathered.project.positional_parameters
    for walked in (*one.forms, *one.hidden_forms):
        for inner in forms_in(walked.toplevel.node):
            packages |= {atom.start for atom in package_designators(inner, walked, parameters)}
            places.update(system_names(inner, walked))
    is_file = one.path.lower().endswith(".asd")
    for piece, start, name in _designators(one, names):
        if start in packages:
            continue
        if not gathered.project.is_inside(one.path):
            gathered.tell(one, start, "a link to a file outside the project")
        elif start in places:
            form = one.form_at(start)
            new = names[name] if piece.startswith('"') else gathered.project.index.upcase(names[name])
            gathered.add(one, form, designating(one, form, start, piece, new))
        elif is_file or piece.startswith('"'):
            gathered.tell(one, start, "it has the name of the system, and may mean it")


def _designators(one: ProjectText, names: Mapping[str, str]) -> Iterator[tuple[str, int, str]]:
    """Yield what may designate one of some systems: strings, keywords and uninterned symbols."""
    for kind, piece, start in lexemes(one.text):
        if kind == "string":
            name = string_value(piece)
        elif kind == "uninterned":
            name = piece.removeprefix("#:").lower()
        else:
            token = one.tokens_in(one.form_at(start)).symbol(piece) if kind == "symbol" else None
            name = token.name.lower() if token is not None and token.package == KEYWORD else ""
        if name in names:
            yield piece, start, name
