"""The answer of class as text for people; pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from ...index.shown import shown_name
from ..paging import rest_line
from .answer import (
    ClassAnswer,
    ClassUse,
    GenericToImplement,
    MethodAnswer,
    SlotAnswer,
    StructureFunction,
    SubclassAnswer,
)

_Placed = ClassAnswer | SubclassAnswer | MethodAnswer | StructureFunction | GenericToImplement | ClassUse


def class_text(answer: ClassAnswer, more: str = "--offset {offset}") -> str:
    """Return the text of class: a heading, its facts, then slots, subclasses and methods, one line each.

    ``more`` says how to get the subclasses or methods that a limit cut off, as in apropos_text.
    """
    lines = [f"{shown_name(answer.written)} [{answer.kind.upper()}]", *_facts(answer)]
    if answer.documentation:
        lines += ["  Documentation:", "    " + answer.documentation.replace("\n", "\n    ")]
    if answer.path:
        lines.append(f"  Source: {_place(answer)}")
    if answer.slots:
        lines.append("  Slots:")
        lines += [f"    {line}" for slot in answer.slots for line in _slot(slot, answer.written)]
    lines += structure_lines(answer)
    if answer.printer:
        lines.append(f"  Printed by: {_line(_method(answer.printer), _place(answer.printer))}")
    lines += implement_lines(answer)
    lines += _rest(answer.to_implement, answer.to_implement_total, answer.offset, more)
    made = "Signalled or made in" if answer.kind == "condition" else "Made in"
    for heading, uses, total in (
        (made, answer.made_in, answer.made_total),
        ("Handled in", answer.handled_in, answer.handled_total),
    ):
        if total:
            lines.append(f"  {heading}: {total}")
            lines += [f"    {_line(shown_name(one.by), _place(one))}" for one in uses]
            lines += _rest(uses, total, answer.offset, more)
    if answer.subclasses_total:
        lines.append(f"  Subclasses: {answer.subclasses_total}")
        lines += [f"    {_line(shown_name(one.written), _place(one))}" for one in answer.subclasses]
        lines += _rest(answer.subclasses, answer.subclasses_total, answer.offset, more)
    if answer.methods_total:
        lines.append(f"  Methods on it: {answer.methods_total}")
        lines += [f"    {_line(_method(one), _place(one))}" for one in answer.methods]
        lines += _rest(answer.methods, answer.methods_total, answer.offset, more)
    if answer.inherited_methods_total:
        lines += _inherited(answer)
        lines += _rest(answer.inherited_methods, answer.inherited_methods_total, answer.offset, more)
    return "\n".join(lines)


def _facts(answer: ClassAnswer) -> Iterator[str]:
    initargs = ", ".join(f"{initarg} {form}" for initarg, form in answer.default_initargs.items())
    facts = [
        ("Metaclass", answer.metaclass),
        ("Typed structure", answer.representation),
        ("Superclasses", ", ".join(answer.superclasses)),
        ("Precedence", _precedence(answer)),
        ("Accessor prefix", answer.accessor_prefix),
        ("Default initargs", initargs),
        ("System", answer.system),
    ]
    if answer.representation:
        facts = [fact for fact in facts if fact[0] != "Precedence"]
    return (f"  {name}: {shown_name(value)}" for name, value in facts if value)


def _precedence(answer: ClassAnswer) -> str:
    if answer.precedence is not None:
        return ", ".join(answer.precedence)
    if answer.computed_precedence is None:
        return "not finalized yet"
    return f"not finalized yet; computed from its superclasses: {', '.join(answer.computed_precedence)}"


def _slot(slot: SlotAnswer, owner: str) -> Iterator[str]:
    parts = [slot.name, *slot.initargs, *slot_facts(slot)]
    if slot.defined_in != owner:
        parts.append(f"from {slot.defined_in}")
    yield shown_name("  ".join(parts))
    functions = [*slot.readers, *slot.writers]
    if functions:
        yield shown_name(f"  accessors: {', '.join(functions)}")
    if slot.documentation:
        yield "  " + shown_name(" ".join(slot.documentation.split()))


def slot_facts(slot: SlotAnswer) -> list[str]:
    """Return the type, initform and allocation of a slot, and whether it is read-only."""
    parts = []
    if slot.type:
        parts.append(f"type {slot.type}")
    if slot.initform is not None:
        parts.append(f"initform {slot.initform}")
    if slot.allocation != "instance":
        parts.append(f"allocation {slot.allocation}")
    if slot.read_only:
        parts.append("read-only")
    return parts


def structure_lines(answer: ClassAnswer) -> Iterator[str]:
    """Return the lines about what DEFSTRUCT made besides accessors."""
    if answer.constructors:
        yield "  Constructors:"
        for one in answer.constructors:
            # The place of the structure is in the text already; few constructors are from elsewhere.
            place = "" if _place(one) == _place(answer) else _place(one)
            yield f"    {_line(_call(one), place)}"
    if answer.predicate:
        yield f"  Predicate: {shown_name(answer.predicate.written)}"
    if answer.copier:
        yield f"  Copier: {shown_name(answer.copier.written)}"


def implement_lines(answer: ClassAnswer) -> Iterator[str]:
    """Return the lines about what subclasses have to implement."""
    if answer.to_implement_total:
        yield f"  To implement: {answer.to_implement_total}"
    for (protocol, on), functions in groupby(answer.to_implement, key=lambda one: (one.protocol, one.on)):
        yield shown_name(f"    {protocol or 'methods that only signal an error'}, on {on}:")
        there = []
        for one in functions:
            if one.required or one.state == "missing":
                state = f"{one.state} on {one.implemented_on}" if one.implemented_on else one.state
                if one.state == "missing" and on == answer.written:
                    state = "left to subclasses"
                yield f"      {_line(_call(one), shown_name(state), _place(one))}"
            else:
                there.append(one.written if one.state == "default" else f"{one.written} (implemented)")
        if there:
            yield shown_name(f"      with a default method: {', '.join(there)}")
    if answer.unread_methods:
        yield f"    methods not examined, because there are too many: {answer.unread_methods}"


def _inherited(answer: ClassAnswer) -> Iterator[str]:
    yield f"  Inherited methods: {answer.inherited_methods_total}"
    if not answer.inherited_methods:
        yield from (
            f"    on {shown_name(above)}: {number}" for above, number in answer.inherited_from.items()
        )
    for above, methods in groupby(answer.inherited_methods, key=lambda one: one.on):
        yield f"    on {shown_name(above)}: {answer.inherited_from[above]}"
        yield from (f"      {_line(_method(one), _place(one))}" for one in methods)


def _method(method: MethodAnswer) -> str:
    parts = (method.written, method.qualifiers, method.specializers)
    return shown_name(" ".join(part for part in parts if part))


def _call(function: StructureFunction | GenericToImplement) -> str:
    return shown_name(" ".join(part for part in (function.written, function.arglist) if part))


def _place(answer: _Placed) -> str:
    return ":".join(str(part) for part in (answer.path, answer.line, answer.column) if part is not None)


def _line(*parts: str) -> str:
    return "  ".join(part for part in parts if part)


def _rest(shown: Sequence[object], total: int, offset: int, more: str) -> list[str]:
    return [f"    {line}" for line in rest_line(shown, total, offset, more)]
