"""What names mean in a project: as the index says, and in packages that only its text has.

The systems of tests are seldom loaded when an index is built, but their text uses the project's symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

from ...edit.forms.packages import PackageForm
from ...index.finding.resolve import find_symbol
from ...index.meanings import IndexMeanings
from ...syntax.names.meanings import NamedSymbol, Symbol, SymbolFacts
from ...syntax.tokens import SymbolToken


class ProjectMeanings:
    """Answers about symbols and packages; ``read`` finds the forms that define packages, by their names."""

    def __init__(self, indexed: IndexMeanings, read: Callable[[], Mapping[str, PackageForm]]) -> None:
        self._indexed = indexed
        self._read = read
        self._known: dict[tuple[str, str], NamedSymbol | None] = {}
        """What names mean in the packages of the text."""

    @cached_property
    def _forms(self) -> Mapping[str, PackageForm]:
        """The forms of the packages that the index does not have."""
        return {
            name: form for name, form in self._read().items() if self._indexed.package(name, name) is None
        }

    def symbol(self, token: SymbolToken, package: str) -> NamedSymbol | None:
        """Return the symbol that a token names in a package; None if it is unknown."""
        found = self._indexed.symbol(token, package)
        if found is not None:
            return found
        if token.package is None:
            return self._in_text(token.name, package)
        target = self._nicknamed(token.package, package)
        return self._indexed.symbol(token._replace(package=target), target) if target is not None else None

    def package(self, name: str, within: str) -> str | None:
        """Return the package that a name means in another package; None if it is unknown."""
        found = self._nicknamed(name, within) or self._indexed.package(name, within)
        return found or (name if name in self._forms else None)

    def designated(self, name: str, package: str) -> NamedSymbol | None:
        """Return the symbol with exactly this name that is accessible in a package, by its real name."""
        return self._indexed.designated(name, package) or self._in_text(name, package)

    def facts(self, symbol: Symbol) -> SymbolFacts:
        """Return what is known about a symbol."""
        return self._indexed.facts(symbol)

    def _nicknamed(self, name: str, within: str) -> str | None:
        if self._indexed.package(within, within) is not None or within not in self._forms:
            return None
        return self._forms[within].nicknames().get(name)

    def _in_text(self, name: str, package: str) -> NamedSymbol | None:
        """What a package of the text imports by a name, or inherits (CLHS 11.1.1.2)."""
        if self._indexed.package(package, package) is not None or package not in self._forms:
            return None
        if (name, package) not in self._known:
            self._known[name, package] = self._of_form(name, self._forms[package])
        return self._known[name, package]

    def _of_form(self, name: str, form: PackageForm) -> NamedSymbol | None:
        for imported, source in (*form.imports(), *form.shadowing_imports()):
            if imported == name:
                return self._indexed.symbol(SymbolToken(None, 0, name), source)
        if name in form.others():
            return None
        index = self._indexed.index
        for used in form.uses():
            real = self._indexed.package(used, used)
            number = index.package_numbers.get(real) if real is not None else None
            found = find_symbol(index, number, name) if number is not None else None
            if real is not None and found is not None and found.status == "external":
                return self._indexed.symbol(SymbolToken(None, 0, name), real)
        return None
