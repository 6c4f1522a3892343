"""The form that defines a package, and the files of its project that are read in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ....edit.changes import Edit
from ....edit.forms.packages import PackageForm
from ....index.written import own_name
from ....syntax.lexemes import lexemes
from ....syntax.nodes import Atom, forms_in
from ....syntax.tokens import SymbolToken
from ...documents.edited import Document
from ...indexed import sql
from ..asked import Asked

_DEFINING = frozenset(("DEFPACKAGE", "DEFINE-PACKAGE"))


class DefinedPackage(NamedTuple):
    """A package, and the form that defines it in a document as it is now."""

    name: str
    document: Document
    form: PackageForm


def defined_package(asked: Asked, package: str) -> DefinedPackage | None:
    """The package of that exact name with its form, if it stands in the project; None if it does not."""
    documents = [asked.document, *(one for one in asked.documents if asked.project.holds(one.path))]
    rows = asked.project.index.rows(sql.PACKAGE_FILES, package=package)
    for path in (asked.project.path_of(row[0]) for row in rows):
        if (document := asked.documents.at(path)) is not None:
            documents.append(document)
    for document in dict.fromkeys(documents):
        for form in package_forms(asked, document):
            if form.name == package:
                return DefinedPackage(package, document, form)
    return None


def package_forms(asked: Asked, document: Document) -> Iterator[PackageForm]:
    """Yield the forms that define packages in a document."""
    reader, index = asked.reader, asked.project.index
    for chunk in document.chunks(reader):
        tokens = document.tokens_of(reader, chunk)
        for form in forms_in(chunk.toplevel.node):
            head = form.items[0] if form.kind == "(" and len(form.items) > 1 else None
            token = tokens.symbol(head.text) if isinstance(head, Atom) else None
            if token is not None and token.name in _DEFINING and chunk.toplevel.whole:
                yield PackageForm(
                    document.text, chunk.start, form, tokens, lambda name: own_name(name, index.upcase)
                )


def files_beside(asked: Asked, document: Document) -> list[Document] | None:
    """All documents of the project that a document belongs to, open or not; None if one cannot be read."""
    found = [document]
    for path in asked.project.files_beside(document.path):
        one = asked.documents.at(path)
        if one is None:
            return None
        found.append(one)
    found += [one for one in asked.documents if asked.project.holds(one.path)]
    return [*dict.fromkeys(found)]


def tokens_named(asked: Asked, document: Document, name: str) -> Iterator[tuple[str, SymbolToken, int, int]]:
    """Yield the tokens of a document that name a symbol ``name``, with the package that they are read in.

    Each with its extent. Comments and strings have none.
    """
    reader, folded = asked.reader, asked.project.index.fold(name)
    if folded not in asked.project.index.fold(document.text):
        return
    for chunk in document.chunks(reader):
        text = document.text[chunk.start : chunk.end]
        if folded not in asked.project.index.fold(text):
            continue
        package, tokens = document.package_of(reader, chunk), document.tokens_of(reader, chunk)
        for kind, piece, start in lexemes(text):
            token = tokens.symbol(piece) if kind == "symbol" else None
            if token is not None and token.name == name:
                yield package, token, chunk.start + start, chunk.start + start + len(piece)


def rewritten(
    asked: Asked, documents: list[Document], package: str, name: str, prefixes: set[str | None], new: str
) -> dict[Document, list[Edit]]:
    """What writes ``new`` for a name in all text that is read in a package, where a prefix is among some."""
    found: dict[Document, list[Edit]] = {}
    meanings = asked.reader.meanings
    for document in documents:
        for within, token, start, end in tokens_named(asked, document, name):
            if (meanings.package(within, within) or within) != package:
                continue
            if token.package in prefixes and document.text[start:end] != new:
                found.setdefault(document, []).append(Edit(start, end, new))
    return found
