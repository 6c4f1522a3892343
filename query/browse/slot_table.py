"""The table of a class's slots, as its pages show it: only with columns that say something."""

from __future__ import annotations

from typing import NamedTuple

from ..index.written import own_name
from ..questions.classes.answer import ClassAnswer, SlotAnswer
from ..syntax.printed import as_typed, lower_symbols
from .names import named
from .page_request import LinkedName, PageRequest


class SlotLine(NamedTuple):
    """A line of the table: a slot."""

    name: LinkedName
    tags: list[str]
    documentation: str | None
    type: str | None
    initargs: list[str]
    initform: str | None
    accessors: list[LinkedName]
    origin: LinkedName


class SlotTable(NamedTuple):
    """The table, and the columns that it has; ``only_origin`` is the other class that all slots are from."""

    rows: list[SlotLine]
    types: bool
    initargs: bool
    initforms: bool
    accessors: bool
    origins: bool
    only_origin: LinkedName | None


def slot_table(request: PageRequest, answer: ClassAnswer) -> SlotTable | None:
    """The table of the slots of a class; None without any."""
    if not answer.slots:
        return None
    rows = [_line(request, slot, answer) for slot in answer.slots]
    origins = {slot.defined_in for slot in answer.slots}
    return SlotTable(
        rows,
        types=any(row.type for row in rows),
        initargs=any(row.initargs for row in rows),
        initforms=any(row.initform is not None for row in rows),
        accessors=any(row.accessors for row in rows),
        origins=len(origins) > 1,
        only_origin=rows[0].origin if len(origins) == 1 and answer.written not in origins else None,
    )


def _line(request: PageRequest, slot: SlotAnswer, answer: ClassAnswer) -> SlotLine:
    upcase = request.index.upcase
    home = own_name(answer.package, upcase)
    tags = ["read-only"] * bool(slot.read_only) + [slot.allocation] * (slot.allocation != "instance")
    return SlotLine(
        LinkedName(own_name(slot.name, upcase), request.links.slot(answer.package, answer.name, slot.name)),
        tags,
        slot.documentation,
        lower_symbols(slot.type, upcase) if slot.type else None,
        [lower_symbols(one, upcase) for one in slot.initargs],
        None if slot.initform is None else as_typed(slot.initform, upcase),
        [short(named(request, form), home) for form in (*slot.readers, *slot.writers)],
        short(named(request, slot.defined_in, class_page=True), home),
    )


def short(name: LinkedName, package: str) -> LinkedName:
    """A name without the prefix of ``package``, the page's package as typed."""
    prefix = f"{package}:"
    text = name.text
    for begin in (f"{prefix}:", prefix):
        text = text.replace(f"(setf {begin}", "(setf ").removeprefix(begin)
    return LinkedName(text, name.link)
