"""Which operators in a text are the standard's: by symbol, since a package may have another of that name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from oblist.indexer.names import Token

from ...index.finding.resolve import find_package, find_symbol
from ...index.reading import Reading
from ...syntax.nodes import Atom, Form, Node
from ...syntax.tokens import SymbolToken, Tokens
from .declarations import DeclaredPackage

LISP = "COMMON-LISP"
_LISP_NAMES = (LISP, "CL")
_MOST_NESTED = 50
# The operators of the standard that matter before packages and definitions are known.
STANDARD = frozenset(
    {
        *("IN-PACKAGE", "DEFPACKAGE", "MAKE-PACKAGE"),
        *("EXPORT", "IMPORT", "USE-PACKAGE", "SHADOW", "SHADOWING-IMPORT", "INTERN"),
        *("PROGN", "EVAL-WHEN", "LOCALLY", "LET", "LET*", "FLET", "LABELS", "MACROLET", "SYMBOL-MACROLET"),
    }
)

Operator = Callable[[Node], str]
"""Returns the name of the symbol that heads a list, as ``operator_text`` does, in the current package."""


def operator_text(node: Node, tokens: Tokens) -> str:
    """The name of the symbol that heads a list, whatever its package; empty for any other node."""
    token = operator_token(node, tokens)
    return token.name if token is not None else ""


def operator_token(node: Node, tokens: Tokens) -> SymbolToken | None:
    """The symbol that heads a list; None for any other node."""
    if isinstance(node, Atom) or node.kind != "(" or not node.items or isinstance(node.items[0], Form):
        return None
    return tokens.symbol(node.items[0].text)


def may_hide(package: DeclaredPackage) -> bool:
    """Whether a package may have other symbols with names in STANDARD."""
    hidden = not STANDARD.isdisjoint((*package.shadows, *package.imports))
    return package.complete and (hidden or set(package.uses).isdisjoint(_LISP_NAMES))


class StandardNames:
    """Tells the standard's symbols from others of the same name before all packages are known.

    ``declared`` are the packages that forms define; the index knows others.
    """

    def __init__(self, index: Reading, declared: Mapping[str, DeclaredPackage]) -> None:
        self._index = index
        self._declared = declared
        self._indexed: dict[tuple[str, str, str], bool | None] = {}

    def operator(self, node: Node, package: str, tokens: Tokens) -> str:
        """Do as ``operator_text``, but return nothing for a symbol that only has a name in STANDARD."""
        token = operator_token(node, tokens)
        if token is None or (token.name in STANDARD and not self._is_standard(token, package)):
            return ""
        return token.name

    def _is_standard(self, token: SymbolToken, package: str) -> bool:
        """Whether a token in a package reads as the standard's symbol; true if that is not known."""
        home = token.package or package
        within = self._declared.get(package)
        if token.package is not None and within is not None:
            home = within.local_nicknames.get(home, home)
        return home in _LISP_NAMES or self._has(home, token.name, package) is not False

    def _has(self, home: str, name: str, package: str, depth: int = 0) -> bool | None:
        """Whether the standard's symbol is accessible in the package ``home``; None if that is not known."""
        declared = self._declared.get(home)
        if declared is None or not declared.complete or declared.computed or depth > _MOST_NESTED:
            key = home, name, package
            if key not in self._indexed:
                self._indexed[key] = self._has_indexed(home, name, package, external=depth > 0)
            return self._indexed[key]
        if name in declared.shadows:
            return False
        if (source := declared.imports.get(name)) is not None:
            return source in _LISP_NAMES or self._has(source, name, home, depth + 1)
        if not set(declared.uses).isdisjoint(_LISP_NAMES):
            return True
        found = [self._gives(used, name, home, depth + 1) for used in declared.uses]
        return True if True in found else None if None in found else False

    def _gives(self, used: str, name: str, package: str, depth: int) -> bool | None:
        """Whether a used package exports the standard's symbol."""
        declared = self._declared.get(used)
        if declared is not None and declared.complete and name not in declared.exports:
            return None if declared.copied or declared.computed else False
        return self._has(used, name, package, depth)

    def _has_indexed(self, home: str, name: str, package: str, *, external: bool) -> bool | None:
        current = self._index.package_numbers.get(package)
        known = find_package(self._index, Token(home, home, quoted=True), current)
        if known is None:
            return None
        found = find_symbol(self._index, known.id, name)
        if found is None or found.home is None or (external and found.status != "external"):
            return False
        return self._index.package_names[found.home] == LISP
