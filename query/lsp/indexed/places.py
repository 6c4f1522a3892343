"""Where the things of an index are now: in open documents, in changed files, or where they were."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from lsprotocol.types import Location, Position, Range
from pygls.uris import from_fs_path

from ...index.place import SourcePlace
from ...index.present.carrying import Carrying
from ...index.present.lines import TextLines as IndexedLines
from ..documents.edited import Document
from ..documents.lines import DocumentLines, width
from ..documents.opened import Documents
from ..documents.reading import text_of_file
from . import sql
from .heads import head, head_named, name_in_form
from .project import IndexedProject

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
    """A token on one line, in the client's units: there may be thousands, so it is small."""

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
    found: dict[tuple[str, int, int], Spot] = {}
    for spot in spots:
        if spot is not None:
            found.setdefault(spot.key, spot)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class _TextNow:
    """The text of a file as it is now, compared with the indexed one."""

    lines: DocumentLines
    indexed: IndexedLines
    """The lines of the indexed text."""
    old: str
    """The indexed text."""
    carrying: Carrying | None
    """None if both are the same, or there is no indexed text to compare with."""

    def offset(self, start: int, length: int) -> int | None:
        """Where some of the indexed text is now; None if it is gone."""
        return start if self.carrying is None else self.carrying.offset(start, length)

    def form(self, start: int, end: int) -> tuple[int, int] | None:
        """The extent of a form of the indexed text now; None if it is gone."""
        return (start, end) if self.carrying is None else self.carrying.form(start, end)


@dataclass(frozen=True, slots=True)
class _FileNow:
    """A source file as it is now; ``text`` is None if it is as it was indexed, and the index has its text."""

    uri: str
    text: _TextNow | None = None
    certain: bool = True


class PresentPlaces:
    """Finds where the definitions and uses of one index are now."""

    def __init__(
        self, project: IndexedProject, documents: Documents, absent: Callable[[IndexedProject, int, str], str]
    ) -> None:
        """``absent`` gives the URI under which the index serves a file that is not on this machine."""
        self._project = project
        self._documents = documents
        self._absent = absent
        self._known: dict[int, tuple[str, tuple[object, ...], _FileNow]] = {}
        """The files that were compared, each with the build and the state that it was compared in."""
        self._last_line: tuple[tuple[str, int, int], str] = (("", 0, 0), "")

    def belong_to(self, project: IndexedProject) -> bool:
        """Whether these are places of that project."""
        return self._project is project

    def definition(self, place: SourcePlace, name: str | None) -> Spot | None:
        """Where a definition is; None if its form is gone, or never had a known place."""
        if place.file is None or place.path is None or place.line is None:
            return None
        now = self._file(place.file, place.path)
        text = now.text
        if text is None:
            return self._as_indexed(now, place, name)
        if place.column is None or place.offset is None or place.end_offset is None:
            range_ = self._head(text, place.line, None)
            return Spot(now.uri, range_, range_, now.certain) if range_ is not None else None
        extent = text.form(place.offset, place.end_offset)
        if extent is None:
            return None
        start, end = extent
        form = text.lines.text[start:end]
        at, length = name_in_form(form, name, self._project.reader.tokens) if name else head(form)
        token = text.lines.range(start + at, start + at + length)
        return Spot(now.uri, token, text.lines.range(start, end), now.certain)

    def uses(self, rows: Iterable[sql.TextUseRow], length: int) -> Iterator[tuple[sql.TextUseRow, Marked]]:
        """Yield uses with their places, or with the heads of the forms in whose expansions they are.

        Uses that are gone are left out; ``length`` is that of the name itself. Each file is looked at once,
        when its first use is.
        """
        files: dict[int, _FileNow] = {}
        for row in rows:
            now = files.get(row.file)
            if now is None:
                now = files[row.file] = self._file(row.file, row.path)
            long = row.length or length
            marked = self._in_row(now, row, long) if now.text is None else self._carried(now, row, long)
            if marked is not None:
                yield row, marked

    def _in_row(self, now: _FileNow, row: sql.TextUseRow, length: int) -> Marked:
        """Where a use is in a file that is as it was indexed: its line is all that is needed."""
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
        """A line that is not in the row of a use; the uses of one line follow one another."""
        key = self._project.build, row.file, row.line
        if key != self._last_line[0]:
            self._last_line = key, self._project.fragment(row.file, row.line, row.line)
        return self._last_line[1]

    def _carried(self, now: _FileNow, row: sql.TextUseRow, length: int) -> Marked | None:
        """Where a use is in a file of which the present text is known."""
        text = now.text
        if text is None or row.line > len(text.indexed):
            return None
        if row.column is None:
            range_ = self._head(text, row.line, row.expansion)
        else:
            start = text.offset(text.indexed.start(row.line) + row.column - 1, length)
            range_ = text.lines.range(start, start + length) if start is not None else None
        return Marked.of(now.uri, range_, now.certain) if range_ is not None else None

    def _head(self, text: _TextNow, line: int, expansion: str | None) -> Range | None:
        """The head of a form on a line of the indexed text; None if it is gone."""
        if line > len(text.indexed):
            return None
        start = text.indexed.start(line)
        end = text.old.find("\n", start)
        at, length = head_named(text.old[start : end if end >= 0 else len(text.old)], expansion)
        now = text.offset(start + at, length)
        return text.lines.range(now, now + length) if now is not None else None

    # Files that are as they were indexed: only the lines that are needed are read

    def _as_indexed(self, now: _FileNow, place: SourcePlace, name: str | None) -> Spot:
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

    def _form_as_indexed(self, place: SourcePlace, text: str, token: Range) -> Range:
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

    # Files that changed

    def _file(self, file: int, recorded: str) -> _FileNow:
        path = self._project.path_of(recorded)
        document = self._documents.of_file(path)
        # A document that was opened again counts its edits anew, but its lines are others.
        state = (document.uri, document.lines) if document is not None else _state(path)
        known = self._known.get(file)
        if known is not None and known[:2] == (self._project.build, state):
            return known[2]
        now = self._compared(file, path, document)
        if now.text is not None:
            self._forget_some()
        self._known[file] = self._project.build, state, now
        return now

    def forget(self, uri: str) -> None:
        """Forget the text of a document that was closed."""
        for file in [file for file, (_, state, _) in self._known.items() if state[0] == uri]:
            del self._known[file]

    def _forget_some(self) -> None:
        """Forget the files with texts if there are many; what is as it was indexed takes little."""
        with_texts = [file for file, (_, _, now) in self._known.items() if now.text is not None]
        if len(with_texts) >= _MOST_WITH_TEXTS:
            for file in with_texts:
                del self._known[file]

    def _compared(self, file: int, path: str, document: Document | None) -> _FileNow:
        """Compare a file with its indexed text."""
        project = self._project
        if document is not None:
            return self._with_text(file, path, document.uri, document.lines)
        changed = project.index.source_changed(file)
        uri = from_fs_path(path) or path
        if changed is False and project.has_texts and not project.has_lone_return(file):
            return _FileNow(uri)
        text = _text_of(path) if changed is not None else None
        if text is None:
            return _FileNow(self._absent(project, file, path))
        return self._with_text(file, path, uri, DocumentLines(text, self._documents.encoding))

    def _with_text(self, file: int, path: str, uri: str, lines: DocumentLines) -> _FileNow:
        old = self._project.text(file)
        if old is None:
            text = _TextNow(lines, IndexedLines(lines.text), lines.text, None)
            return _FileNow(uri, text, certain=self._is_indexed_text(file, path, lines.text))
        carrying = None if old == lines.text else Carrying(old, lines.text)
        return _FileNow(uri, _TextNow(lines, IndexedLines(old), old, carrying))

    def _is_indexed_text(self, file: int, path: str, text: str) -> bool:
        """Whether a text is the one that was indexed, of which the index has no more than the digest."""
        if _digest(text) == self._project.digest(file):
            return True
        # The file may be in another encoding than the digest of a text assumes.
        return self._project.index.source_changed(file) is False and _text_of(path) == text


def _state(path: str) -> tuple[object, ...]:
    """The state of a file on the disk."""
    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return (None,)
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _text_of(path: str) -> str | None:
    """The text of a file; None if it cannot be read."""
    try:
        return text_of_file(path)
    except OSError:
        return None
