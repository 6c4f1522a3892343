"""The answer of class for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from ...index.shown import counted, shown_name
from ...syntax.printed import bare_standard
from ..styled import (
    BLANK,
    Line,
    Part,
    fact,
    faint,
    joined,
    kind,
    label,
    line,
    listed,
    name,
    paragraphs,
    rest,
)
from ..view import View
from .answer import ClassAnswer, GenericToImplement, MethodAnswer, SlotAnswer, StructureFunction


def class_people(answer: ClassAnswer, view: View, *, inherited: bool) -> Iterator[Line]:
    """What the class is, its own slots and methods, how it is used; then what it inherits.

    Of the methods that it inherits, those on classes of its own package or sources are listed, and the slots
    that it inherits take a line each; with ``inherited``, all is shown.
    """
    yield line(name(answer.written), kind(answer.kind))
    if answer.documentation:
        yield from (BLANK, *paragraphs(answer.documentation), BLANK)
    if answer.path:
        yield line(view.at(answer), indent=2)
    yield from _facts(answer, view)
    own = [one for one in answer.slots if one.defined_in == answer.written]
    yield from _slots("Slots", own, answer, view, whole=True)
    yield from _structure(answer, view)
    methods = [_method(one, view) for one in answer.methods]
    on_it = f"{counted(answer.methods_total, 'method')} on it"
    yield from _section(on_it, answer.methods, methods, answer.methods_total, answer.offset)
    if answer.printer:
        yield fact("Printed by", joined(_method(answer.printer, view).segments))
    others = [one for one in answer.slots if one not in own]
    yield from _slots("Inherited slots", others, answer, view, whole=inherited)
    yield from _inherited(answer, view, everything=inherited)
    yield from _to_implement(answer, view)
    yield from _uses(answer, view)


def _facts(answer: ClassAnswer, view: View) -> Iterator[Line]:
    initargs = (
        f"{view.lisp(initarg)} {view.form(form)}" for initarg, form in answer.default_initargs.items()
    )
    facts: list[tuple[str, Part]] = [
        ("Metaclass", name(answer.metaclass or "")),
        ("Typed structure", view.lisp(answer.representation or "")),
        ("Superclasses", listed(name(shown_name(one)) for one in answer.superclasses)),
        ("Precedence", "" if answer.representation else _precedence(answer)),
        ("Accessor prefix", view.lisp(answer.accessor_prefix or "")),
        ("Default initargs", ", ".join(initargs)),
        ("System", answer.system or ""),
    ]
    yield from (fact(named, value) for named, value in facts if value)


def _precedence(answer: ClassAnswer) -> Part:
    if answer.precedence is not None:
        return listed(name(shown_name(one)) for one in answer.precedence)
    if answer.computed_precedence is None:
        return "not finalized yet"
    computed = listed(name(shown_name(one)) for one in answer.computed_precedence)
    return joined("not finalized yet; computed from its superclasses: ", computed)


def _slots(
    heading: str, slots: Sequence[SlotAnswer], answer: ClassAnswer, view: View, *, whole: bool
) -> Iterator[Line]:
    if slots:
        yield line(label(heading), indent=2)
    for slot in slots:
        lines = _slot(slot, answer.written, view)
        yield from lines if whole else [next(lines)]


def _slot(slot: SlotAnswer, owner: str, view: View) -> Iterator[Line]:
    facts = (
        *(view.lisp(one) for one in slot.initargs),
        f"type {view.lisp(slot.type)}" if slot.type else "",
        f"initform {view.form(slot.initform)}" if slot.initform is not None else "",
        f"allocation {slot.allocation}" if slot.allocation != "instance" else "",
        "read-only" if slot.read_only else "",
        faint(f"from {bare_standard(slot.defined_in)}") if slot.defined_in != owner else "",
    )
    yield line(name(view.lisp(slot.name)), *facts, indent=4, hang=4)
    if functions := [*slot.readers, *slot.writers]:
        yield line(f"accessors: {', '.join(map(bare_standard, functions))}", indent=6, hang=4)
    if slot.documentation:
        yield line(" ".join(slot.documentation.split()), indent=6, hang=0)


def _structure(answer: ClassAnswer, view: View) -> Iterator[Line]:
    if answer.constructors:
        yield line(label("Constructors" if len(answer.constructors) > 1 else "Constructor"), indent=2)
    for one in answer.constructors:
        # The place of the structure is in the text already; few constructors are from elsewhere.
        place = "" if view.at(one) == view.at(answer) else view.at(one)
        yield line(_call(one, view), place, indent=4, hang=4)
    if answer.predicate:
        yield fact("Predicate", name(answer.predicate.written))
    if answer.copier:
        yield fact("Copier", name(answer.copier.written))


def _section(
    heading: str, shown: Sequence[object], lines: Iterable[Line], total: int, offset: int
) -> Iterator[Line]:
    """A heading, and the lines of what is ``shown`` of so many below it."""
    if total:
        yield line(label(heading), indent=2)
        yield from lines
        yield from rest(shown, total, offset, indent=4)


def _method(method: MethodAnswer, view: View, indent: int = 4) -> Line:
    told = "".join(f" {view.lisp(part)}" for part in (method.qualifiers, method.specializers) if part)
    return line(joined(name(method.written), told), view.at(method), indent=indent, hang=4)


def _inherited(answer: ClassAnswer, view: View, *, everything: bool) -> Iterator[Line]:
    """The methods on superclasses: those on classes of its own package or sources, unless all are wanted."""
    if not answer.inherited_methods_total:
        return
    near = {one.on for one in answer.inherited_methods if everything or _is_near(one, answer)}
    yield line(label(counted(answer.inherited_methods_total, "inherited method")), indent=2)
    shown = [one for one in answer.inherited_methods if one.on in near]
    for above, methods in groupby(shown, key=lambda one: one.on):
        yield line(_on(above, answer), indent=4)
        yield from (_method(one, view, 6) for one in methods)
    total = sum(number for above, number in answer.inherited_from.items() if everything or above in near)
    yield from rest(shown, total, answer.offset, indent=4)
    others = [above for above in answer.inherited_from if above not in near]
    if others and not everything:
        counts = listed(_on(above, answer) for above in others)
        yield line(counts, faint("(--inherited lists them)"), indent=4, hang=4)


def _on(above: str, answer: ClassAnswer) -> Part:
    return joined(f"{answer.inherited_from[above]:,} on ", name(shown_name(above)))


def _is_near(method: MethodAnswer, answer: ClassAnswer) -> bool:
    """Whether a method is on a class of the package or the sources of the class itself, but not SBCL's."""
    package = _package_of(method.on)
    if package == "common-lisp" or package.startswith("sb-") or answer.root == "sbcl":
        return False
    same_sources = answer.root is not None and method.root == answer.root
    return same_sources or package == _package_of(answer.written)


def _package_of(written: str) -> str:
    return written.rpartition(":")[0].rstrip(":")


def _to_implement(answer: ClassAnswer, view: View) -> Iterator[Line]:
    if answer.to_implement_total:
        yield line(label(f"{counted(answer.to_implement_total, 'function')} to implement"), indent=2)
    for (protocol, on), functions in groupby(answer.to_implement, key=lambda one: (one.protocol, one.on)):
        what = protocol or "methods that only signal an error"
        yield line(joined(f"{what}, on ", name(shown_name(on))), indent=4)
        there = []
        for one in functions:
            if one.required or one.state == "missing":
                yield line(_call(one, view), faint(_state(one, answer)), view.at(one), indent=6, hang=4)
            else:
                there.append(one.written if one.state == "default" else f"{one.written} (implemented)")
        if there:
            yield line(f"with a default method: {', '.join(map(bare_standard, there))}", indent=6)
    yield from rest(answer.to_implement, answer.to_implement_total, answer.offset, indent=4)
    if answer.unread_methods:
        many = f"methods not examined, because there are too many: {answer.unread_methods:,}"
        yield line(faint(many), indent=4)


def _state(one: GenericToImplement, answer: ClassAnswer) -> str:
    if one.state == "missing" and one.on == answer.written:
        return "left to subclasses"
    return f"{one.state} on {bare_standard(one.implemented_on)}" if one.implemented_on else one.state


def _uses(answer: ClassAnswer, view: View) -> Iterator[Line]:
    made = "Signalled or made in" if answer.kind == "condition" else "Made in"
    for heading, uses, total in (
        (made, answer.made_in, answer.made_total),
        ("Handled in", answer.handled_in, answer.handled_total),
    ):
        lines = [line(name(shown_name(one.by)), view.at(one), indent=4, hang=4) for one in uses]
        yield from _section(f"{heading} {counted(total, 'place')}", uses, lines, total, answer.offset)
    lines = [line(name(shown_name(one.written)), view.at(one), indent=4, hang=4) for one in answer.subclasses]
    subclasses = counted(answer.subclasses_total, "subclass", "subclasses")
    yield from _section(subclasses, answer.subclasses, lines, answer.subclasses_total, answer.offset)


def _call(function: StructureFunction | GenericToImplement, view: View) -> Part:
    arglist = f" {view.lambda_list(function.arglist)}" if function.arglist else ""
    return joined(name(function.written), arglist)
