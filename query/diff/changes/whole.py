"""Compares two whole APIs: their packages, then the names that the packages export."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ...index.finding.resolve import find_symbol
from ...index.written import written
from ..api import Api, ApiPackage, ApiSymbol
from ..comparison import Comparison
from ..facets import facets
from ..findings import MAJOR, MINOR, Finding
from ..sql import ApiDefinitionRow
from .packages import compare_packages, counterpart, package_added, package_removed
from .symbols import SYMBOL, compare_symbols, meaning

_OPERATORS = ("setf", "cas")


class ApiChange(NamedTuple):
    """A finding with its subject: a package, or a name that the package exports."""

    finding: Finding
    api: Api  # the old one if the name is gone, else the new one
    package: ApiPackage
    name: str | None
    definition: ApiDefinitionRow | None
    also: tuple[str, ...] = ()


_Names = list[tuple[ApiPackage, str]]


def changes_between(
    old: Api, new: Api, wanted: Callable[[int], bool] = lambda _: True
) -> Iterator[ApiChange]:
    """All changes between two APIs; a symbol that several packages export is reported once.

    Of what both have, symbols are compared whose number in the old API is ``wanted``.
    """
    pairs: list[tuple[ApiPackage, ApiPackage]] = []
    for package in old.packages.values():
        now = counterpart(package, new)
        if now is None:
            yield ApiChange(package_removed(package), old, package, None, None)
        elif now.name in new.packages:
            pairs.append((package, new.packages[now.name]))
    matched = {now.name for _, now in pairs}
    for package in new.packages.values():
        if package.name not in matched:
            yield ApiChange(package_added(package), new, package, None, None)
    for was, now in pairs:
        for finding in compare_packages(was, now, new):
            yield ApiChange(finding, new, now, None, None)
    renamed = {was.name: now.name for was, now in pairs if was.name != now.name}
    yield from _kept(Comparison(old, new, renamed), pairs, wanted)
    yield from _gone(old, new, pairs)
    yield from _added(new, pairs)


def _kept(
    comparison: Comparison, pairs: list[tuple[ApiPackage, ApiPackage]], wanted: Callable[[int], bool]
) -> Iterator[ApiChange]:
    """The changes to the names that both APIs export, whatever the symbol's home package."""
    kept: dict[tuple[int, int], _Names] = {}
    for was, now in pairs:
        for name in was.exports.keys() & now.exports.keys():
            if wanted(was.exports[name]):
                kept.setdefault((was.exports[name], now.exports[name]), []).append((now, name))
    for (before, after), names in kept.items():
        old, new = comparison.old.symbols[before], comparison.new.symbols[after]
        for finding, definition in compare_symbols(comparison, old, new):
            yield _change(comparison.new, new, names, finding, definition)


def _gone(old: Api, new: Api, pairs: list[tuple[ApiPackage, ApiPackage]]) -> Iterator[ApiChange]:
    gone: dict[tuple[int, str], _Names] = {}
    for was, now in pairs:
        for name in was.exports.keys() - now.exports.keys():
            gone.setdefault((was.exports[name], _left(new, now, name)), []).append((was, name))
    for (number, status), names in gone.items():
        symbol = old.symbols[number]
        definition = next(iter(facets(symbol).values()), None)
        if status:
            message = f"it is no longer exported; it is now {status}"
            finding = Finding("not-exported", MAJOR, SYMBOL, message, None, "external", status)
        else:
            arglist = definition.arglist if definition else None
            finding = Finding("removed", MAJOR, SYMBOL, f"the {meaning(symbol)} is gone", None, arglist)
        yield _change(old, symbol, names, finding, definition)


def _left(new: Api, package: ApiPackage, name: str) -> str:
    """The remaining status of a name that is no longer exported: internal, inherited, or empty."""
    found = find_symbol(new.index, package.id, name)
    return found.status if found is not None else ""


def _added(new: Api, pairs: list[tuple[ApiPackage, ApiPackage]]) -> Iterator[ApiChange]:
    added: dict[int, _Names] = {}
    for was, now in pairs:
        for name in now.exports.keys() - was.exports.keys():
            added.setdefault(now.exports[name], []).append((now, name))
    for number, names in added.items():
        symbol = new.symbols[number]
        definition = next(iter(facets(symbol).values()), None)
        arglist = definition.arglist if definition else None
        finding = Finding("added", MINOR, SYMBOL, f"a new {meaning(symbol)}", None, None, arglist)
        yield _change(new, symbol, names, finding, definition)


def _change(
    api: Api, symbol: ApiSymbol, names: _Names, finding: Finding, definition: ApiDefinitionRow | None
) -> ApiChange:
    """The change to a symbol, under its name in its home package if that is among ``names``."""
    names = sorted(names, key=lambda one: (one[0].name != symbol.home, one[0].name))
    (package, name), *others = names
    also = tuple(written_facet(api, other.name, text, finding.facet) for other, text in others)
    return ApiChange(finding, api, package, name, definition, also)


def written_facet(api: Api, package: str, name: str, facet: str) -> str:
    """An exported name as typed; ``(setf foo:bar)`` for the facet ``setf``."""
    operator = facet if facet in _OPERATORS else None
    return written(api.index, name, package, "external", operator)
