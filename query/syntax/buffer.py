"""A text that is edited, and its toplevel forms; after an edit, only forms that it may change are read again.

Broken text spoils only its own form. A form is read up to the margin, the next line that begins with a
parenthesis; if it has not ended there, the line is taken for a part of it (of a docstring, say) only if the
form ends further on. Otherwise the form is cut at that line, and reading continues there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from .features import Features
from .lexemes import block_end
from .nodes import Faults, Form, Node, Toplevel
from .reader import SCRIPT, Reader

FURTHEST = 100_000
"""The most characters that a form is read past its margin."""
# Looking far for the end of a form that has none takes time, for which forms with an end earn credit: so the
# time is linear in the length of the text. A single form in a sound text may always look as far as it needs.
_MOST_CREDIT = 4 * FURTHEST
_PAID = 4
# What lies between toplevel forms; a parenthesis that closes nothing spoils nothing.
_GAP = re.compile(r"(?:[ \t\n\r\f\x7f)]++|;[^\n]*+)*+")
# How far the lexer looks for the end of what begins with a stray quote or pipe.
_QUOTED = re.compile(r"""(?:"(?:[^"\\]++|\\.)*+"?|\|(?>(?:[^|\\\n]++|\n(?!\()|\\.)*))""", re.DOTALL)


class Chunk:
    """A toplevel form, an atom between such forms, or what is broken, and its place.

    The offsets of the nodes of ``toplevel`` count from ``start``, so they stay true when the chunk moves.
    What is broken extends to where reading continued. The users of a chunk may keep in ``cached`` what they
    derive from its text, which never changes.
    """

    __slots__ = ("_length", "cached", "case", "known", "start", "toplevel")

    def __init__(self, start: int, end: int, toplevel: Toplevel, known: Known) -> None:
        self.start = start
        self._length = end - start
        self.toplevel = toplevel
        self.known = known
        """For the buffer only."""
        self.cached: object | None = None
        self.case: str | None = None
        """The case in which it is read (cases.py); None for the case of the chunk before it."""

    @property
    def end(self) -> int:
        """The offset after the chunk's last character."""
        return self.start + self._length


class Known(NamedTuple):
    """What a buffer knows about reading a chunk; the offsets count from the chunk's start."""

    seen: int
    """The last offset whose character may affect the chunk."""
    following: int
    """Where reading continues."""
    credit: int
    """The number of characters that later forms may be read past their margins."""


class Buffer:
    """An edited text and its chunks, in order."""

    def __init__(self, text: str, features: Features) -> None:
        self.text = text
        self._features = features
        self.chunks = list(_Reading(text, features).chunks())

    def replace(self, start: int, end: int, new: str) -> None:
        """Replace the text from ``start`` to ``end`` by ``new``."""
        old, moved = self.chunks, len(new) - (end - start)
        self.text = self.text[:start] + new + self.text[end:]
        first = next((i for i, one in enumerate(old) if one.start + one.known.seen >= start), len(old))
        reading = _Reading(self.text, self._features, old[first - 1] if first else None)
        fresh: list[Chunk] = []
        last = first
        for chunk in reading.chunks():
            fresh.append(chunk)
            last = self._beyond(last, end, chunk.start + chunk.known.following - moved)
            if last < len(old) and _continues(old[last], chunk, moved):
                last += 1
                break
        else:
            last = len(old)
        unread = {one.start: one for one in old[first:last] if one.end <= start}
        unread |= {one.start + moved: one for one in old[first:last] if one.start >= end}
        for one in old[last:]:
            one.start += moved
        old[first:last] = [_kept(unread.get(one.start), one) for one in fresh]

    def _beyond(self, index: int, end: int, following: int) -> int:
        """Return the first chunk from ``index`` on that reading follows at ``following`` or later."""
        following = max(end, following)
        while index < len(self.chunks):
            one = self.chunks[index]
            if one.start + one.known.following >= following:
                break
            index += 1
        return index

    def chunk_at(self, offset: int) -> Chunk | None:
        """Return the chunk around ``offset``, or else the one that ends there."""
        index = bisect_right(self.chunks, offset, key=attrgetter("start"))
        if index == 0 or self.chunks[index - 1].end < offset:
            return None
        return self.chunks[index - 1]


def _continues(old: Chunk, new: Chunk, moved: int) -> bool:
    """Return whether what follows ``new`` is what followed ``old``."""
    same_place = old.start + old.known.following + moved == new.start + new.known.following
    return same_place and old.known.credit == new.known.credit


def _kept(old: Chunk | None, new: Chunk) -> Chunk:
    """Return the old chunk with the new one's place if an edit has spared it, else the new one."""
    if old is None or old.end - old.start != new.end - new.start or not alike(old.toplevel, new.toplevel):
        return new
    old.start, old.known = new.start, new.known
    return old


def alike(one: Toplevel, other: Toplevel) -> bool:
    """Return whether two toplevel forms are the same, and so are the offsets of their nodes."""
    if (one.whole, one.standard, one.closed) != (other.whole, other.standard, other.closed):
        return False
    rest: list[tuple[list[Node], list[Node]]] = [
        ([one.node, *one.qualified, *one.definers], [other.node, *other.qualified, *other.definers])
    ]
    while rest:
        left, right = rest.pop()
        if len(left) != len(right):
            return False
        for here, there in zip(left, right, strict=True):
            if isinstance(here, Form):
                if not isinstance(there, Form) or _frame(here) != _frame(there):
                    return False
                rest.append((here.items, there.items))
            elif isinstance(there, Form) or (here.start, here.text) != (there.start, there.text):
                return False
    return True


def _frame(form: Form) -> tuple[str, int, int, int]:
    return form.kind, form.start, form.end, form.wants


class _Attempt(NamedTuple):
    """What a piece of the text was read as; the offsets count from the piece's start."""

    ended: bool
    """Whether there is an object (or a comment) that ends within the piece."""
    end: int
    """Where it ends."""
    seen: int
    """The last offset that may have a bearing on that."""
    toplevel: Toplevel | None = None
    """The object, or the part of it that could be read; None for what is hidden by a conditional."""


class _Reading:
    """Reads chunks from the text's start, or from a chunk on."""

    def __init__(self, text: str, features: Features, after: Chunk | None = None) -> None:
        self._text = text
        self._features = features
        script = SCRIPT.match(text)
        self._position = script.end() if script else 0
        self._credit = _MOST_CREDIT
        if after is not None:
            self._position = after.start + after.known.following
            self._credit = after.known.credit
        self._seen = 0
        # The text from somewhere up to the next margin.
        self._piece = ""
        self._piece_start = self._margin = 0

    def chunks(self) -> Iterator[Chunk]:
        """Yield the chunks in order."""
        while True:
            gap = _GAP.match(self._text, self._position)
            start = gap.end() if gap else self._position
            if start == len(self._text):
                return
            read = self._read(start)
            if read is not None:
                yield self._chunk(*read)

    def _chunk(self, start: int, end: int, toplevel: Toplevel) -> Chunk:
        seen, self._seen = self._seen, 0
        return Chunk(start, end, toplevel, Known(seen - start, self._position - start, self._credit))

    def _read(self, start: int) -> tuple[int, int, Toplevel] | None:
        """Read what begins at ``start``, and return it with its extent; None if that is not to be seen."""
        text = self._text
        if start >= self._margin:
            self._margin = text.find("\n(", start) + 1 or len(text)
            self._piece_start, self._piece = start, text[start : self._margin]
        base = self._piece_start
        attempt = self._attempt(self._piece, start - base)
        self._note(base + attempt.seen)
        if not attempt.ended:
            longer = self._read_further(start)
            if longer is not None:
                attempt, base = longer, start
        if attempt.ended:
            self._position = base + attempt.end
            self._credit = min(_MOST_CREDIT, self._credit + _PAID * (self._position - start))
        else:
            self._position = self._margin
        if attempt.toplevel is None:
            return None
        offset = attempt.toplevel.node.start
        attempt.toplevel.move(-offset)
        return base + offset, self._position, attempt.toplevel

    def _note(self, seen: int) -> None:
        self._seen = max(self._seen, seen)

    def _read_further(self, start: int) -> _Attempt | None:
        """Read what begins at ``start`` past the margin; None if it does not end there."""
        allowed = min(FURTHEST, self._credit, len(self._text) - self._margin)
        if not allowed:
            return None
        attempt = self._attempt(self._text[start : self._margin + allowed], 0)
        self._note(start + attempt.seen)
        if attempt.ended:
            return attempt
        self._credit -= min(allowed, max(0, start + attempt.seen - self._margin))
        return None

    def _attempt(self, piece: str, start: int) -> _Attempt:
        """Read the object or comment at ``start`` in a piece of the text."""
        if piece.startswith("#|", start):
            end = block_end(piece, start)
            return _Attempt(False, len(piece), len(piece)) if end is None else _Attempt(True, end, end)
        faults = Faults()
        reader = Reader(piece, self._features, faults, wary=True)
        whole = next(reader.forms(start), None)
        if whole is not None:
            end = whole.node.end if isinstance(whole.node, Form) else whole.node.start + len(whole.node.text)
        else:
            end = reader.reached
        ended = whole is not None or reader.hidden
        seen = _seen(piece, end, ended=ended) if faults.certain else len(piece)
        return _Attempt(ended, end, seen, whole or reader.left)


def _seen(piece: str, end: int, *, ended: bool) -> int:
    """Return the last offset that has a bearing on an object that ended at ``end``, or broke off there."""
    quoted = _QUOTED.match(piece, end)
    if ended:  # a token before a pipe has ended only because the pipe is a stray
        return len(piece) if piece[end : end + 1] in ("|", "\\") else end
    return min(quoted.end() + 1, len(piece)) if quoted else len(piece)
