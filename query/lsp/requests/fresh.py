"""Definitions that stand in open documents, whether or not the index has them yet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...index.kinds import DEFINED_BY
from ...syntax.buffer import Chunk
from ...syntax.names.meanings import Named, Symbol
from ...syntax.nodes import Atom, Form, Node
from ...syntax.tokens import SymbolToken
from ..documents.edited import Document, Reader
from ..indexed.places import Spot
from .asked import Asked


@dataclass(frozen=True, slots=True)
class DefiningForm:
    """A list that begins with the name of a defining macro; its places count from its toplevel form."""

    operator: str
    name: Atom
    form: Form
    setf: bool
    rest: tuple[Node, ...]
    """What follows the name."""


def defining_forms(chunk: Chunk) -> Iterator[DefiningForm]:
    """Yield the defining forms in a toplevel form, outer ones first."""
    for form in sorted(chunk.toplevel.definers, key=lambda one: one.start):
        if (one := defining_form(form)) is not None:
            yield one


def defining_form(form: Form) -> DefiningForm | None:
    """What a form defines whose operator is a defining macro; None if it has no name."""
    items = form.items
    if len(items) < 2 or not isinstance(items[0], Atom):
        return None
    name, setf = _named(items[1])
    if name is None:
        return None
    operator = items[0].text.rpartition(":")[2].lower()
    return DefiningForm(operator, name, form, setf, tuple(items[2:]))


def _named(node: Node) -> tuple[Atom | None, bool]:
    """The atom that names a definition, and whether it names a setf function."""
    setf = False
    while isinstance(node, Form):
        items = node.items
        if (
            node.kind == "("
            and len(items) > 1
            and isinstance(items[0], Atom)
            and items[0].text.lower() == "setf"
        ):
            node, setf = items[1], True
        elif items and node.kind in ("(", "'", "?"):
            node = items[0]
        else:
            return None, False
    return node, setf


def fresh_definitions(asked: Asked, symbol: Symbol, kinds: frozenset[str] | None = None) -> list[Spot]:
    """The forms in the open documents of the project that define a symbol, of some kinds or any."""
    found = []
    for document in asked.documents:
        if document is asked.document or asked.project.holds(document.path):
            for chunk, form in _defining(document, asked.reader, symbol):
                if kinds is not None and DEFINED_BY.get(form.operator.upper()) not in kinds:
                    continue
                start = chunk.start + form.name.start
                token = document.lines.range(start, start + len(form.name.text))
                whole = document.lines.range(chunk.start + form.form.start, chunk.start + form.form.end)
                found.append(Spot(document.uri, token, whole))
    return found


def _defining(document: Document, reader: Reader, symbol: Symbol) -> Iterator[tuple[Chunk, DefiningForm]]:
    for chunk in document.chunks(reader):
        for form in defining_forms(chunk):
            token = document.tokens_of(reader, chunk).symbol(form.name.text.removeprefix("#:"))
            if token is None or token.name != symbol.name:
                continue
            named = named_by(reader, token, document.package_of(reader, chunk))
            if (named.package, named.name) == (symbol.package, symbol.name):
                yield chunk, form


def named_by(reader: Reader, token: SymbolToken, package: str) -> Named:
    """The symbol that a token names in a package; one without a number if the index does not have it."""
    named = reader.meanings.symbol(token, package)
    if named is not None:
        return named
    prefix = reader.meanings.package(token.package, package) if token.package is not None else package
    return Named(prefix or token.package, token.name, None)
