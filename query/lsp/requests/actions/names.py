"""Actions on the name at a place: export it, import it, write its package before it, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lsprotocol.types import CodeAction, CodeActionKind

from oblist.indexer.names import split_package

from ....edit.changes import Edit
from ....index.finding.resolve import find_package
from ....index.written import own_name, typed_name
from ....syntax.tokens import KEYWORD, SymbolToken
from ...documents.edited import Document
from ...indexed import sql
from ..asked import Asked
from ..pointed import Global, pointed
from .changed import workspace_edit
from .package_files import DefinedPackage, defined_package, files_beside, rewritten, tokens_named


def name_actions(asked: Asked, start: int, end: int) -> Iterator[CodeAction]:
    """Yield the actions on the symbol at the start of an extent."""
    at = pointed(asked, start)
    if not isinstance(at, Global) or at.symbol.package is None:
        return
    tokens = asked.document.tokens_at(asked.reader, at.start)
    token = tokens.symbol(asked.document.text[at.start : at.end])
    within = asked.document.package_at(asked.reader, at.start)
    package = asked.reader.meanings.package(within, within)
    if token is None or token.package == KEYWORD or package is None:
        return
    if (home := defined_package(asked, at.symbol.package)) is not None:
        yield from _exporting(asked, home, at.symbol.name)
    here = defined_package(asked, package) if package != at.symbol.package else None
    if here is not None and token.package is not None:
        yield from _importing(asked, here, token)
    elif here is not None:
        yield from _prefixing(asked, here, token.name)


def _exporting(asked: Asked, home: DefinedPackage, name: str) -> Iterator[CodeAction]:
    written, package = (own_name(one, asked.project.index.upcase) for one in (name, home.name))
    edit = home.form.exporting(name)
    if edit is not None and _is_exported(asked, home.name, name):
        return  # by a form other than that of the package
    if edit is not None:
        yield _action(f"Export {written} from {package}", {home.document: [edit]})
        return
    edits = home.form.not_exporting(name)
    if edits and not _is_written_as_exported(asked, home, name):
        yield _action(f"Export {written} from {package} no more", {home.document: edits})


def _is_written_as_exported(asked: Asked, home: DefinedPackage, name: str) -> bool:
    """Whether the project has the name with one colon, or in a package that uses its package."""
    documents = files_beside(asked, home.document)
    if documents is None:
        return True
    meanings = asked.reader.meanings
    for document in documents:
        for within, token, _, _ in tokens_named(asked, document, name):
            if token.package is None:
                elsewhere = meanings.package(within, within) != home.name
                found = meanings.symbol(token, within) if elsewhere else None
                if found is not None and found.package == home.name:
                    return True
            elif token.colons == 1 and meanings.package(token.package, within) == home.name:
                return True
    return False


def _importing(asked: Asked, here: DefinedPackage, token: SymbolToken) -> Iterator[CodeAction]:
    """Import what is written with a package, and write it without."""
    index, meanings, name = asked.project.index, asked.reader.meanings, token.name
    source = meanings.package(token.package, here.name) if token.package is not None else None
    symbol = meanings.symbol(token, here.name)
    if source is None or symbol is None:
        return
    documents = files_beside(asked, here.document)
    if documents is None:
        return
    present = meanings.symbol(SymbolToken(None, 0, name), here.name)
    edits: dict[Document, list[Edit]] = {}
    if present is None:
        if any(
            one.package is None and meanings.package(within, within) == here.name
            for document in documents
            for within, one, _, _ in tokens_named(asked, document, name)
        ):
            return  # it would become another symbol
        edit = here.form.importing(name, source)
        if edit is None:
            return
        edits[here.document] = [edit]
    elif (present.package, present.name) != (symbol.package, symbol.name):
        return
    written = own_name(name, index.upcase)
    prefixes = _prefixes(asked, here, source)
    for document, made in rewritten(asked, documents, here.name, name, prefixes, written).items():
        edits.setdefault(document, []).extend(made)
    shown = own_name(source, index.upcase)
    title = f"Import {written} from {shown}" if present is None else f"Write {written} without its package"
    yield _action(title, edits)


def _prefixes(asked: Asked, here: DefinedPackage, package: str) -> set[str | None]:
    """The names by which text in a package may name another: its own and its nicknames."""
    index = asked.project.index
    names: set[str | None] = {package}
    found = find_package(index, split_package(package, index.upcase))
    answer = index.package(own_name(package, index.upcase)) if found is not None else None
    names.update(getattr(answer, "nicknames", ()))
    names.update(nick for nick, target in here.form.nicknames().items() if target == package)
    return names


def _prefixing(asked: Asked, here: DefinedPackage, name: str) -> Iterator[CodeAction]:
    """Write the package before what is imported, and import it no more."""
    index = asked.project.index
    source = dict(here.form.imports()).get(name)
    if source is None or name in here.form.exports():
        return
    source = asked.reader.meanings.package(source, here.name)
    documents, edits = files_beside(asked, here.document), here.form.not_importing(name)
    if source is None or documents is None or not edits:
        return
    nickname = next((nick for nick, target in here.form.nicknames().items() if target == source), source)
    external = _is_exported(asked, source, name)
    written = typed_name(name, nickname, index.upcase, external=external)
    made: dict[Document, list[Edit]] = {here.document: [*edits]}
    for document, more in rewritten(asked, documents, here.name, name, {None}, written).items():
        made.setdefault(document, []).extend(more)
    yield _action(f"Write {written} instead of importing it", made)


def _is_exported(asked: Asked, package: str, name: str) -> bool:
    """Whether a package of the index exports a name."""
    index = asked.project.index
    rows = index.rows(sql.EXPORTED_NAMES, package=index.package_numbers.get(package))
    return any(name == one for (one,) in rows)


def _action(title: str, edits: Mapping[Document, list[Edit]]) -> CodeAction:
    return CodeAction(title, kind=CodeActionKind.RefactorRewrite, edit=workspace_edit(edits))
