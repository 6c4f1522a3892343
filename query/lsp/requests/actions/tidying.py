"""Actions on the form of a package: sort it, drop unused imports, import names instead of using a package."""

from __future__ import annotations

import os
from collections.abc import Iterator

from lsprotocol.types import CodeAction, CodeActionKind

from ....index.written import own_name
from ....refactor.packages.defined import DefinedPackage, package_forms, package_to_edit
from ....refactor.packages.unused import unused_imports
from ....refactor.packages.uses import expanded_use
from ..asked import Asked
from ..project_texts import edit_of, marks_before, project_texts
from .names import planned_action

_TITLE = "Sort the names of the package, and drop unused imports"


def tidied_package(asked: Asked, start: int, _end: int) -> Iterator[CodeAction]:
    """Yield the action that sorts the form of a package around a place."""
    for here in _around(asked, start):
        if edits := here.form.sorting(unused_imports(here.file.project, here)):
            edit = edit_of(asked, {here.file.path: edits})
            yield CodeAction(_TITLE, kind=CodeActionKind.SourceOrganizeImports, edit=edit)


def expanded_package(asked: Asked, start: int, _end: int) -> Iterator[CodeAction]:
    """Yield the action that imports names of a package that is used at a place."""
    for here in _around(asked, start):
        name = here.form.used_at(start - marks_before(asked.document))
        package = here.file.project.meanings.package(name, here.name) if name is not None else None
        if package is not None:
            yield from _expanding(asked, here, package)


def _expanding(asked: Asked, here: DefinedPackage, package: str) -> Iterator[CodeAction]:
    texts = here.file.project
    title = f"Import only the names that are used from {own_name(package, texts.index.upcase)}"
    yield from planned_action(
        asked, title, lambda: expanded_use(texts, package_to_edit(texts, here.name), package)
    )


def _around(asked: Asked, start: int) -> Iterator[DefinedPackage]:
    """Yield the package whose form is around a place of the document."""
    texts = project_texts(asked)
    at = start - marks_before(asked.document)
    if texts is None:
        return
    one = texts.file(os.path.realpath(asked.document.path))
    for form in package_forms(one):
        if form.start <= at <= form.end and form.name is not None:
            yield DefinedPackage(form.name, one, form)
