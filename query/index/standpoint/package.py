"""Names as code in one package may write them.

A symbol that is accessible there needs no prefix. Any other is written after the name of a package that
exports it, the shortest there is, local nicknames included; one that no package exports, after a package that
has it and two colons.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from oblist.indexer.names import operator_name

from ..finding.resolve import find_symbol
from ..reading import Reading
from ..sql import FoundRow
from ..written import own_name, typed_name
from . import sql
from .sql import PresenceRow

_STANDARD = "COMMON-LISP"
_KEYWORD = "KEYWORD"
# The home packages of the operators in function names such as (setf foo).
_OPERATORS = {"SETF": _STANDARD, "CAS": "SB-EXT"}


class Sight(NamedTuple):
    """A symbol as it is written in a package: the package to name before it, and what its name means there.

    ``number`` is None for a symbol that is not in the index, ``through`` for one that needs no prefix, or
    that no package has. ``prefix`` is one of the names of ``through``.
    """

    name: str
    number: int | None
    through: int | None
    prefix: str | None
    external: bool
    there: FoundRow | None

    @property
    def bare(self) -> bool:
        """Whether it needs no prefix."""
        return self.there is not None and self.there.number == self.number


class SeenPackage:
    """A package for whose code names are written."""

    def __init__(self, index: Reading, name: str) -> None:
        self.index = index
        self.name = name
        self.sights: dict[str, Sight] = {}
        """What was written since the last answer, each with the symbol that it names."""

    @cached_property
    def number(self) -> int | None:
        """The package's number."""
        return self.index.package_numbers.get(self.name)

    @cached_property
    def locked(self) -> bool:
        """Whether the package is locked."""
        return any(locked for (locked,) in self.index.rows(sql.LOCKED, package=self.number))

    @cached_property
    def _local(self) -> dict[str, int]:
        """The package's local nicknames, with the numbers of the packages that they name."""
        return dict(self.index.rows(sql.LOCAL_NICKNAMES, package=self.number))

    @cached_property
    def names(self) -> dict[int, list[str]]:
        """The names by which code in the package may call each package, the shortest first."""
        named: dict[int, list[str]] = {}
        for name, number in (self.index.package_numbers | self._local).items():
            if name:
                named.setdefault(number, []).append(name)
        for names in named.values():
            names.sort(key=self._length)
        return named

    def names_package(self, name: str) -> bool:
        """Whether code in the package calls any package ``name``."""
        return name in self._local or name in self.index.package_numbers

    def written(
        self, name: str, package: str | None, external: bool, operator: str | None, number: int | None
    ) -> str:
        """Return a symbol's name as code in the package writes it; the arguments are the protocol's."""
        sight = self._sight(name, package, external, number)
        form = self._form(sight, package)
        if operator:
            head = self._sight(operator.upper(), _OPERATORS[operator.upper()], True, None)
            form = operator_name(self._form(head, _OPERATORS[operator.upper()]), form)
        self.sights[form] = sight
        return form

    def _form(self, sight: Sight, package: str | None) -> str:
        upcase = self.index.upcase
        if package == _KEYWORD:
            return typed_name(sight.name, package, upcase, external=True)
        if sight.bare:
            return own_name(sight.name, upcase)
        return typed_name(sight.name, sight.prefix, upcase, external=sight.external)

    def _sight(self, name: str, package: str | None, external: bool, number: int | None) -> Sight:
        there = find_symbol(self.index, self.number, name) if self.number is not None else None
        home = self.index.package_numbers.get(package or "")
        if number is None and home is not None:
            found = find_symbol(self.index, home, name)
            number = found.number if found is not None else None
        if number is None:  # the caller's word is all there is
            return Sight(name, None, home, package, external, there)
        if there is not None and there.number == number:
            return Sight(name, number, None, None, False, there)
        present = [PresenceRow(*row) for row in self.index.rows(sql.PRESENT_IN, symbol=number)]
        ways = [one.package for one in present if one.status == "external"]
        external = bool(ways)
        ways = ways or [one.package for one in present]
        if home is not None and home in ways and package == _STANDARD:
            ways = [home]  # whoever else exports it, the standard's names are called by their own package
        through = min(ways, key=lambda one: self._preference(one, home), default=None)
        prefix = None if through is None else self.names[through][0]
        return Sight(name, number, through, prefix, external, there)

    def _preference(self, package: int, home: int | None) -> tuple[int, bool, bool, str]:
        """The sort key of the packages that a symbol may be written after."""
        name = self.names[package][0]
        length, is_global, _ = self._length(name)
        return length, is_global, package != home, name

    def _length(self, name: str) -> tuple[int, bool, str]:
        """The sort key of the names of a package."""
        return len(own_name(name, self.index.upcase)), name not in self._local, name
