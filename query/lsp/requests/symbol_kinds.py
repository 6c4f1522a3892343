"""The symbol kinds of the protocol, for kinds of definitions and for defining macros."""

from __future__ import annotations

from lsprotocol.types import SymbolKind

from ...index.kinds import DEFINED_BY, KINDS

# Macros that are not the standard's, or whose names are strings.
_OTHERS = {
    "DEFPACKAGE": SymbolKind.Package,
    "DEFINE-PACKAGE": SymbolKind.Package,
    "DEFSYSTEM": SymbolKind.Module,
}


def of_kind(kind: str) -> SymbolKind:
    """The symbol kind of a kind of definitions; that of an object for kinds of SBCL's own."""
    known = KINDS.get(kind)
    return SymbolKind(known.lsp) if known is not None and known.lsp is not None else SymbolKind.Object


def of_macro(operator: str) -> SymbolKind:
    """The symbol kind of what a macro of this name defines; an unknown one defines a function, as a rule."""
    name = operator.upper()
    kind = DEFINED_BY.get(name)
    return of_kind(kind) if kind is not None else _OTHERS.get(name, SymbolKind.Function)
