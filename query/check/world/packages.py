"""The packages and symbols of the index and of the checked files together."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from ...index.reading import Reading
from ...syntax.tokens import SymbolToken
from .. import sql
from ..declare.declarations import Declarations, DeclaredPackage
from ..declare.definition_forms import INCLUDING
from ..declare.lost import NOTHING_LOST, Lost
from .indexed import WorldSymbol, indexed_packages

__all__ = ["EXTERNAL", "INHERITED", "INTERNAL", "LISP", "World", "WorldPackage", "WorldSymbol"]
EXTERNAL, INTERNAL, INHERITED = "external", "internal", "inherited"
LISP = "COMMON-LISP"
_MOST_COPIES = 20


class WorldPackage:
    """A package: its symbols in the index, and its declaration in the files."""

    __slots__ = ("declared", "external", "found", "internal", "local_nicknames", "name", "number", "uses")

    def __init__(self, name: str, number: int | None, declared: DeclaredPackage | None) -> None:
        self.name = name
        self.number = number
        self.declared = declared
        self.external: dict[str, WorldSymbol] = {}
        self.internal: dict[str, WorldSymbol] = {}
        self.uses: list[str] = []
        self.local_nicknames: dict[str, str] = {}
        self.found: dict[str, tuple[WorldSymbol, str] | None] = {}


class World:
    """Finds packages and symbols as the reader would with the files loaded into the indexed image."""

    def __init__(self, index: Reading, declarations: Declarations, lost: Lost = NOTHING_LOST) -> None:
        self._index = index
        self._lost = lost
        self._outside = index.outside
        self._indexed = indexed_packages(index)
        self._symbols: dict[tuple[str, str], WorldSymbol] = {}
        """The symbols that the index does not have."""
        self._packages: dict[str, WorldPackage | None] = {}
        self._numbers = self._indexed.numbers
        self._nicknames = self._indexed.nicknames
        self._gone: frozenset[str] = frozenset()
        if lost:
            self._lose(lost, declarations.entered)
        self._declared = self._by_real_name(declarations)
        for declared in self._declared.values():
            if declared.nicknames:
                self._nicknames = self._nicknames | dict.fromkeys(declared.nicknames, declared.name)
        # A slice knows what its release brings, and of other packages only the names that it uses.
        self.knows_all = self._outside is None
        self._interned: dict[str, set[str]] = {}
        prefixes: dict[str, list[str]] = {}
        for definition in declarations.definitions:
            package = self.real_name(definition.package)
            if definition.kind == INCLUDING:
                prefixes.setdefault(package, []).append(definition.name)
            elif definition.interned:
                self._interned.setdefault(package, set()).add(definition.name)
        self._exported_once: dict[str, bool] = {}
        self._prefixes = {package: tuple(dict.fromkeys(names)) for package, names in prefixes.items()}

    def _lose(self, lost: Lost, entered: Collection[str]) -> None:
        """Forget the packages that are gone, and the names that the others no longer have.

        One that the files still enter cannot be named, but what is in it is what the index has.
        """
        gone = {name for name, number in self._numbers.items() if number in lost.packages}
        self._gone = frozenset(gone.intersection(entered))
        self._numbers = {
            name: number for name, number in self._numbers.items() if name not in gone - self._gone
        }
        nicknames = {one for part in lost.parts.values() for one in part.nicknames}
        self._nicknames = {
            nickname: name
            for nickname, name in self._nicknames.items()
            if name in self._numbers and nickname not in nicknames
        }

    def _by_real_name(self, declarations: Declarations) -> dict[str, DeclaredPackage]:
        """The declared packages by their real names, since forms may use nicknames."""
        found = Declarations()
        for declared in declarations.packages.values():
            found.declare(replace(declared, name=self.real_name(declared.name)))
        return found.packages

    def real_name(self, name: str) -> str:
        """The name of the package that a name or global nickname means, or ``name`` itself."""
        return name if name in self._numbers else self._nicknames.get(name, name)

    def package_names(self) -> Iterable[str]:
        """The names and nicknames of all packages."""
        return {**self._numbers, **self._nicknames, **self._declared}

    def knows(self, package: WorldPackage) -> bool:
        """Whether the index has all symbols of the package."""
        return self._outside is None or package.name not in self._outside

    def package(self, name: str, within: WorldPackage | None = None) -> WorldPackage | None:
        """The package that ``name`` means inside ``within``: a local nickname, a name or a nickname."""
        if within is not None and (target := within.local_nicknames.get(name)) is not None:
            name = target
        try:
            return self._packages[name]
        except KeyError:
            package = self._packages[name] = self._made(name)
            return package

    def named(self, name: str, within: WorldPackage | None = None) -> WorldPackage | None:
        """The same, but None for one that is gone: the reader would not find it."""
        found = self.package(name, within)
        is_gone = found is not None and found.declared is None and found.name in self._gone
        return None if is_gone else found

    def _made(self, name: str) -> WorldPackage | None:
        declared = self._declared.get(name)
        number = self._numbers.get(name)
        if declared is None and number is None:
            known = self._nicknames.get(name)
            return self.package(known) if known is not None and known != name else None
        package = WorldPackage(name, number, declared)
        if number is not None:
            present = self._indexed.present(number)
            package.external, package.internal = present.external, present.internal
            package.uses += self._indexed.uses.get(number, [])
            package.local_nicknames |= self._indexed.local_nicknames.get(number, {})
            if (lost := self._lost.parts.get(name)) is not None:
                self._without(package, lost)
        if declared is not None:
            package.uses += [used for used in declared.uses if used not in package.uses]
            package.local_nicknames |= declared.local_nicknames
        return package

    def _without(self, package: WorldPackage, lost: DeclaredPackage) -> None:
        """Take from a package what its declaration had when it was indexed, and has not now."""
        package.uses = [one for one in package.uses if one not in set(map(self.real_name, lost.uses))]
        package.local_nicknames = {
            nickname: target
            for nickname, target in package.local_nicknames.items()
            if nickname not in lost.local_nicknames
        }
        kept = {
            name: symbol
            for name, symbol in (package.external | package.internal).items()
            if name not in lost.imports or symbol.home == package.name
        }
        package.external = {
            name: kept[name] for name in package.external if name in kept and name not in lost.exports
        }
        package.internal = {name: symbol for name, symbol in kept.items() if name not in package.external}

    def _symbol(self, home: str, name: str) -> WorldSymbol:
        symbol = self._indexed.symbols.get((home, name)) or self._symbols.get((home, name))
        if symbol is None:
            symbol = self._symbols[home, name] = WorldSymbol(home, name, None)
        return symbol

    def find(self, package: WorldPackage, name: str) -> tuple[WorldSymbol, str] | None:
        """The symbol of that name accessible in ``package``, and its status, as FIND-SYMBOL returns them."""
        try:
            return package.found[name]
        except KeyError:
            package.found[name] = None  # packages may use each other in a circle
            found = package.found[name] = self._found(package, name)
            return found

    def _found(self, package: WorldPackage, name: str) -> tuple[WorldSymbol, str] | None:
        symbol, status = self._present(package, name), INTERNAL
        if symbol is None:
            symbol, status = self._inherited(package, name), INHERITED
        declared = package.declared
        if symbol is None:
            known = declared is not None and (name in declared.exports or name in declared.interned)
            known = known or name in self._interned.get(package.name, ())
            if not known and not self.is_inherited_accessor(package.name, name):
                return None
            symbol, status = self._symbol(package.name, name), INTERNAL
        if name in package.external or (declared is not None and self._exports(declared, name)):
            status = EXTERNAL
        return symbol, status

    def is_inherited_accessor(self, package: str, name: str) -> bool:
        """Whether a structure that includes another one may define a function of that name."""
        return name.startswith(self._prefixes.get(package, ()))

    def _present(self, package: WorldPackage, name: str) -> WorldSymbol | None:
        declared = package.declared
        if declared is not None:
            if name in declared.shadows:
                return self._symbol(package.name, name)
            if (source := declared.imports.get(name)) is not None:
                origin = self.named(source, package)
                found = self.find(origin, name) if origin is not None and origin is not package else None
                return found[0] if found is not None else self._symbol(package.name, name)
        return package.external.get(name) or package.internal.get(name)

    def _inherited(self, package: WorldPackage, name: str) -> WorldSymbol | None:
        for used_name in package.uses:
            used = self.named(used_name, package)
            if used is None or used is package:
                continue
            if used.declared is None:  # true of most packages; missing names need not be remembered
                symbol = used.external.get(name)
                if symbol is not None:
                    return symbol
                continue
            found = self.find(used, name)
            if found is not None and found[1] == EXTERNAL:
                return found[0]
        return None

    def _exports(self, declared: DeclaredPackage, name: str) -> bool:
        """Whether the files export ``name``, directly or with all the exports of another package."""
        if name in declared.exports:
            return True
        for copied in declared.copied[:_MOST_COPIES]:
            package = self.named(copied)
            if package is not None and package.declared is not declared:
                found = self.find(package, name)
                if found is not None and found[1] == EXTERNAL:
                    return True
        return False

    def standard(self, name: str) -> WorldSymbol:
        """The standard's symbol of that name."""
        return self._symbol("COMMON-LISP", name)

    def names_in(self, package: WorldPackage, *, external: bool) -> list[str]:
        """The names accessible in a package, or only those that it exports."""
        names = {*package.external, *(package.declared.exports if package.declared is not None else ())}
        if not external:
            names.update(package.internal, self._interned.get(package.name, ()))
            for used_name in package.uses:
                used = self.named(used_name, package)
                names.update(used.external if used is not None else ())
        return list(names)

    def local_nicknames(self, name: str) -> set[str]:
        """The packages that a name is a local nickname of, in whatever package."""
        given = [
            *self._indexed.local_nicknames.values(),
            *(one.local_nicknames for one in self._declared.values()),
        ]
        return {targets[name] for targets in given if name in targets}

    def is_exported_once(self, name: str) -> bool:
        """Whether no two packages export different symbols of this name."""
        if name not in self._exported_once:
            exporters = {home for (home,) in self._index.remembered(sql.EXPORTED_HOMES, name=name)}
            for declared in self._declared.values():
                package = self.package(declared.name) if name in declared.exports else None
                found = self.find(package, name) if package is not None else None
                exporters.update([found[0].home] if found is not None else [])
            self._exported_once[name] = len(exporters) < 2
        return self._exported_once[name]

    def exporters(self, name: str, most: int) -> list[str]:
        """The packages that export a symbol of that name."""
        found = [row[0] for row in self._index.remembered(sql.EXPORTERS, name=name, limit=most)]
        found = [one for one in found if one not in self._gone]
        found += [
            one.name for one in self._declared.values() if name in one.exports and one.name not in found
        ]
        return found[:most]

    def symbol(self, token: SymbolToken, within: WorldPackage | None) -> WorldSymbol | None:
        """The symbol that a token reads as in a package; a new one if reading would intern it.

        None if its package, or the package of the text, is unknown.
        """
        package = within if token.package is None else self.named(token.package, within)
        if package is None:
            return None
        found = self.find(package, token.name)
        return found[0] if found is not None else self._symbol(package.name, token.name)
