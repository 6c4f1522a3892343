"""The place where a line begins: the lists around it, and what is on the lines before."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from .tree import Piece

_KEYWORD = re.compile(r"&(?:optional|rest|key|allow-other-keys|aux|whole|body|environment|more)(?![\w-])")
_CONDITIONAL = re.compile(r"#!?[+-]")
_WORD = re.compile(r"[^\w\n]*\w+[ \t]*")
_SYMBOL = re.compile(r"""[^\s()'"`,;#]""")


class LinePlace:
    """The place where a line to indent begins; ``around`` are the lists there, the innermost first."""

    def __init__(
        self, text: str, start: int, at: int, around: Sequence[Piece], column: Callable[[int], int]
    ) -> None:
        """``start`` is the offset of the line, ``at`` that of its first character that is not blank."""
        self.text, self.start, self.at = text, start, at
        self.around = around
        self.column = column
        self.inner = around[0]
        self.done = self.inner.items[: self.inner.before(start)]
        """The items of the innermost list that end before the line."""
        self.base = column(self.inner.open)
        """The column of the parenthesis of the innermost list."""
        self.normal = self._normal()
        """The column of an argument of a function."""

    def looks_at(self, pattern: re.Pattern[str]) -> bool:
        """Whether the line begins with a pattern."""
        return pattern.match(self.text, self.at) is not None

    def starts_with(self, text: str) -> bool:
        """Whether the line begins with a text."""
        return self.text.startswith(text, self.at)

    def path(self, depth: int) -> tuple[int, ...]:
        """The numbers of the items that lead to the line: in the list at a depth, in that item, and so on."""
        return tuple(self._number(one) for one in reversed(self.around[: depth + 1]))

    def _number(self, one: Piece) -> int:
        return one.before(self.start)

    def item(self, depth: int) -> Piece | None:
        """The item of the list at a depth in which the line is, or which begins it; None at the end."""
        one = self.around[depth]
        number = self._number(one)
        return one.items[number] if number < len(one.items) else None

    def is_symbol(self, one: Piece) -> bool:
        """Whether an item is a symbol without a prefix."""
        return not one.is_list and not one.prefix and _SYMBOL.match(one.text) is not None

    def is_conditional(self, one: Piece) -> bool:
        """Whether an item begins with what selects the next one by features."""
        return _CONDITIONAL.match(self.text, one.start) is not None

    def is_keyword(self, one: Piece) -> bool:
        """Whether an item is a keyword."""
        return self.text.startswith(":", one.start)

    def is_lambda_keyword(self, one: Piece) -> bool:
        """Whether an item is a lambda list keyword."""
        return _KEYWORD.match(self.text, one.start) is not None

    def same_line(self, one: int, other: int) -> bool:
        """Whether two offsets, the first of which comes first, are on one line."""
        return "\n" not in self.text[one:other]

    def first_on_line(self, one: Piece) -> int:
        """The offset of the first object on the line where an item begins."""
        start = self.text.rfind("\n", 0, one.start) + 1
        found = one.start
        for outer in self.around:
            for item in outer.items:
                if start <= item.start < found:
                    found = item.start
        inner = [item for item in self.done if item.start < start < item.end]
        while inner:  # the line begins within an item before
            deeper = inner.pop()
            for item in deeper.items:
                if start <= item.start < found:
                    found = item.start
                if item.start < start < item.end:
                    inner.append(item)
        return found

    def line_start(self, at: int) -> int:
        """The offset of the first character that is not blank on the line of an offset."""
        start = self.text.rfind("\n", 0, at) + 1
        while start < len(self.text) and self.text[start] in " \t":
            start += 1
        return start

    def past_word(self, at: int) -> int:
        """The offset after the next word and the blanks that follow it."""
        found = _WORD.match(self.text, at)
        return found.end() if found is not None else at

    def _normal(self) -> int:
        if not self.done:
            return self.base + 1
        first, last = self.done[0], self.done[-1]
        if first.is_list and not first.prefix:
            return self.column(first.start)
        if not self.same_line(first.start, last.start):
            return self.column(self.first_on_line(last))
        return self.column((self.done[1] if len(self.done) > 1 else first).start)
