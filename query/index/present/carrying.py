"""Places of an old text carried into a new one.

Both texts are split into blocks, each of which begins at a line that begins with a parenthesis, a semicolon
or a sharp sign. Blocks that are found again are carried whole, in order or moved. What differs between them
is compared line by line, and what differs then token by token. A place that is not found again is given up,
and so is one that is found outside of the form that it was in.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from operator import itemgetter
from typing import NamedTuple

from ...syntax.lexemes import BLOCK, CLOSE, END, LEXEME, OPEN, STRAY, VECTOR, block_end
from ...syntax.mentions import CONSTITUENT, OPENING, PIECE

_MARGIN = re.compile(r"\n(?=[(;#])")
_WORD = re.compile(rf"(?:{CONSTITUENT.pattern})+")
_LINE = re.compile(r"\S[^\n]*")  # however far it is indented
# How many times the parts between matches are compared again.
_MOST_ROUNDS = 8
# The most lines that are compared token by token.
_MOST_LINES = 2_000
# A few equal tokens amid others are ignored if they have fewer words than this.
_LEAST_WORDS = 2
# The most blocks whose lengths are remembered: in an editor, a text is carried at each keystroke.
_MOST_LENGTHS = 4_000
# How much of a form must stay together.
_MOST, _NEARLY_ALL = 0.5, 0.9


class _Piece(NamedTuple):
    """A part of a text, without white space at its end."""

    start: int
    text: str
    key: str
    """What is compared."""


class _Run(NamedTuple):
    """A part of the old text that is found in the new one."""

    start: int
    now: int
    length: int


_Pairs = list[tuple[int, int]]
_Split = Callable[[str, int], Iterator[_Piece]]


class Carrying:
    """Carries places of an old text into a new one."""

    def __init__(self, old: str, new: str) -> None:
        self._old = old
        self._new = new
        self._runs = [_Run(0, 0, len(old))] if old == new else sorted(_carried(old, new))
        if old != new:
            self._runs = self._kept_together()

    def offset(self, start: int, length: int) -> int | None:
        """Return where the text of ``length`` from ``start`` on is now; None if it is gone."""
        # Its first word says where it is: one parenthesis is like another.
        word = CONSTITUENT.search(self._old, start, start + length)
        skipped = word.start() - start if word else 0
        now = self._now(start + skipped)
        now = now - skipped if now is not None and now >= skipped else None
        if now is None or not self._new.startswith(self._old[start : start + length], now):
            return None
        before = not _joined(self._old, start - 1) and _joined(self._new, now - 1)
        after = not _joined(self._old, start + length) and _joined(self._new, now + length)
        return None if before or after else now

    def form(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the extent now of a form, which may have been edited inside; None if it is gone.

        Its opening must have been carried, with the name if it is a definition, and most of its text.
        """
        now = self.offset(start, end - start)
        if now is not None:
            return now, now + end - start
        opening = OPENING.match(self._old, start, end)
        now = self.offset(start, len(opening[0])) if opening else None
        if now is None:
            return None
        finish = form_end(self._new, now) if self._old[start] == "(" else None
        if finish is None:
            last = self._now(end - 1)
            finish = last + 1 if last is not None else now
        return (now, finish) if finish > now and self._is_in(start, end, now, finish, _MOST) else None

    def at(self, start: int) -> tuple[int, int] | None:
        """Return the extent now of the form or word at ``start``; None if it is gone."""
        if self._old.startswith("(", start):
            end = form_end(self._old, start)
            return self.form(start, end) if end is not None else None
        word = _WORD.match(self._old, start)
        length = len(word[0]) if word else 1
        now = self.offset(start, length)
        return None if now is None else (now, now + length)

    def _kept_together(self) -> list[_Run]:
        """The runs without those that have left the form that they were in.

        Most of a form must be together, in the form that has its name. If its name is gone, nearly all of the
        rest must be: another form may have come in its place, or a copy of it be somewhere.
        """
        regions = [start for start, _ in _forms(self._new)]
        starts, homes = [], []
        for start, end in _forms(self._old):
            if self.offset(start, end - start) is None:
                starts.append(start)
                homes.append((end, self._home(start, end, regions)))
        kept = []
        for run in self._runs:
            index = bisect_right(starts, run.start) - 1
            end, (first, last) = homes[index] if index >= 0 else (0, (0, 0))
            if run.start >= end or first <= run.now < last:
                kept.append(run)
        return kept

    def _home(self, start: int, end: int, regions: list[int]) -> tuple[int, int]:
        """The extent in which the text of a form must be now; an empty one if it is gone.

        ``regions`` are the places where the forms of the new text begin.
        """
        opening = OPENING.match(self._old, start, end)
        words = list(_WORD.finditer(opening[0])) if opening else []
        name = self.offset(start + words[-1].start(), len(words[-1][0])) if words else None
        if name is not None:
            region, least = bisect_right(regions, name), _MOST
        else:
            start, least = start + len(opening[0] if opening else ""), _NEARLY_ALL
            ink: Counter[int] = Counter()
            for run in self._runs_in(start, end):
                ink[bisect_right(regions, run.now)] += _ink(self._old[run.start : run.start + run.length])
            region = max(ink, key=ink.__getitem__, default=0)
        edges = [0, *regions, len(self._new)]
        home = edges[region], edges[region + 1]
        return home if self._is_in(start, end, *home, least) else (0, 0)

    def _runs_in(self, start: int, end: int) -> list[_Run]:
        """The runs that have something of the old text between two offsets."""
        first = max(0, bisect_right(self._runs, start, key=itemgetter(0)) - 1)
        return self._runs[first : bisect_left(self._runs, end, key=itemgetter(0))]

    def _now(self, offset: int) -> int | None:
        index = bisect_right(self._runs, offset, key=itemgetter(0)) - 1
        if index < 0:
            return None
        run = self._runs[index]
        return run.now + offset - run.start if offset < run.start + run.length else None

    def _is_in(self, start: int, end: int, now: int, finish: int, least: float) -> bool:
        """Return whether at least a part of the old text from ``start`` to ``end`` is in an extent now."""
        found = 0
        for run in self._runs_in(start, end):
            moved = run.now - run.start
            left = max(run.start, start, now - moved)
            right = min(run.start + run.length, end, finish - moved)
            found += _ink(self._old[left:right]) if left < right else 0
        return found >= least * _ink(self._old[start:end])


def _joined(text: str, offset: int) -> bool:
    """Return whether a token beside ``offset`` goes on there."""
    return offset >= 0 and CONSTITUENT.match(text, offset) is not None


def _ink(text: str) -> int:
    """Return the number of characters other than white space."""
    return sum(map(len, text.split()))


def form_end(text: str, start: int) -> int | None:
    """Return where the list that begins at ``start`` of a text ends; None if it does not."""
    position: int | None = start
    depth = 0
    while position is not None and (match := LEXEME.match(text, position)) is not None:
        kind, position = match.lastindex, match.end()
        if kind in (OPEN, VECTOR):
            depth += 1
        elif kind == CLOSE:
            depth -= 1
            if depth == 0:
                return position
        elif kind == BLOCK:
            position = block_end(text, match.start(BLOCK))
        elif kind in (END, STRAY):
            return None
    return None


def _forms(text: str) -> Iterator[tuple[int, int]]:
    """Yield the extents of the forms that begin at the beginning of a line, but not those in others."""
    last = 0
    for block in _blocks(text):
        if block.key[0] == "(" and block.start >= last:
            within = _length(block.text)
            end = form_end(text, block.start) if within is None else block.start + within
            last = end or block.start + len(block.text)
            yield block.start, last


@lru_cache(_MOST_LENGTHS)
def _length(block: str) -> int | None:
    """Return the length of the list that a block begins with; None if it does not end there."""
    return form_end(block, 0)


def _carried(old: str, new: str) -> Iterator[_Run]:
    """Yield the parts of the old text that are found in the new one, in no certain order."""
    ours, theirs = list(_blocks(old)), list(_blocks(new))
    pairs = _pairs([one.key for one in ours], [one.key for one in theirs])
    moved = _moved(ours, theirs, pairs)
    for i, j in chain(pairs, moved):
        yield from _runs(ours[i], theirs[j])
    edited = _edited(ours, theirs, [*pairs, *moved])
    for i, j in edited:
        yield from _in_lines(list(_split(_LINE, ours[i])), list(_split(_LINE, theirs[j])))
    left, right = {i for i, _ in moved + edited}, {j for _, j in moved + edited}
    for here, there in _gaps(pairs, len(ours), len(theirs)):
        yield from _in_lines(
            [line for i in here if i not in left for line in _split(_LINE, ours[i])],
            [line for j in there if j not in right for line in _split(_LINE, theirs[j])],
        )


def _blocks(text: str) -> Iterator[_Piece]:
    """Split a text at the lines that begin with a parenthesis, a semicolon or a sharp sign."""
    starts = [0, *(match.end() for match in _MARGIN.finditer(text)), len(text)]
    for start, end in pairwise(starts):
        piece = text[start:end].rstrip()
        if piece:
            yield _Piece(start, piece, piece.replace("\r\n", "\n") if "\r" in piece else piece)


def _split(pattern: re.Pattern[str], piece: _Piece) -> Iterator[_Piece]:
    """Split a piece into lines or tokens."""
    for match in pattern.finditer(piece.text):
        text = match[0].rstrip()
        if text:
            yield _Piece(piece.start + match.start(), text, text)


def _runs(one: _Piece, other: _Piece) -> Iterator[_Run]:
    """Yield the runs of two pieces with the same key: their line ends may differ."""
    if one.text == other.text:
        yield _Run(one.start, other.start, len(one.text))
        return
    for here, there in zip(_split(_LINE, one), _split(_LINE, other), strict=True):
        yield _Run(here.start, there.start, len(here.text))


def _moved(ours: list[_Piece], theirs: list[_Piece], pairs: _Pairs) -> _Pairs:
    """Pair the blocks that are gone at one place, and new at exactly one other."""
    left, right = {i for i, _ in pairs}, {j for _, j in pairs}
    once = _once({j: one.key for j, one in enumerate(theirs) if j not in right})
    gone = _once({i: one.key for i, one in enumerate(ours) if i not in left})
    return [(i, once[key]) for key, i in gone.items() if key in once]


def _edited(ours: list[_Piece], theirs: list[_Piece], pairs: _Pairs) -> _Pairs:
    """Pair the definitions that are not the same, but the only ones with their opening on either side."""
    left, right = {i for i, _ in pairs}, {j for _, j in pairs}
    once = _once(_openings(theirs, right))
    return [(i, once[opening]) for opening, i in _once(_openings(ours, left)).items() if opening in once]


def _openings(blocks: list[_Piece], without: set[int]) -> dict[int, str]:
    """The openings of definitions: an operator and a name."""
    found = {
        place: OPENING.match(one.text)
        for place, one in enumerate(blocks)
        if place not in without and one.key[0] == "("
    }
    return {
        place: opening[0]
        for place, opening in found.items()
        if opening and len(_WORD.findall(opening[0])) > 1
    }


def _once(keys: dict[int, str]) -> dict[str, int]:
    """Return the places of the keys that occur once."""
    counts = Counter(keys.values())
    return {key: place for place, key in keys.items() if counts[key] == 1}


def _in_lines(ours: list[_Piece], theirs: list[_Piece]) -> Iterator[_Run]:
    """Yield what two runs of lines share."""
    if not ours or not theirs:
        return
    pairs = _pairs([one.key for one in ours], [one.key for one in theirs])
    for i, j in pairs:
        yield _Run(ours[i].start, theirs[j].start, len(ours[i].text))
    for here, there in _gaps(pairs, len(ours), len(theirs)):
        if 0 < len(here) <= _MOST_LINES and 0 < len(there) <= _MOST_LINES:
            yield from _in_tokens(
                [token for i in here for token in _split(PIECE, ours[i])],
                [token for j in there for token in _split(PIECE, theirs[j])],
            )


def _in_tokens(ours: list[_Piece], theirs: list[_Piece]) -> Iterator[_Run]:
    """Yield what two runs of tokens share, but for words amid others."""
    pairs = _pairs([one.key for one in ours], [one.key for one in theirs])
    first, last = (0, 0), (len(ours) - 1, len(theirs) - 1)
    for group in _slid(pairs, ours, theirs):
        words = sum(_joined(ours[i].text, 0) for i, _ in group)
        if words >= _LEAST_WORDS or group[0] == first or group[-1] == last:
            for i, j in group:
                yield _Run(ours[i].start, theirs[j].start, len(ours[i].text))


def _slid(pairs: _Pairs, ours: list[_Piece], theirs: list[_Piece]) -> list[_Pairs]:
    """The pairs that follow one another directly; what is between two such rows is a list if it can be.

    One parenthesis or word is like another, so ``(a) (b) (c)`` may have come from ``(a) (c)`` by any of
    ``(b)``, ``b) (`` and ``) (b`` being inserted.
    """
    groups = list(_together(pairs))
    for number in range(len(groups) - 1):
        one, other = groups[number : number + 2]
        if not one or not other:
            continue
        (i, j), (k, m) = one[-1], other[0]
        if k == i + 1:
            shift, i_by, j_by = _shift(theirs, j + 1, m, len(one), len(other)), 0, m - j - 1
        elif m == j + 1:
            shift, i_by, j_by = _shift(ours, i + 1, k, len(one), len(other)), k - i - 1, 0
        else:
            continue
        if shift < 0:
            moved = [(i + i_by, j + j_by) for i, j in one[shift:]]
            groups[number : number + 2] = one[:shift], moved + other
        else:
            moved = [(i - i_by, j - j_by) for i, j in other[:shift]]
            groups[number : number + 2] = one + moved, other[shift:]
    return [group for group in groups if group]


def _shift(pieces: list[_Piece], low: int, high: int, before: int, after: int) -> int:
    """How far a part of a row can be slid to the nearest place where it is a list; 0 if there is none.

    ``before`` and ``after`` limit how far.
    """
    found = []
    for step, most in ((1, after), (-1, before)):
        shift = 0
        while not (pieces[low + shift].text == "(" and pieces[high - 1 + shift].text == ")"):
            old, new = (low + shift, high + shift) if step > 0 else (high - 1 + shift, low - 1 + shift)
            if abs(shift) >= most or pieces[old].key != pieces[new].key:
                break
            shift += step
        else:
            found.append(shift)
    return min(found, key=abs, default=0)


def _together(pairs: _Pairs) -> Iterator[_Pairs]:
    """Yield the pairs that follow one another directly."""
    group: _Pairs = []
    for i, j in pairs:
        if group and group[-1] != (i - 1, j - 1):
            yield group
            group = []
        group.append((i, j))
    if group:
        yield group


def _gaps(pairs: _Pairs, ours: int, theirs: int) -> Iterator[tuple[range, range]]:
    """Yield what lies between the pairs, on both sides."""
    for (i, j), (k, m) in pairwise([(-1, -1), *pairs, (ours, theirs)]):
        if k > i + 1 or m > j + 1:
            yield range(i + 1, k), range(j + 1, m)


def _pairs(ours: Sequence[str], theirs: Sequence[str]) -> _Pairs:
    """Pair what is the same in two sequences, in order (a patience diff).

    What occurs once on either side is paired first, in the longest possible order; then the same between such
    pairs. What occurs more often is paired only next to a pair or to an end.
    """
    found: _Pairs = []
    rest = [(0, len(ours), 0, len(theirs), _MOST_ROUNDS)]
    while rest:
        i, k, j, m, rounds = rest.pop()
        while i < k and j < m and ours[i] == theirs[j]:
            found.append((i, j))
            i, j = i + 1, j + 1
        while i < k and j < m and ours[k - 1] == theirs[m - 1]:
            k, m = k - 1, m - 1
            found.append((k, m))
        anchors = _anchors(ours, theirs, range(i, k), range(j, m)) if rounds and i < k and j < m else []
        if anchors:
            found += anchors
            edges = [(i - 1, j - 1), *anchors, (k, m)]
            rest += [(a + 1, b, c + 1, d, rounds - 1) for (a, c), (b, d) in pairwise(edges)]
    return sorted(found)


def _anchors(ours: Sequence[str], theirs: Sequence[str], here: range, there: range) -> _Pairs:
    """Pair what occurs once in each of two ranges: the most pairs that are in the same order."""
    left, right = _once({i: ours[i] for i in here}), _once({j: theirs[j] for j in there})
    ends: list[int] = []  # the least end in ``theirs`` of an ordered row, by its length
    rows: list[tuple[int, int, int]] = []  # the last pair of each such row, and the row before it
    tails: list[int] = []
    for key, i in left.items():
        j = right.get(key)
        if j is None:
            continue
        length = bisect_left(ends, j)
        rows.append((i, j, tails[length - 1] if length else -1))
        ends[length : length + 1] = [j]
        tails[length : length + 1] = [len(rows) - 1]
    found: _Pairs = []
    row = tails[-1] if tails else -1
    while row >= 0:
        i, j, row = rows[row]
        found.append((i, j))
    return found[::-1]
