"""The SCIP symbols of definitions (scip.proto, the grammar of Symbol).

    oblist asdf alexandria 1.0.1 ALEXANDRIA/FLATTEN().
    oblist asdf sbcl 2.2.9 COMMON-LISP/`*PRINT-BASE*`.

A SCIP package is a system, a SCIP namespace a Lisp package. The suffix of the name gives the Lisp
namespace, since one name may be a function, a variable and a class.
"""

from __future__ import annotations

import re

from oblist.indexer.names import operator_name

from ...index.reading import Reading
from ...index.relations import RELATIONS
from .. import sql
from ..sql import PlacedRow

_SCHEME = "oblist"
_MANAGER = "asdf"
_SIMPLE = re.compile(r"[A-Za-z0-9_+$-]+")
_NOT_SIMPLE = re.compile(r"[^A-Za-z0-9_+$-]+")
# Suffixes in the grammar by documentation type; macros and special operators are not functions there.
_SUFFIXES = {"VARIABLE": ".", "TYPE": "#", "FUNCTION": "()."}
_MACROS = {"macro", "special-operator"}


class ScipSymbols:
    """The SCIP symbols of one index's definitions, and of the definitions that its code refers to."""

    def __init__(self, index: Reading) -> None:
        self._index = index
        systems = map(sql.ExportedSystemRow._make, index.rows(sql.SYSTEMS))
        packages = map(sql.ExportedPackageRow._make, index.rows(sql.PACKAGES))
        self._versions = {row.name: row.version for row in systems}
        self._of_package = {row.id: row.system for row in packages}
        self._meanings: dict[tuple[int, str | None, str | None], tuple[str, str]] = {}
        for row in map(sql.ExportedMeaningRow._make, index.rows(sql.MEANINGS)):
            key = row.symbol, row.operator, row.documentation_type
            if key not in self._meanings:
                self._meanings[key] = self._symbol(row), row.kind

    def definition(self, one: PlacedRow, system: str | None) -> str:
        """The SCIP symbol of a definition; that of a method includes its specializers."""
        if one.symbol is None:
            return f"{self._prefix(system, one.package)}{_identifier(one.name)}/"
        if one.documentation_type in ("FUNCTION", "VARIABLE", "TYPE"):
            return self._meanings[one.symbol, one.operator, one.documentation_type][0]
        apart = [one.qualifiers or "", one.specializers or ""] if one.kind == "method" else [one.kind]
        disambiguator = _NOT_SIMPLE.sub("_", " ".join(filter(None, apart))).strip("_") or one.kind
        name = operator_name(one.operator, one.name)
        namespace = self._namespace(one.package, system)
        return f"{namespace}{_identifier(name)}({disambiguator})."

    def referred(self, symbol: int, operator: str | None, relation: str) -> tuple[str, str] | None:
        """The SCIP symbol and kind of the definition that a use refers to; None if it has none."""
        for documentation_type in RELATIONS[relation].refers_to:
            if found := self._meanings.get((symbol, operator, documentation_type)):
                return found
        return None

    def _symbol(self, row: sql.ExportedMeaningRow) -> str:
        suffix = "!" if row.kind in _MACROS else _SUFFIXES[row.documentation_type]
        identifier = _identifier(operator_name(row.operator, row.name))
        return f"{self._namespace(row.package, row.system)}{identifier}{suffix}"

    def _namespace(self, package: int | None, system: str | None) -> str:
        prefix = self._prefix(system, package)
        home = self._index.package_names.get(package) if package is not None else None
        return f"{prefix}{_identifier(home)}/" if home else prefix

    def _prefix(self, system: str | None, package: int | None) -> str:
        """Scheme, manager, system and version; the system is the file's, else the package's."""
        owner = system or (self._of_package.get(package) if package is not None else None)
        if owner is None:
            lisp, _, version = self._index.implementation.partition(" ")
            owner = lisp.lower()
        else:
            version = self._versions.get(owner) or ""
        parts = (_SCHEME, _MANAGER, owner, version or ".")
        return "".join(part.replace(" ", "  ") + " " for part in parts)


def _identifier(name: str) -> str:
    name = name or "||"  # as Lisp writes it: SCIP has no empty identifiers
    if _SIMPLE.fullmatch(name):
        return name
    return "`" + name.replace("`", "``") + "`"
