"""Texts as the reader has them: toplevel forms with their places, which an edit leaves as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .cases import ReadForm, cases_of
from .features import Features
from .names.meanings import Meanings
from .nodes import Atom, Faults, Form, Toplevel
from .reader import read
from .tokens import Tokens


class PlacedForm(ReadForm):
    """A toplevel form in a text; its users may keep in ``kept`` what they derive from it."""

    __slots__ = ("_moved", "kept", "start")

    def __init__(self, toplevel: Toplevel, text: str) -> None:
        """``text`` is the whole text, where the offsets of the form count."""
        node = toplevel.node
        super().__init__(toplevel, node.text if isinstance(node, Atom) else text[node.start : node.end])
        self.start = node.start
        self._moved = 0
        """How far the text has moved since the offsets were right."""
        self.kept: object = None

    @property
    def end(self) -> int:
        """The offset after its last character."""
        return self.start + len(self.text)

    @property
    def toplevel(self) -> Toplevel:
        """The form as it was read."""
        if self._moved:
            self._toplevel.move(self._moved)
            self._moved = 0
        return self._toplevel

    @property
    def is_sound(self) -> bool:
        """Whether it is a list that nothing after it affects."""
        one, node = self._toplevel, self._toplevel.node
        return isinstance(node, Form) and node.kind == "(" and one.whole and one.standard and one.closed

    def move(self, by: int) -> None:
        """Take it to another place in the text."""
        self.start += by
        self._moved += by


class ReadText:
    """The toplevel forms of a text, and what is wrong with it."""

    def __init__(self, text: str, features: Features, before: ReadText | None = None) -> None:
        """``before`` is another state of the text, whose forms move here as far as they are the same."""
        self.text = text
        self.faults = Faults()
        self.forms: list[PlacedForm] = []
        self._cases: dict[str, list[str]] = {}
        following: dict[int, int] = {}
        """The numbers of the forms that come after where a form of the text before ends."""
        if before is not None:
            start, end = changed(before.text, text)
            self._take_beginning(before, start)
            following = before._following(end)
        moved = len(text) - len(before.text) if before is not None else 0
        for toplevel in read(text, features, self.faults, self.forms[-1].end if self.forms else 0):
            form = PlacedForm(toplevel, text)
            self.forms.append(form)
            number = following.get(form.end - moved) if form.is_sound else None
            if number is not None and before is not None:
                self._take_rest(before, number, moved)
                break

    def _take_beginning(self, before: ReadText, end: int) -> None:
        """Take the forms in front of an offset, up to the last that is sound."""
        count, open_from = 0, before.faults.open_from
        for number, one in enumerate(before.forms, 1):
            if one.end > (end if open_from is None else min(end, open_from)):
                break
            if one.is_sound:
                count = number
        self.forms += before.forms[:count]
        if count:
            self.faults.add(before.faults, 0, self.forms[-1].end, 0)

    def _following(self, start: int) -> dict[int, int]:
        """The numbers of the forms after sound ones from an offset on, by where these end."""
        if self.faults.open_from is not None:
            return {}
        return {one.end: at for at, one in enumerate(self.forms, 1) if one.is_sound and one.end >= start}

    def _take_rest(self, before: ReadText, number: int, moved: int) -> None:
        """Take the forms from a number on."""
        self.faults.add(before.faults, before.forms[number - 1].end, len(before.text), moved)
        for one in before.forms[number:]:
            one.move(moved)
            self.forms.append(one)

    def with_cases(
        self, package: str, meanings: Meanings, tokens: Tokens
    ) -> Iterator[tuple[PlacedForm, str]]:
        """The forms with the cases that they are read in, in a text that begins in a package.

        ``meanings`` and ``tokens`` are those of one index.
        """
        if package not in self._cases:
            self._cases[package] = cases_of(self.forms, package, meanings, tokens)
        return zip(self.forms, self._cases[package], strict=True)


class ReadTexts:
    """Reads texts with the features of one index, and keeps the last ones by their names."""

    def __init__(self, features: Features, most: int = 1) -> None:
        self._features = features
        self._most = most
        self._kept: dict[str, ReadText] = {}

    def of(self, name: str, text: str) -> ReadText:
        """The text as it is read; ``name`` tells an earlier state of it."""
        read_text = self._kept.pop(name, None)
        if read_text is None or read_text.text != text:
            while len(self._kept) >= self._most:  # which may go before the next one comes
                del self._kept[next(iter(self._kept))]
            read_text = ReadText(text, self._features, read_text)
        self._kept[name] = read_text
        return read_text


def changed(old: str, new: str) -> tuple[int, int]:
    """Where the part of a text begins and ends that another one has instead of it."""
    start = _common(lambda length: old[:length] == new[:length], min(len(old), len(new)))
    most = min(len(old), len(new)) - start
    end = _common(lambda length: old[len(old) - length :] == new[len(new) - length :], most)
    return start, len(old) - end


def _common(is_common: Callable[[int], bool], most: int) -> int:
    """The greatest length, up to ``most``, that two texts have in common."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if is_common(middle):
            low = middle
        else:
            high = middle - 1
    return low
