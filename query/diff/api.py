"""The exported API of an index: its packages, their exports, and the exports' definitions."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property

from ..index.reading import Reading
from ..syntax.printed import double_colon, items
from . import sql
from .sql import ApiDefinitionRow


@dataclass(frozen=True, slots=True)
class ApiPackage:
    """A package to compare. ``exports`` maps the names of its external symbols to their numbers."""

    id: int
    name: str
    documentation: str | None
    system: str | None
    nicknames: list[str]
    exports: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ApiSymbol:
    """An exported symbol, its home package's name, and its definitions."""

    id: int
    name: str
    home: str | None
    definitions: list[ApiDefinitionRow] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Slot:
    """A direct slot; ``reachable`` if it has an exported name, an exported accessor or an initarg."""

    name: str
    type: str | None
    allocation: str
    initform: str | None
    documentation: str | None
    initargs: tuple[str, ...]
    reachable: bool


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """The facts about a class itself, without inherited ones; ``name`` is ``PACKAGE::NAME``."""

    symbol: int
    name: str
    exported: bool
    representation: str | None
    slots: list[Slot] = field(default_factory=list)
    default_initargs: dict[str, str] = field(default_factory=dict)


class Api:
    """The API of the compared packages in one index."""

    def __init__(self, index: Reading, chosen: set[int]) -> None:
        """``chosen`` has the numbers of the packages to compare."""
        self.index = index
        self._chosen = json.dumps(sorted(chosen))
        every = all_packages(index)
        self.packages = {one.name: one for one in every if one.id in chosen}
        # All names and nicknames of all packages; names win over nicknames.
        self.by_name = {nickname: one for one in every for nickname in one.nicknames}
        self.by_name |= {one.name: one for one in every}
        self.symbols: dict[int, ApiSymbol] = {}
        self._read_exports()

    def _read_exports(self) -> None:
        by_id = {one.id: one for one in self.packages.values()}
        names = self.index.package_names
        for export in map(sql.ApiExportRow._make, self.index.rows(sql.EXPORTS, packages=self._chosen)):
            by_id[export.package].exports[export.name] = export.symbol
            if export.symbol not in self.symbols:
                home = None if export.home is None else names[export.home]
                self.symbols[export.symbol] = ApiSymbol(export.symbol, export.name, home)
        for definition in map(
            ApiDefinitionRow._make, self.index.rows(sql.DEFINITIONS, packages=self._chosen)
        ):
            self.symbols[definition.symbol].definitions.append(definition)

    @cached_property
    def classes(self) -> dict[int, ClassFacts]:
        """All classes, by the number of the symbol that names each."""
        by_class = {}
        for row in map(sql.ApiClassRow._make, self.index.rows(sql.CLASS_NAMES)):
            name = f"{row.home}::{row.name}"
            by_class[row.class_id] = ClassFacts(row.symbol, name, bool(row.exported), row.representation)
        for slot in map(sql.ApiSlotRow._make, self.index.rows(sql.SLOTS)):
            by_class[slot.class_id].slots.append(_slot(slot))
        for initarg in map(sql.DefaultInitargRow._make, self.index.rows(sql.DEFAULT_INITARGS)):
            by_class[initarg.class_id].default_initargs[initarg.initarg] = initarg.form
        return {one.symbol: one for one in by_class.values()}

    @cached_property
    def class_named(self) -> dict[str, ClassFacts]:
        """All classes by name, ``PACKAGE::NAME``."""
        return {one.name: one for one in self.classes.values()}

    @cached_property
    def _superclasses(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for symbol, above in self.index.rows(sql.CLASS_LINKS):
            found.setdefault(symbol, []).append(above)
        return found

    def superclasses(self, symbol: int) -> list[int]:
        """The direct superclasses of a class, in order."""
        return self._superclasses.get(symbol, [])

    def ancestors(self, symbol: int) -> list[int]:
        """All superclasses of a class, nearest first, without the class itself."""
        found: dict[int, None] = {}
        waiting = self.superclasses(symbol)
        while waiting:
            found |= dict.fromkeys(waiting)
            waiting = [above for one in waiting for above in self.superclasses(one) if above not in found]
        return list(found)

    @cached_property
    def _class_of_text(self) -> dict[str, int]:
        """Classes by their names as printed in types: without a package if it is COMMON-LISP."""
        found = {}
        for symbol, one in self.classes.items():
            package, _, name = one.name.partition("::")
            found[name if package == "COMMON-LISP" else f"{package}::{name}"] = symbol
        return found

    def ancestor_names(self, text: str) -> frozenset[str]:
        """The names of a class and all its superclasses, as printed in types; empty if there is none."""
        symbol = self._class_of_text.get(double_colon(text))
        if symbol is None:
            return frozenset()
        names = [self.classes[one].name for one in (symbol, *self.ancestors(symbol)) if one in self.classes]
        return frozenset(name.removeprefix("COMMON-LISP::") for name in names)

    @cached_property
    def specializers(self) -> dict[int, list[tuple[int | None, str | None]]]:
        """The specializers of each method of an exported generic function: classes or EQL objects."""
        found: dict[int, list[tuple[int | None, str | None]]] = {}
        rows = self.index.rows(sql.METHOD_SPECIALIZERS, packages=self._chosen)
        for row in map(sql.ApiSpecializerRow._make, rows):
            found.setdefault(row.method, []).append((row.symbol, row.eql))
        return found


def _slot(row: sql.ApiSlotRow) -> Slot:
    initargs = tuple(items(f"({row.initargs})")) if row.initargs else ()
    reachable = bool(initargs or row.exported or row.accessor_exported)
    return Slot(row.name, row.type, row.allocation, row.initform, row.documentation, initargs, reachable)


def all_packages(index: Reading) -> list[ApiPackage]:
    """All packages of an index, without their exports."""
    nicknames: dict[int, list[str]] = {}
    for package, nickname in index.rows(sql.NICKNAMES):
        nicknames.setdefault(package, []).append(nickname)
    return [
        ApiPackage(row.id, row.name, row.documentation, row.system, nicknames.get(row.id, []))
        for row in map(sql.ApiPackageRow._make, index.rows(sql.PACKAGES))
    ]
