"""Where the things of an index are now: in open documents, in changed files, or where they were."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from lsprotocol.types import Location, Position, Range
from pygls.uris import from_fs_path

from oblist.indexer.source_text import decoded

from ...index.place import Place
from ..documents.carrying import Carrying
from ..documents.lines import Lines, width
from ..documents.opened import Documents
from . import sql
from .heads import head, head_named, name_in_form
from .project import Project

_MOST_WITH_TEXTS = 40
_MOST_LINES = 40  # of a form, within which its name is looked for


@dataclass(frozen=True, slots=True)
class Spot:
    """A place as a client shows it: the token to mark, and the form around it."""

    uri: str
    token: Range
    form: Range
    certain: bool = True
    """False if the file changed and the index has no text to compare it with."""

    @property
    def key(self) -> tuple[str, int, int]:
        """Where the form begins: two spots with one key are the same."""
        return self.uri, self.form.start.line, self.form.start.character

    @property
    def location(self) -> Location:
        """The token alone."""
        return Location(self.uri, self.token)


class Marked(NamedTuple):
    """A token on one line, in the client's units: there may be thousands, so it is made of little."""

    uri: str
    line: int
    start: int
    end: int
    certain: bool = True

    @classmethod
    def of(cls, uri: str, range_: Range, certain: bool = True) -> Marked:
        """The token in a range."""
        return cls(uri, range_.start.line, range_.start.character, range_.end.character, certain)

    @property
    def range(self) -> Range:
        """The range of the token."""
        return Range(Position(self.line, self.start), Position(self.line, self.end))

    @property
    def location(self) -> Location:
        """The place of the token."""
        return Location(self.uri, self.range)


def distinct(spots: Iterable[Spot | None]) -> list[Spot]:
    """The spots, each once, in their order; what is gone is left out."""
    return list({spot.key: spot for spot in reversed([one for one in spots if one is not None])}.values())[
        ::-1
    ]


@dataclass(frozen=True, slots=True)
class _FileNow:
    """A source file as it is now, compared with its indexed text.

    ``lines`` is None while the file is as it was indexed, and no text of it is needed. ``carrying`` is None
    if the places are those of the index.
    """

    uri: str
    lines: Lines | None
    carrying: Carrying | None
    certain: bool
    starts: list[int] | None = None
    """The offset of each line of the indexed text."""
    old: str = ""
    """The indexed text."""


class Places:
    """Finds where the definitions and uses of one index are now."""

    def __init__(
        self, project: Project, documents: Documents, absent: Callable[[Project, int, str], str]
    ) -> None:
        """``absent`` gives the URI under which the index serves a file that is not on this machine."""
        self._project = project
        self._documents = documents
        self._absent = absent
        self._known: dict[int, tuple[str, tuple[object, ...], _FileNow]] = {}
        """The files that were compared, each with the build and the state that it was compared in."""
        self._last_line: tuple[tuple[str, int, int], str] = (("", 0, 0), "")

    def belong_to(self, project: Project) -> bool:
        """Whether these are places of that project."""
        return self._project is project

    def definition(self, place: Place, name: str | None) -> Spot | None:
        """Where a definition is; None if its form is gone, or never had a known place."""
        if place.file is None or place.path is None or place.line is None:
            return None
        now = self._file(place.file, place.path)
        if now.lines is None or now.starts is None:
            return self._as_indexed(now, place, name)
        if place.column is None or place.offset is None or place.end_offset is None:
            return self._line(now, place.line, None)
        start, end = place.offset, place.end_offset
        if now.carrying is not None:
            carried = now.carrying.form(start, end)
            if carried is None:
                return None
            start, end = carried
        text = now.lines.text[start:end]
        at, length = name_in_form(text, name, self._project.reader.tokens) if name else head(text)
        return Spot(
            now.uri,
            now.lines.range(start + at, start + at + length),
            now.lines.range(start, end),
            now.certain,
        )

    def use(
        self, file: int, path: str, line: int, column: int | None, length: int, expansion: str | None
    ) -> Marked | None:
        """Where a use is, or the head of the form in whose expansion it is; None if it is gone."""
        text = self._project.fragment(file, line, line)
        row = sql.TextUseRow(file, path, line, column, length, expansion, text)
        return self._marked(self._file(file, path), row, length)

    def uses(self, rows: Iterable[sql.TextUseRow], length: int) -> Iterator[Marked]:
        """Yield where uses are, without those that are gone; ``length`` is that of the name itself.

        Each file is looked at once, when its first use is.
        """
        files: dict[int, _FileNow] = {}
        for row in rows:
            now = files.get(row.file)
            if now is None:
                now = files[row.file] = self._file(row.file, row.path)
            marked = self._marked(now, row, row.length or length)
            if marked is not None:
                yield marked

    def _marked(self, now: _FileNow, row: sql.TextUseRow, length: int) -> Marked | None:
        if now.lines is not None and now.starts is not None:
            return self._carried(now, row, length)
        text = row.text if row.text is not None else self._long_line(row)
        if row.column is not None:
            start = row.column - 1
        else:
            start, length = head_named(text, row.expansion)
        end = start + length
        if not text.isascii():
            encoding = self._documents.encoding
            start, end = width(text[:start], encoding), width(text[:end], encoding)
        return Marked(now.uri, row.line - 1, start, end, now.certain)

    def _long_line(self, row: sql.TextUseRow) -> str:
        """A line that is not in the row of a use."""
        key = self._project.build, row.file, row.line
        if key != self._last_line[0]:
            text = self._project.fragment(row.file, row.line, row.line)
            if not text and not self._project.has_texts:
                text = self._on_disk(row.path, row.line)
            self._last_line = key, text
        return self._last_line[1]

    def _carried(self, now: _FileNow, row: sql.TextUseRow, length: int) -> Marked | None:
        """Where a use is in a file of which the present text is known."""
        assert now.lines is not None
        assert now.starts is not None
        if row.column is None:
            spot = self._line(now, row.line, row.expansion)
            return Marked.of(spot.uri, spot.token, spot.certain) if spot is not None else None
        start = now.starts[row.line - 1] + row.column - 1 if row.line <= len(now.starts) else 0
        if now.carrying is not None:
            carried = now.carrying.offset(start, length)
            if carried is None:
                return None
            start = carried
        return Marked.of(now.uri, now.lines.range(start, start + length), now.certain)

    # Files that are as they were indexed: only the lines that are needed are read

    def _as_indexed(self, now: _FileNow, place: Place, name: str | None) -> Spot:
        assert place.file is not None
        assert place.line is not None
        first, last = place.line, place.end_line or place.line
        text = self._project.fragment(place.file, first, min(last, first + _MOST_LINES))
        if place.column is None:
            token = self._in_line(text, first, *head(text.partition("\n")[0]))
            return Spot(now.uri, token, token, now.certain)
        skipped = place.column - 1
        form = text[skipped:]
        at, length = name_in_form(form, name, self._project.reader.tokens) if name else head(form)
        before = text[: skipped + at]
        line = first + before.count("\n")
        column = skipped + at - (before.rfind("\n") + 1)
        token = self._in_line(text.split("\n")[line - first], line, column, length)
        return Spot(now.uri, token, self._form_as_indexed(place, text, token), now.certain)

    def _form_as_indexed(self, place: Place, text: str, token: Range) -> Range:
        """The extent of the form of a definition; its end line is read if ``text`` is cut before it."""
        assert place.file is not None
        assert place.line is not None
        if place.offset is None or place.end_offset is None or place.end_line is None or place.column is None:
            return token
        first = text.partition("\n")[0]
        start = self._in_line(first, place.line, place.column - 1, 0).start
        if place.end_line == place.line:
            return self._in_line(first, place.line, place.column - 1, place.end_offset - place.offset)
        # The end is so many characters after the start: count what the lines between them take.
        lines = self._project.fragment(place.file, place.line, place.end_line)
        end = place.column - 1 + place.end_offset - place.offset
        last = lines.rfind("\n", 0, end) + 1
        return Range(start, Position(place.end_line - 1, width(lines[last:end], self._documents.encoding)))

    def _in_line(self, text: str, line: int, column: int, length: int) -> Range:
        encoding = self._documents.encoding
        start = width(text[:column], encoding)
        return Range(
            Position(line - 1, start),
            Position(line - 1, start + width(text[column : column + length], encoding)),
        )

    def _on_disk(self, path: str, line: int) -> str:
        """A line of a file whose text the index lacks."""
        try:
            lines = decoded(Path(self._project.path_of(path)).read_bytes()).split("\n")
        except OSError:
            return ""
        return lines[line - 1] if line <= len(lines) else ""

    # Files that changed

    def _line(self, now: _FileNow, line: int, expansion: str | None) -> Spot | None:
        """The head of a form on a line of the indexed text."""
        assert now.lines is not None
        assert now.starts is not None
        if line > len(now.starts):
            return None
        start = now.starts[line - 1]
        old = now.old
        end = old.find("\n", start)
        at, length = head_named(old[start : end if end >= 0 else len(old)], expansion)
        begin = start + at
        if now.carrying is not None:
            carried = now.carrying.offset(begin, length)
            if carried is None:
                return None
            begin = carried
        token = now.lines.range(begin, begin + length)
        return Spot(now.uri, token, token, now.certain)

    def _file(self, file: int, recorded: str) -> _FileNow:
        path = self._project.path_of(recorded)
        document = self._documents.of_file(path)
        # A document that was opened again counts its edits anew, but its lines are others.
        state = (document.uri, document.lines) if document is not None else _state(path)
        known = self._known.get(file)
        if known is not None and known[:2] == (self._project.build, state):
            return known[2]
        now = self._compared(file, path, document.lines if document else None, document)
        if now.lines is not None:
            self._forget_some()
        self._known[file] = self._project.build, state, now
        return now

    def _forget_some(self) -> None:
        """Forget the files with texts if there are many; what is as it was indexed takes little."""
        with_texts = [file for file, (_, _, now) in self._known.items() if now.lines is not None]
        if len(with_texts) >= _MOST_WITH_TEXTS:
            for file in with_texts:
                del self._known[file]

    def _compared(self, file: int, path: str, lines: Lines | None, document: object) -> _FileNow:
        """Compare a file with its indexed text."""
        project = self._project
        uri = getattr(document, "uri", None) or from_fs_path(path) or path
        if lines is None:
            changed = project.index.source_changed(file)
            if changed is None:
                return _FileNow(self._absent(project, file, path), None, None, certain=True)
            if not changed and not project.has_lone_return(file):
                return _FileNow(uri, None, None, certain=True)
            try:
                lines = Lines(decoded(Path(path).read_bytes()), self._documents.encoding)
            except OSError:
                return _FileNow(self._absent(project, file, path), None, None, certain=True)
        old = project.text(file)
        if old is None:
            certain = _digest(lines.text) == project.digest(file)
            return _FileNow(uri, lines, None, certain, _line_starts(lines.text), lines.text)
        same = old == lines.text
        carrying = None if same else Carrying(old, lines.text)
        return _FileNow(uri, lines, carrying, certain=True, starts=_line_starts(old), old=old)


def _state(path: str) -> tuple[object, ...]:
    """The state of a file on the disk."""
    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return (None,)
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _line_starts(text: str) -> list[int]:
    """The offset of each line, as an index counts lines."""
    starts, at = [0], text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts
