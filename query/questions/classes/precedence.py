"""The precedence list of a class: as SBCL computed it, or else worked out from the superclasses."""

from __future__ import annotations

from ...index.reading import Reading
from ...index.written import SymbolRow
from . import sql


def recorded(index: Reading, class_id: int) -> list[SymbolRow]:
    """Return the precedence list that SBCL had computed; empty for a class that was not finalized."""
    return [SymbolRow(*row) for row in index.rows(sql.PRECEDENCE, class_id=class_id)]


def computed(index: Reading, symbol: int) -> list[SymbolRow] | None:
    """Work out the precedence list of the class that ``symbol`` names (CLHS 4.3.5).

    Return None if a superclass is not defined, or if the orders of superclasses contradict each other.
    """
    (row,) = index.rows(sql.CLASS_SYMBOL, symbol=symbol)
    own = SymbolRow(*row)
    direct = _direct_superclasses(index, own)
    if direct is None:
        return None
    order = sort_classes(symbol, {number: [one.number for one in above] for number, above in direct.items()})
    if order is None:
        return None
    rows = {one.number: one for above in direct.values() for one in above}
    return [own if number == symbol else rows[number] for number in order]


def ancestors(index: Reading, symbol: int) -> list[SymbolRow]:
    """Return the class and all its superclasses, most specific first; if that is not known, nearest first."""
    (own,) = index.rows(sql.CLASS_SYMBOL, symbol=symbol)
    for (class_id,) in index.rows(sql.CLASS_ID, symbol=symbol):
        return recorded(index, class_id) or computed(index, symbol) or _nearest_first(index, SymbolRow(*own))
    return [SymbolRow(*own)]


def superclasses(index: Reading, class_id: int) -> list[SymbolRow]:
    """Return the direct superclasses, in order."""
    return [SymbolRow(*row) for row in index.rows(sql.SUPERCLASSES, class_id=class_id)]


def _direct_superclasses(index: Reading, own: SymbolRow) -> dict[int, list[SymbolRow]] | None:
    """Return the direct superclasses of the class and of all above it; None if one of them is not defined."""
    found: dict[int, list[SymbolRow]] = {}
    waiting = [own]
    while waiting:
        one = waiting.pop()
        if one.number in found:
            continue
        classes = index.rows(sql.CLASS_ID, symbol=one.number)
        above = found[one.number] = superclasses(index, classes[0][0]) if classes else []
        if not above and not is_root(index, one):
            return None
        waiting += above
    return found


def is_root(index: Reading, symbol: SymbolRow) -> bool:
    """Whether the symbol is T, the only class without superclasses."""
    return is_standard(index, symbol, "T")


def is_standard(index: Reading, symbol: SymbolRow, name: str) -> bool:
    """Whether the symbol is the standard's with this ``name``."""
    return symbol.name == name and symbol.package == index.package_numbers.get("COMMON-LISP")


def sort_classes(symbol: int, direct: dict[int, list[int]]) -> list[int] | None:
    """Sort a class and its superclasses: each before its superclasses, these in the order of its definition.

    Of several classes that could be next, the one with a direct subclass furthest on in the list is taken.
    """
    before: dict[int, set[int]] = {number: set() for number in direct}
    for number, above in direct.items():
        for earlier, later in zip([number, *above], above, strict=False):
            before[later].add(earlier)
    order: list[int] = []
    while before:
        free = {number for number, earlier in before.items() if not earlier}
        following = (one for number in reversed(order) for one in direct[number] if one in free)
        found = next(following, symbol if symbol in free else None)
        if found is None:
            return None
        order.append(found)
        del before[found]
        for others in before.values():
            others.discard(found)
    return order


def _nearest_first(index: Reading, own: SymbolRow) -> list[SymbolRow]:
    """Return the class and all its superclasses as far as they are known, level by level."""
    found = {own.number: own}
    waiting = [own.number]
    while waiting:
        for (class_id,) in index.rows(sql.CLASS_ID, symbol=waiting.pop(0)):
            for one in superclasses(index, class_id):
                if found.setdefault(one.number, one) is one:
                    waiting.append(one.number)
    return list(found.values())
