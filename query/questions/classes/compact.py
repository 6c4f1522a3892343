"""The answer of class in few words, for a model that reads it; pure.

Each file is named once, names in the class's own package are written without it, and documentation is cut to
its first sentence. Methods on the classes that nearly every class inherits from are only counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Protocol

from ...index.sentence import first_sentence
from ...index.shown import shown_name
from ..paging import rest_line
from .answer import ClassAnswer, MethodAnswer, SlotAnswer
from .text import implement_lines, slot_facts, structure_lines

_COMMON = frozenset(
    (
        *("common-lisp:standard-object", "common-lisp:structure-object", "common-lisp:condition"),
        *("sb-pcl::slot-object", "common-lisp:t"),
    )
)
"""The superclasses of nearly every class."""
_USUAL_METACLASSES = (
    "common-lisp:standard-class",
    "common-lisp:structure-class",
    "sb-pcl::condition-class",
)
_SETF = "(setf {})"
_LONGEST = 80  # characters of a slot's documentation


class _Placed(Protocol):
    @property
    def path(self) -> str | None: ...
    @property
    def line(self) -> int | None: ...


def class_compact_text(answer: ClassAnswer, more: str) -> str:
    """The facts, slots, subclasses and methods of a class; ``more`` says how to get what a limit cut off."""
    short = _Short(answer)
    place = ":".join(str(part) for part in (answer.path, answer.line) if part is not None)
    lines = [f"{shown_name(answer.written)} [{answer.kind.upper()}]  {shown_name(place)}".rstrip()]
    if short.home and short.home != "common-lisp":
        home = shown_name(short.home)
        lines.append(f"  Names without a package are those of {home} or the standard; ::name is internal.")
    lines += _facts(answer, short)
    if sentence := first_sentence(answer.documentation):
        lines.append(f"  {shown_name(sentence)}")
    if answer.slots:
        lines.append(f"  Slots: {len(answer.slots)}")
        lines += [shown_name(f"    {_slot(slot, answer, short)}") for slot in answer.slots]
    lines += structure_lines(answer)
    lines += implement_lines(answer)
    lines += _rest(answer.to_implement, answer.to_implement_total, answer, more)
    made = "Signalled or made in" if answer.kind == "condition" else "Made in"
    for heading, placed, total in (
        (made, [(one, short(one.by)) for one in answer.made_in], answer.made_total),
        ("Handled in", [(one, short(one.by)) for one in answer.handled_in], answer.handled_total),
        ("Subclasses", [(one, short(one.written)) for one in answer.subclasses], answer.subclasses_total),
        ("Methods on it", [(one, _method(one, short)) for one in answer.methods], answer.methods_total),
    ):
        if total:
            lines.append(f"  {heading}: {total}")
            lines += _by_file(placed)
            lines += _rest(placed, total, answer, more)
    if answer.inherited_methods_total:
        lines += _inherited(answer, short)
        lines += _rest(answer.inherited_methods, answer.inherited_methods_total, answer, more)
    return "\n".join(lines)


class _Short:
    """Writes names without the package of the class, and without the standard's.

    An exported name is left as ``name``, an internal one as ``::name``.
    """

    def __init__(self, answer: ClassAnswer) -> None:
        self.home = answer.written.rpartition(":")[0].rstrip(":")
        self._prefixes = ["common-lisp:", *([f"{self.home}:"] if self.home else [])]

    def __call__(self, name: str) -> str:
        for prefix in self._prefixes:
            for before in ("", "(setf ", "(method ", "(method (setf "):
                if name.startswith(before + prefix):
                    rest = name[len(before) + len(prefix) :]
                    return f"{before}:{rest}" if rest.startswith(":") else before + rest
        return name


def _facts(answer: ClassAnswer, short: _Short) -> Iterator[str]:
    above = [short(one) for one in answer.superclasses if one not in _COMMON]
    computed = answer.precedence or answer.computed_precedence or []
    further = [short(one) for one in computed[1:] if one not in _COMMON]
    facts = [
        ("Metaclass", "" if answer.metaclass in _USUAL_METACLASSES else answer.metaclass),
        ("Typed structure", answer.representation),
        ("Superclasses", ", ".join(above)),
        ("Then", ", ".join(one for one in further if one not in above)),
        ("Accessor prefix", answer.accessor_prefix),
        ("System", answer.system),
    ]
    yield from (f"  {name}: {shown_name(value)}" for name, value in facts if value)
    own = {initarg for slot in answer.slots for initarg in slot.initargs}
    others = [f"{initarg} {form}" for initarg, form in answer.default_initargs.items() if initarg not in own]
    if others:
        yield shown_name(f"  Other default initargs: {', '.join(others)}")


def _slot(slot: SlotAnswer, answer: ClassAnswer, short: _Short) -> str:
    """The slot with initargs and their defaults, type, initform, where it is from, accessors, a sentence."""
    parts = [slot.name]
    for initarg in slot.initargs:
        default = answer.default_initargs.get(initarg)
        parts.append(initarg if default is None else f"{initarg} (default {default})")
    parts += slot_facts(slot)
    if slot.defined_in != answer.written:
        parts.append(f"from {short(slot.defined_in)}")
    both = [name for name in slot.readers if _SETF.format(name) in slot.writers]
    for names, how in (
        (both, "accessor"),
        ([name for name in slot.readers if name not in both], "reader"),
        ([name for name in slot.writers if name not in map(_SETF.format, both)], "writer"),
    ):
        parts += [f"{how} {', '.join(map(short, names))}"] if names else []
    sentence = first_sentence(slot.documentation) or ""
    if len(sentence) > _LONGEST:
        sentence = f"{sentence[:_LONGEST].rsplit(' ', 1)[0]} ..."
    return ". ".join(filter(None, ("  ".join(parts), sentence)))


def _method(method: MethodAnswer, short: _Short) -> str:
    parts = (short(method.written), method.qualifiers, method.specializers)
    return " ".join(part for part in parts if part)


def _by_file(placed: Sequence[tuple[_Placed, str]]) -> Iterator[str]:
    """The items, each on its line after the line that it is on; each file once."""
    files: dict[str | None, list[str]] = {}
    for one, text in placed:
        line = "" if one.line is None else f"{one.line} "
        files.setdefault(one.path, []).append(shown_name(f"      {line}{text}"))
    for path, lines in files.items():
        yield f"    {shown_name(path or 'place unknown')}"
        yield from lines


def _inherited(answer: ClassAnswer, short: _Short) -> Iterator[str]:
    """The numbers of inherited methods, and those that are not on what nearly every class inherits from."""
    yield f"  Inherited methods: {answer.inherited_methods_total}"
    shown = {on: list(those) for on, those in groupby(answer.inherited_methods, key=lambda one: one.on)}
    for above, number in answer.inherited_from.items():
        yield shown_name(f"    on {short(above)}: {number}")
        if above not in _COMMON:
            placed = [(one, _method(one, short)) for one in shown.get(above, ())]
            yield from (f"  {line}" for line in _by_file(placed))


def _rest(shown: Sequence[object], total: int, answer: ClassAnswer, more: str) -> list[str]:
    return [f"    {line}" for line in rest_line(shown, total, answer.offset, more)]
