"""Quick fixes that do more than correct a name: imports, exports, systems, duplicates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from lsprotocol.types import CodeAction, CodeActionKind, Diagnostic

from ....edit.changes import Edit
from ....edit.forms.documenting import documented
from ....edit.forms.packages import PackageForm
from ....index.written import own_name, typed_name
from ....refactor.packages.nicknames import likely_nickname
from ....syntax.names.designators import designated
from ....syntax.nodes import Atom
from ....syntax.tokens import KEYWORD, SymbolToken
from ...documents.edited import Document
from ...indexed import sql
from ..asked import Asked
from ..outline import DefiningForm, outlined_forms
from ..project_texts import project_texts
from .changed import workspace_edit
from .package_files import PackageDocument, forms_of_packages, package_document
from .systems import depending

_Fix = tuple[str, Mapping[Document, list[Edit]]]
_MOST_EXPORTERS = 3


def fixes_of(asked: Asked, found: Iterable[Diagnostic]) -> Iterator[CodeAction]:
    """Yield the fixes of the diagnostics that a client shows."""
    for one in found:
        fixes = _FIXES.get(str(one.code))
        if fixes is None:
            continue
        start, end = (asked.document.lines.offset(at) for at in (one.range.start, one.range.end))
        for title, edits in fixes(asked, start, end):
            yield CodeAction(
                title, kind=CodeActionKind.QuickFix, diagnostics=[one], edit=workspace_edit(edits)
            )


def _token(asked: Asked, start: int, end: int) -> SymbolToken | None:
    text = asked.document.text[start:end]
    return asked.document.tokens_at(asked.reader, start).symbol(text) if text else None


def _package_here(asked: Asked, start: int) -> str | None:
    within = asked.document.package_at(asked.reader, start)
    return asked.reader.meanings.package(within, within) or within


# A name that other packages export


def _brought(asked: Asked, start: int, end: int) -> Iterator[_Fix]:
    token, within = _token(asked, start, end), _package_here(asked, start)
    if token is None or token.package is not None or within is None:
        return
    here = package_document(asked, within)
    rows = asked.project.index.rows(sql.EXPORTERS_OF, name=token.name, limit=_MOST_EXPORTERS)
    for number, (package, _) in enumerate(rows):
        if package != within:
            yield from _from_package(asked, here, package, token.name, (start, end), first=not number)


def _from_package(
    asked: Asked,
    here: PackageDocument | None,
    package: str,
    name: str,
    extent: tuple[int, int],
    *,
    first: bool,
) -> Iterator[_Fix]:
    """Import a name from a package that exports it, or write it with the package; or use the first one."""
    upcase = asked.project.index.upcase
    shown, written = own_name(package, upcase), own_name(name, upcase)
    nicknames = here.form.nicknames() if here is not None else {}
    known = next((nick for nick, target in nicknames.items() if target == package), None)
    if here is not None and (edit := here.form.importing(name, package)) is not None:
        yield f"Import {written} from {shown}", {here.document: [edit]}
    typed = typed_name(name, known or package, upcase, external=True)
    yield f"Write {typed}", {asked.document: [Edit(*extent, typed)]}
    if here is None or not first:
        return
    index, meanings = asked.project.index, asked.reader.meanings
    nickname = likely_nickname(index, meanings, here.name, here.form, package)
    if known is None and nickname is not None:
        typed = typed_name(name, nickname, upcase, external=True)
        edits = {here.document: [here.form.nicknaming(nickname, package)]}
        edits.setdefault(asked.document, []).append(Edit(*extent, typed))
        yield f"Write {typed}, with a local nickname for {shown}", edits
    if not asked.project.index.rows(sql.CONFLICTS, package=package, within=here.name):
        yield f"Use the package {shown}", {here.document: [here.form.using(package)]}


# Names of other packages


def _exported(asked: Asked, start: int, end: int) -> Iterator[_Fix]:
    token, within = _token(asked, start, end), _package_here(asked, start)
    if token is None or token.package in (None, KEYWORD) or within is None:
        return
    package = asked.reader.meanings.package(token.package or within, within)
    home = package_document(asked, package) if package is not None else None
    edit = home.form.exporting(token.name) if home is not None else None
    if home is not None and edit is not None:
        written, shown = (own_name(one, asked.project.index.upcase) for one in (token.name, home.name))
        yield f"Export {written} from {shown}", {home.document: [edit]}


def _depended(asked: Asked, start: int, end: int) -> Iterator[_Fix]:
    token = _token(asked, start, end)
    if token is None or token.package in (None, KEYWORD):
        return
    system = (token.package or "").lower()
    for name, document, edit in depending(asked, system):
        yield f"Make the system {name} depend on {system}", {document: [edit]}


# Exports


def _not_exported(asked: Asked, start: int, end: int) -> Iterator[_Fix]:
    name, form = _exported_at(asked, start, end)
    edits = form.not_exporting(name) if form is not None and name is not None else []
    if name is not None and edits:
        yield f"Stop exporting {own_name(name, asked.project.index.upcase)}", {asked.document: edits}


def _documented(asked: Asked, start: int, end: int) -> Iterator[_Fix]:
    """Document what a package exports, where it is defined."""
    name, form = _exported_at(asked, start, end)
    for document in _documents_with(asked, name) if form is not None and name is not None else ():
        for chunk in document.chunks(asked.reader):
            tokens, text = document.tokens_of(asked.reader, chunk), document.text[chunk.start : chunk.end]
            package = document.package_of(asked.reader, chunk)
            if form is None or package != form.name:
                continue
            for one in outlined_forms(chunk, asked.reader, package):
                token = tokens.symbol(one.name.text)
                named = token is not None and token.name == name and not one.setf
                edit = documented(text, one.form, one.operator, tokens, asked.reader.features)
                if named and one.operator != "defmethod" and edit is not None:
                    yield f"Document {one.name.text}", {document: [edit.moved(chunk.start)]}
                    return


def _documents_with(asked: Asked, name: str) -> Iterator[Document]:
    """Yield the documents of the project that have a name, open or not, first the one that is asked about."""
    texts = project_texts(asked)
    yield asked.document
    for one in texts.sources() if texts is not None else ():
        document = asked.documents.at(one.path) if one.has(name) else None
        if document is not None and document is not asked.document:
            yield document


def _exported_at(asked: Asked, start: int, end: int) -> tuple[str | None, PackageForm | None]:
    """The name that is written in the form of a package, and the form."""
    form = next(
        (one for one in forms_of_packages(asked, asked.document) if one.start < start < one.end), None
    )
    if form is None or start == end:
        return None, None
    atom = Atom(start, asked.document.text[start:end])
    return designated(atom, asked.document.tokens_at(asked.reader, start)), form


# Definitions


def _single(asked: Asked, start: int, _end: int) -> Iterator[_Fix]:
    """Remove one of two definitions of a name in a document."""
    found = [(one, extent) for one, extent in _definitions(asked) if extent[0] <= start < extent[1]]
    if len(found) != 1:
        return
    this, extent = found[0]
    yield "Remove this definition", {asked.document: [_removal(asked.document.text, extent)]}
    name = this.operator, this.name.text, this.setf
    same = [
        other
        for one, other in _definitions(asked)
        if other < extent and (one.operator, one.name.text, one.setf) == name
    ]
    if len(same) == 1:
        yield "Remove the earlier definition", {asked.document: [_removal(asked.document.text, same[0])]}


def _definitions(asked: Asked) -> Iterator[tuple[DefiningForm, tuple[int, int]]]:
    """Yield the definitions that are toplevel forms of a document, with their extents."""
    document, reader = asked.document, asked.reader
    for chunk in document.chunks(reader):
        for one in outlined_forms(chunk, reader, document.package_of(reader, chunk)):
            if one.form is chunk.toplevel.node:
                yield one, (chunk.start, chunk.end)


def _removal(text: str, extent: tuple[int, int]) -> Edit:
    """Remove a toplevel form with the line ends after it."""
    start, end = extent
    while end < len(text) and text[end] in " \t":
        end += 1
    while end < len(text) and text[end] in "\r\n":
        end += 1
    return Edit(start, end, "")


_FIXES: Mapping[str, Callable[[Asked, int, int], Iterator[_Fix]]] = {
    "undefined-function": _brought,
    "undefined-variable": _brought,
    "unknown-class": _brought,
    "not-external": _exported,
    "missing-system": _depended,
    "unknown-package": _depended,
    "duplicate-definition": _single,
    "unused-export": _not_exported,
    "undocumented-export": _documented,
}
