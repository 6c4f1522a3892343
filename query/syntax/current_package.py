"""The package that a toplevel form is read in."""

from __future__ import annotations

from .names.designators import designated
from .names.meanings import LISP, Meanings
from .nodes import Atom, Form, Toplevel
from .tokens import SymbolToken, Tokens

_USER, _SYSTEM_USER = "COMMON-LISP-USER", "ASDF-USER"
_ENTERING = "IN-PACKAGE"


def first_package(path: str) -> str:
    """Return the package that a file is read in until it says otherwise."""
    return _SYSTEM_USER if path.endswith(".asd") else _USER


def package_after(toplevel: Toplevel, package: str, meanings: Meanings, tokens: Tokens) -> str:
    """Return the package that forms after this one are read in: another if it is an IN-PACKAGE.

    A package that the index does not know has the name that the form says.
    """
    node = toplevel.node
    if isinstance(node, Form) and node.kind == "(" and len(node.items) > 1:
        head = node.items[0]
        token = tokens.symbol(head.text) if isinstance(head, Atom) else None
        if token is not None and _enters(token, package, meanings):
            name = designated(node.items[1], tokens)
            if name is not None:
                return meanings.package(name, package) or name
    return package


def _enters(token: SymbolToken, package: str, meanings: Meanings) -> bool:
    """Return whether an operator is CL:IN-PACKAGE: the symbol, or its name where the package is not known."""
    if token.name != _ENTERING:
        return False
    symbol = meanings.symbol(token, package)
    if symbol is None:
        return meanings.package(package, package) is None
    return (symbol.package, symbol.name) == (LISP, _ENTERING)
