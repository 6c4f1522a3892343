"""The answer of slot as text; pure."""

from __future__ import annotations

from collections.abc import Iterator

from ...index.shown import counted, shown_name
from ..paging import rest_line
from ..placed import placed_lines
from .answer import SlotPlace, SlotUsesAnswer


def slot_text(answer: SlotUsesAnswer, more: str = "--offset {offset}") -> str:
    """Return the counts and what reaches the slot, then the places by what they do, and by file."""
    lines = [heading(answer)]
    lines += [shown_name(f"{what}: {', '.join(names)}") for what, names in reached_by(answer) if names]
    lines += remarks(answer)
    lines += placed_lines(
        answer.places,
        lambda one: one.relation,
        lambda relation: f"{relation.capitalize()} ({answer.relations[relation]})",
        _place,
    )
    lines += rest_line(answer.places, answer.total, answer.offset, more)
    if answer.note:
        lines.append(f"Note: {answer.note}.")
    return "\n".join(lines)


def heading(answer: SlotUsesAnswer) -> str:
    """Return the line with the counts."""
    counts = ", ".join(f"{relation} {total}" for relation, total in answer.relations.items())
    places = counted(answer.total, "place")
    return shown_name(f"Slot {answer.name} of {answer.of}: {places}{f' ({counts})' if counts else ''}")


def reached_by(answer: SlotUsesAnswer) -> list[tuple[str, list[str]]]:
    """Return the classes that define the slot and what reaches it, each with what texts call it."""
    return [
        ("Defined in", answer.defined_in),
        ("Readers", answer.readers),
        ("Writers", answer.writers),
        ("Initargs", answer.initargs),
        ("Constructors", answer.constructors),
    ]


def remarks(answer: SlotUsesAnswer) -> Iterator[str]:
    """Yield what is not certain, and what is not listed."""
    if answer.reason:
        yield answer.reason
    if answer.perhaps:
        yield (
            f"{answer.perhaps} of them, marked ?, may belong to another class with a slot or accessor of "
            "that name"
        )
    if answer.other_mentions:
        others = counted(answer.other_mentions, "other place contains", "other places contain")
        yield f"{others} the symbol, but not as the name of this slot"


def via(one: SlotPlace) -> str:
    """Return by what the slot is reached, unless the text of the line says so."""
    if one.in_expansion_of:
        return f"in the expansion of {one.in_expansion_of}"
    bare = one.via.strip("()").rpartition(":")[2]
    return "" if bare.lower() in (one.text or "").lower() else f"by {one.via}"


def _place(one: SlotPlace) -> str:
    where = ":".join(str(part) for part in (one.line, one.column) if part is not None)
    parts = (where, "?" if one.perhaps else "", one.caller, (one.text or "").strip(), _said(via(one)))
    return shown_name("  ".join(part for part in parts if part))


def _said(text: str) -> str:
    return f"[{text}]" if text else ""
