"""slot: the places that define, read, write, bind or initialize the slot of a class."""

from __future__ import annotations

from collections import Counter
from difflib import get_close_matches

from oblist.indexer.names import InvalidNameError, split_name

from ...index.finding.resolve import Resolved, resolve
from ...index.not_found import NotFound
from ...index.reading import Reading
from ...index.shown import shown_name
from ...index.written import SymbolRow
from ...syntax.printed import lower_symbols
from ..classes import sql as classes_sql
from ..classes.ask import no_class
from . import sql
from .answer import SlotUsesAnswer
from .family import Family, family_of
from .parameters import SlotParameters
from .places import Places
from .walk import RELATIONS

_MOST_NAMED = 5


def slot_uses(index: Reading, asked: SlotParameters) -> SlotUsesAnswer | NotFound:
    """Answer slot from ``index``."""
    found = resolve(index, asked.name, asked.package)
    if isinstance(found, NotFound):
        return found
    if not index.rows(classes_sql.CLASS_ID, symbol=found.symbol):
        return no_class(index, found)
    family = _family(index, found, asked.slot)
    if isinstance(family, NotFound):
        return family
    places = Places(family)
    listed = sorted(
        places.all(),
        key=lambda one: (RELATIONS.index(one.relation), one.path or "", one.line or 0, one.column or 0),
    )
    counts = Counter(one.relation for one in listed)
    return SlotUsesAnswer(
        name=family.name,
        of=family.chain[0].written(index),
        defined_in=[_written(index, row.of) for row in family.definers],
        readers=_functions(family, "reader"),
        writers=_functions(family, "writer"),
        initargs=[f":{lower_symbols(one, index.upcase)}" for one in sorted(family.initargs.values())],
        constructors=[_written(index, one) for one in family.constructors],
        total=len(listed),
        perhaps=sum(one.perhaps for one in listed),
        relations={one: counts[one] for one in RELATIONS if counts[one]},
        other_mentions=places.other_mentions,
        offset=asked.offset,
        places=listed[asked.offset : asked.offset + asked.limit if asked.limit else None],
        note=found.note,
        reason=None if listed else "No text in this index uses this slot.",
    )


def _family(index: Reading, found: Resolved, slot: str) -> Family | NotFound:
    """The family of a slot as typed, whose package does not matter."""
    try:
        spellings = split_name(slot, index.upcase).symbol.spellings
    except InvalidNameError as error:
        return NotFound("invalid-name", f'Invalid slot name "{shown_name(slot)}"', f"{error.why}.", [])
    for name in spellings:
        if (family := family_of(index, found.symbol, name)) is not None:
            return family
    names = [name for (name,) in index.rows(sql.SLOT_NAMES, symbol=found.symbol)]
    shown = [lower_symbols(one, index.upcase) for one in names]
    reason = f"It has {len(names)} slots." if len(names) != 1 else "It has 1 slot."
    near = get_close_matches(slot.lower(), shown, _MOST_NAMED, 0.4) or shown[:_MOST_NAMED]
    of = _written(index, found.symbol)
    return NotFound("slot-not-found", f"{shown_name(of)} has no slot {shown_name(slot)}", reason, near)


def _functions(family: Family, role: str) -> list[str]:
    """The readers, or the writers."""
    return [
        _written(family.index, symbol, operator)
        for (symbol, operator), roles in family.functions.items()
        if role in roles
    ]


def _written(index: Reading, symbol: int, operator: str | None = None) -> str:
    (row,) = index.rows(classes_sql.CLASS_SYMBOL, symbol=symbol)
    return SymbolRow(*row).written(index, operator)
