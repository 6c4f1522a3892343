"""Actions on the name at a place: export it, import it, write its package before it, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lsprotocol.types import CodeAction, CodeActionKind

from ....edit.changes import Edit
from ....index.written import own_name, typed_name
from ....refactor.errors import RefactorError
from ....refactor.packages.defined import DefinedPackage, defined_package, package_to_edit
from ....refactor.packages.imports import imported, qualified
from ....refactor.packages.nicknames import likely_nickname, nicknamed, without_nickname
from ....refactor.packages.unused import export_use, is_exported
from ....refactor.plan import EditPlan
from ....refactor.project.texts import ProjectTexts
from ....syntax.tokens import KEYWORD, SymbolToken
from ..asked import Asked
from ..pointed import Global, pointed
from ..project_texts import edit_of, project_texts


def name_actions(asked: Asked, start: int, end: int) -> Iterator[CodeAction]:
    """Yield the actions on the symbol at the start of an extent."""
    at = pointed(asked, start)
    texts = project_texts(asked)
    if texts is None or not isinstance(at, Global) or at.symbol.package is None:
        return
    tokens = asked.document.tokens_at(asked.reader, at.start)
    token = tokens.symbol(asked.document.text[at.start : at.end])
    within = asked.document.package_at(asked.reader, at.start)
    package = asked.reader.meanings.package(within, within)
    if token is None or token.package == KEYWORD or package is None:
        return
    if (home := defined_package(texts, at.symbol.package)) is not None:
        yield from _exporting(asked, home, at.symbol.name)
    if package == at.symbol.package:
        return
    try:
        here = package_to_edit(texts, package)
    except RefactorError:
        return
    if token.package is not None:
        yield from _importing(asked, texts, here, token)
        yield from _nicknaming(asked, texts, here, token.package)
    else:
        yield from _prefixing(asked, texts, here, token.name)


def planned_action(asked: Asked, title: str, planned: Callable[[], EditPlan]) -> Iterator[CodeAction]:
    """Yield the action that carries out a plan; none if it is refused, or leaves places to be examined."""
    try:
        plan = planned()
        edit = edit_of(asked, plan.edits)
    except RefactorError:
        return
    if not plan.unplaced:
        yield CodeAction(title, kind=CodeActionKind.RefactorRewrite, edit=edit)


def _exporting(asked: Asked, home: DefinedPackage, name: str) -> Iterator[CodeAction]:
    project = home.file.project
    written = own_name(name, project.index.upcase)
    edit = home.form.exporting(name)
    if edit is not None:
        if not is_exported(project, home.name, name):  # by a form other than that of the package
            yield _of_form(asked, f"Export {written} from {home.shown}", home, [edit])
        return
    edits = home.form.not_exporting(name)
    if edits and export_use(project, home, name) is None:
        yield _of_form(asked, f"Stop exporting {written} from {home.shown}", home, edits)


def _of_form(asked: Asked, title: str, home: DefinedPackage, edits: list[Edit]) -> CodeAction:
    return CodeAction(
        title, kind=CodeActionKind.RefactorRewrite, edit=edit_of(asked, {home.file.path: edits})
    )


def _importing(
    asked: Asked, texts: ProjectTexts, here: DefinedPackage, token: SymbolToken
) -> Iterator[CodeAction]:
    """Import what is written with a package, and write it without."""
    upcase, package = texts.index.upcase, token.package or ""
    source = texts.meanings.package(package, here.name)
    typed = typed_name(token.name, package, upcase, external=token.colons == 1)
    written = own_name(token.name, upcase)
    is_there = texts.meanings.symbol(SymbolToken(None, 0, token.name), here.name) is not None
    title = f"Import {written} from {own_name(source or package, upcase)}"
    if is_there:
        title = f"Write {written} without its package"
    yield from planned_action(asked, title, lambda: imported(texts, here, [typed]))


def _nicknaming(asked: Asked, texts: ProjectTexts, here: DefinedPackage, prefix: str) -> Iterator[CodeAction]:
    """Write a local nickname before the names of a package, or the package instead of it."""
    upcase = texts.index.upcase
    package = texts.meanings.package(prefix, here.name)
    if package is None:
        return
    shown, written = own_name(package, upcase), own_name(prefix, upcase)
    if prefix in here.form.nicknames():
        title = f"Write {shown} instead of its local nickname"
        yield from planned_action(asked, title, lambda: without_nickname(texts, here, written))
    elif (
        nickname := likely_nickname(texts.index, texts.meanings, here.name, here.form, package)
    ) is not None:
        title = f"Write {own_name(nickname, upcase)}, a local nickname, instead of {shown}"
        nick = own_name(nickname, upcase)
        yield from planned_action(asked, title, lambda: nicknamed(texts, here, nick, package))


def _prefixing(asked: Asked, texts: ProjectTexts, here: DefinedPackage, name: str) -> Iterator[CodeAction]:
    """Write imported names with their package, and stop importing them."""
    upcase = texts.index.upcase
    try:
        plan = qualified(texts, here, [own_name(name, upcase)])
    except RefactorError:
        return
    new = next((edit.new for path, edit in _edits(plan) if not _is_in_form(here, path, edit)), None)
    if new is not None:
        yield from planned_action(asked, f"Write {new.lower()} instead of importing it", lambda: plan)


def _edits(plan: EditPlan) -> Iterator[tuple[str, Edit]]:
    for path, edits in plan.edits.items():
        for edit in edits:
            yield path, edit


def _is_in_form(here: DefinedPackage, path: str, edit: Edit) -> bool:
    return path == here.file.path and here.form.start <= edit.start < here.form.end
