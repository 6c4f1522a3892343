"""The toplevel forms by which two states of a text differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..index.present.lines import TextLines
from ..syntax.features import Features
from ..syntax.lexemes import lexemes
from ..syntax.names.defined import defined_name
from ..syntax.nodes import Atom, Form
from ..syntax.texts import PlacedForm, ReadText
from .documented import documentation_strings, lambda_list

CHANGED, ADDED, REMOVED = "changed", "added", "removed"


class FormName(NamedTuple):
    """What a toplevel form begins with: its operator and the token after it, in lower case."""

    operator: str
    name: str


@dataclass(frozen=True)
class TextForm:
    """A toplevel form of a text; two are the same if they differ only in blanks and comments."""

    line: int
    placed: PlacedForm

    @property
    def end_line(self) -> int:
        """The line that it ends on."""
        return self.line + self.placed.text.count("\n")

    @property
    def is_undecided(self) -> bool:
        """Whether an unknown feature decides if it is read."""
        return self.placed.toplevel.node.kind == "?"

    @cached_property
    def same(self) -> tuple[str, ...]:
        """What forms that are the same have in common: their lexemes."""
        return tuple(one.text for one in lexemes(self.placed.text))

    @cached_property
    def acting(self) -> tuple[str, ...]:
        """The same without documentation strings."""
        node = self.placed.toplevel.node
        strings = {one.start - self.placed.start for one in documentation_strings(node)}
        return tuple(one.text for one in lexemes(self.placed.text) if one.start not in strings)

    @property
    def head(self) -> tuple[str, ...]:
        """What comes before its body, if it is a method: the name, the qualifiers and the specializers."""
        items = self.placed.toplevel.node.items
        if self.name.operator != "defmethod" or not items:
            return ()
        end = items[min(lambda_list(items), len(items) - 1)].end - self.placed.start
        return tuple(one.text for one in lexemes(self.placed.text[:end]))

    @cached_property
    def name(self) -> FormName:
        """What it begins with."""
        words = [one.text.lower() for one in lexemes(self.placed.text[:500]) if one.kind != "open"]
        words += ["", ""]
        return FormName(words[0].rpartition(":")[2], words[1])

    @property
    def words(self) -> set[str]:
        """The symbols in it, in lower case and without packages."""
        return {one.text.lower().rpartition(":")[2] for one in lexemes(self.placed.text)}

    @property
    def shown(self) -> str:
        """The beginning of its first line."""
        line = self.placed.text.partition("\n")[0]
        return line if len(line) <= 60 else f"{line[:57]}..."

    @property
    def first_name(self) -> str:
        """The name that its form gives, as written, also in ``(name options)``; else its beginning."""
        node = self.placed.toplevel.node
        atom = defined_name(node.items[1])[0] if len(node.items) > 1 else None
        return atom.text if atom is not None else self.shown

    def defined(self) -> list[Atom]:
        """The names that the defining forms in it define, as atoms."""
        found = []
        for form in self.placed.toplevel.definers:
            if isinstance(form, Form) and len(form.items) > 1:
                atom, _ = defined_name(form.items[1])
                if atom is not None:
                    found.append(atom)
        return found


@dataclass(frozen=True, slots=True)
class FormChange:
    """A form that differs: ``old`` is None if it is new, ``new`` if it is gone."""

    old: TextForm | None
    new: TextForm | None

    @property
    def what(self) -> str:
        """The sort of change."""
        if self.old is None:
            return ADDED
        return REMOVED if self.new is None else CHANGED

    @property
    def is_silent(self) -> bool:
        """Whether only documentation strings differ."""
        return self.old is not None and self.new is not None and self.old.acting == self.new.acting

    @property
    def forms(self) -> list[TextForm]:
        """The old and the new form, as far as they exist."""
        return [one for one in (self.old, self.new) if one is not None]


def forms_of(text: str, features: Features) -> list[TextForm]:
    """The toplevel forms of a text."""
    lines = TextLines(text)
    placed = ReadText(text, features).forms
    return [TextForm(lines.place(one.start)[0], one) for one in placed]


def numbered(forms: Sequence[TextForm], anchors: Mapping[int, int]) -> dict[int, TextForm]:
    """The forms by their numbers among those that SBCL has read, from 0.

    ``anchors`` are the lines of some of the numbers, which tell whether SBCL has read what is undecided here.
    """
    on_line = {line: number for number, line in anchors.items()}
    known = [
        next((on_line[line] for line in range(one.line, one.end_line + 1) if line in on_line), None)
        for one in forms
    ]
    found: dict[int, TextForm] = {}
    number = 0
    for place, one in enumerate(forms):
        if known[place] is not None:
            number = known[place] or 0
        elif one.is_undecided and not _is_counted(forms, known, place, number):
            continue
        found[number] = one
        number += 1
    return found


def _is_counted(forms: Sequence[TextForm], known: Sequence[int | None], place: int, number: int) -> bool:
    """Whether an undecided form has a number, as the next form of which it is known says."""
    for later in range(place + 1, len(forms)):
        wanted = known[later]
        if wanted is not None:
            return wanted - number == later - place
    return False


def form_changes(before: Sequence[TextForm], after: Sequence[TextForm]) -> list[FormChange]:
    """The changes between two states of the forms of a text; a form that has only moved is not a change."""
    # Most forms are the same to the letter, which is quickly told.
    before, after = _different(before, after, lambda one: one.placed.text)
    removed, added = _different(before, after, lambda one: one.same)
    changes = []
    for one in removed:
        successor = next((new_one for new_one in added if new_one.name == one.name), None)
        if successor is not None:
            added.remove(successor)
        changes.append(FormChange(one, successor))
    return [*changes, *(FormChange(None, one) for one in added)]


def _different(
    before: Sequence[TextForm], after: Sequence[TextForm], key: Callable[[TextForm], Hashable]
) -> tuple[list[TextForm], list[TextForm]]:
    """The forms of two states that the other has not, by what a key says of them."""
    common = Counter(map(key, before)) & Counter(map(key, after))
    return _without(before, Counter(common), key), _without(after, Counter(common), key)


def _without(
    forms: Sequence[TextForm], common: Counter[Hashable], key: Callable[[TextForm], Hashable]
) -> list[TextForm]:
    left = []
    for one in forms:
        if common[key(one)]:
            common[key(one)] -= 1
        else:
            left.append(one)
    return left
