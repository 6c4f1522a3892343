"""A document that a client has open: its text, its forms, and what the walk finds in them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

from ...index.meanings import IndexMeanings
from ...syntax.buffer import Buffer, Chunk
from ...syntax.cases import ReadForm, cases_of
from ...syntax.current_package import first_package, package_after
from ...syntax.features import Features
from ...syntax.texts import changed
from ...syntax.tokens import UPCASE, Tokens
from ...syntax.walk.files import walk_toplevel
from ...syntax.walk.results import Walked
from .lines import DocumentLines

MOST_READ = 2_000_000
"""The most characters of a document whose forms are read: those of 20 MB take minutes and gigabytes."""


@dataclass(frozen=True, slots=True)
class TextReader:
    """What is needed to read text: the features, case rules and symbols of one build of an index."""

    build: str
    tokens: Tokens
    features: Features
    meanings: IndexMeanings


@dataclass(frozen=True, slots=True)
class _Cached:
    """What the walk found in a form, in the package and by the index that it was walked with."""

    build: str
    package: str
    walked: Walked


class Document:
    """The text of a document, which the client owns until it closes it."""

    def __init__(self, uri: str, path: str, text: str, version: int | None, encoding: str) -> None:
        """``path`` names the file that the document stands for, also if there is none there."""
        self.uri = uri
        self.path = path
        self.version = version
        self.lines = DocumentLines(text, encoding)
        self._buffer: Buffer | None = None
        self._build = ""
        self._packages: dict[int, str] = {}
        """The package that each form is read in, by the form's identity."""

    @property
    def text(self) -> str:
        """The present text."""
        return self.lines.text

    @property
    def is_large(self) -> bool:
        """Whether the text is too large for its forms to be read; then the document seems to have none."""
        return len(self.lines.text) > MOST_READ

    def replace(self, start: int, end: int, new: str) -> None:
        """Replace the text between two offsets."""
        was_large = self.is_large
        self.lines = self.lines.replaced(start, end, new)
        if was_large or self.is_large:
            self._buffer = None
        elif self._buffer is not None:
            self._buffer.replace(start, end, new)
        self._packages = {}

    def set_text(self, text: str) -> None:
        """Replace the whole text by another; forms that stay the same are not read again."""
        old = self.text
        start, end = changed(old, text)
        self.replace(start, end, text[start : len(text) - (len(old) - end)])

    def _read(self, reader: TextReader) -> Buffer:
        """The text as it is read by a build."""
        if self._buffer is None or self._build != reader.build:
            text = "" if self.is_large else self.text
            self._buffer, self._build = Buffer(text, reader.features), reader.build
            self._packages = {}
            self._tell_cases(self._buffer.chunks, reader)
        return self._buffer

    def _tell_cases(self, chunks: Sequence[Chunk], reader: TextReader) -> None:
        """Note the case that each form is read in; one that an edit makes is read like the one before it."""
        forms = [ReadForm(one.toplevel, self.text[one.start : one.end]) for one in chunks]
        cases = cases_of(forms, first_package(self.path), reader.meanings, reader.tokens)
        for one, case in zip(chunks, cases, strict=True):
            one.case = case

    def chunks(self, reader: TextReader) -> Sequence[Chunk]:
        """The toplevel forms, in order, until the next edit."""
        return self._read(reader).chunks

    def chunk_at(self, reader: TextReader, offset: int) -> Chunk | None:
        """The toplevel form around an offset; one that ends there counts."""
        return self._read(reader).chunk_at(offset)

    def chunk_before(self, reader: TextReader, offset: int) -> Chunk | None:
        """The last toplevel form that begins before an offset, whether or not it ends there."""
        return self._last_begun(reader, offset - 1) if offset else None

    def package_of(self, reader: TextReader, chunk: Chunk) -> str:
        """The name of the package that a toplevel form is read in."""
        chunks = self.chunks(reader)
        if not self._packages:
            package, case = first_package(self.path), UPCASE
            for one in chunks:
                self._packages[id(one)] = package
                case = one.case = one.case or case
                package = package_after(one.toplevel, package, reader.meanings, reader.tokens.in_case(case))
        return self._packages[id(chunk)]

    def tokens_of(self, reader: TextReader, chunk: Chunk) -> Tokens:
        """The reader of the tokens of a toplevel form."""
        self.package_of(reader, chunk)
        return reader.tokens.in_case(chunk.case or UPCASE)

    def package_at(self, reader: TextReader, offset: int) -> str:
        """The name of the package that a form at an offset would be read in."""
        chunk = self._last_begun(reader, offset)
        if chunk is None:
            return first_package(self.path)
        package = self.package_of(reader, chunk)
        if chunk.end > offset:
            return package
        return package_after(chunk.toplevel, package, reader.meanings, self.tokens_of(reader, chunk))

    def tokens_at(self, reader: TextReader, offset: int) -> Tokens:
        """The reader of tokens that a form at an offset would have."""
        chunk = self._last_begun(reader, offset)
        return reader.tokens if chunk is None else self.tokens_of(reader, chunk)

    def _last_begun(self, reader: TextReader, offset: int) -> Chunk | None:
        """The last toplevel form that begins before an offset, or there."""
        chunks = self.chunks(reader)
        number = bisect_right(chunks, offset, key=attrgetter("start"))
        return chunks[number - 1] if number else None

    def walked(self, reader: TextReader, chunk: Chunk) -> Walked:
        """What the walk finds in a toplevel form; its places count from the start of the form."""
        package = self.package_of(reader, chunk)
        cached = chunk.cached
        if not isinstance(cached, _Cached) or cached.build != reader.build or cached.package != package:
            text = self.text[chunk.start : chunk.end]
            tokens = self.tokens_of(reader, chunk)
            walked = walk_toplevel(chunk.toplevel, text, package, reader.meanings, tokens)
            chunk.cached = cached = _Cached(reader.build, package, walked)
        return cached.walked

    def all_walked(self, reader: TextReader) -> Iterator[tuple[Chunk, Walked]]:
        """Each toplevel form, with what the walk finds in it."""
        for chunk in self.chunks(reader):
            yield chunk, self.walked(reader, chunk)
