"""One index that the server answers from, and the facts about it that are worth keeping."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ...api import Index, open_index
from ...check.workers import forget_file
from ...errors import InterruptedQuestionError
from ...index.meanings import IndexMeanings
from ...index.reading import Reading
from ...index.sql import ROOTS
from ...syntax.features import Features
from ...syntax.tokens import Tokens
from ..documents.edited import TextReader
from . import sql

_MOST_TEXTS = 20


class IndexedProject:
    """An open index. When a build replaces the file, the next question is answered by the new one."""

    def __init__(self, path: Path, folder: Path | None) -> None:
        """Open the index at ``path``; ``folder`` is the workspace folder that it belongs to, if any."""
        self.path = path
        self.folder = folder
        with ExitStack() as opened:
            self.index: Index = opened.enter_context(open_index(path))
            self._for_checks = opened.enter_context(Reading(path))
            self._checking = threading.Lock()
            self._is_closed = False
            self.reader = self._read_by()
            self._forget()
            opened.pop_all()

    @property
    def build(self) -> str:
        """The identity of the file that answers."""
        return self.reader.build

    def take_over(self) -> None:
        """Answer from the present file, if it has replaced an earlier one.

        Raises the error of an index that is gone or damaged.
        """
        self.index.reopen_if_replaced()
        if self.index.identity == self.reader.build:
            return
        self.reader = self._read_by()
        self._forget()

    def _forget(self) -> None:
        """Know nothing of the build's files yet."""
        self._files: dict[str, int] | None = None
        self._root_folders: tuple[str, ...] | None = None
        self._has_texts: bool | None = None
        self._lone_returns: frozenset[int] | None = None
        self._texts: dict[int, str | None] = {}

    def _read_by(self) -> TextReader:
        index = self.index
        tokens = Tokens(index.upcase)
        features = Features(index.facts.get("features", ""), tokens)
        return TextReader(index.identity, tokens, features, IndexMeanings(index))

    def close(self) -> None:
        """Stop the check that is under way, if any, and then close the index."""
        self.index.close()
        self._is_closed = True
        self._for_checks.interrupt()
        with self._checking:
            self._for_checks.close()

    @contextmanager
    def for_checks(self) -> Iterator[Reading]:
        """The same index for the checker, which has a thread of its own; it stays open meanwhile.

        Raises InterruptedQuestionError if the project is closed.
        """
        with self._checking:
            if self._is_closed:
                raise InterruptedQuestionError
            yield self._for_checks

    def forget_checks(self, path: str) -> None:
        """Drop what the checker keeps of a file that was closed."""
        forget_file(self._for_checks, path)

    # Source files

    def file_at(self, path: str) -> int | None:
        """The number of the source file at a path of this machine; None if the index does not have it."""
        return self._numbers().get(os.path.realpath(path))

    def folder_around(self, path: str) -> str | None:
        """The workspace folder that a file is in, else the folder of its system; None without either."""
        if self.folder is not None and os.path.realpath(path).startswith(f"{self.folder}{os.sep}"):
            return str(self.folder)
        number = self.file_at(path)
        rows = self.index.rows(sql.ROOT_OF_FILE, file=number) if number is not None else []
        return os.path.realpath(self.path_of(rows[0][0])) if rows else None

    def has_root_of(self, real: str) -> bool:
        """Whether a file, by its path without links, is one of the sources or below a root of them."""
        if self._root_folders is None:
            rows = self.index.rows(ROOTS)
            self._root_folders = tuple({os.path.realpath(self.path_of(path)) + os.sep for _, path in rows})
        return real.startswith(self._root_folders) or self.file_at(real) is not None

    def _numbers(self) -> dict[str, int]:
        if self._files is None:
            rows = map(sql.PathRow._make, self.index.rows(sql.FILES))
            self._files = {os.path.realpath(self.path_of(row.path)): row.number for row in rows}
        return self._files

    def path_of(self, recorded: str) -> str:
        """The path on this machine of the source file that the index records at a path."""
        return self.index.local_path(recorded) or recorded

    def text(self, file: int) -> str | None:
        """The text of a file as it was indexed; None if the index has none."""
        if file not in self._texts:
            if len(self._texts) >= _MOST_TEXTS:
                self._texts.clear()
            lines = [row[0] for row in self.index.rows(sql.TEXT, file=file)]
            self._texts[file] = "\n".join(lines) if lines else None
        return self._texts[file]

    @property
    def has_texts(self) -> bool:
        """Whether the index has the texts of sources."""
        if self._has_texts is None:
            self._has_texts = bool(self.index.rows(sql.ANY_TEXT))
        return self._has_texts

    def has_lone_return(self, file: int) -> bool:
        """Whether the indexed text has carriage returns that end a line for clients only."""
        if self._lone_returns is None:  # one pass over all texts: a pass for each file takes longer
            self._lone_returns = frozenset(row[0] for row in self.index.rows(sql.LONE_RETURNS))
        return file in self._lone_returns

    def fragment(self, file: int, first: int, last: int) -> str:
        """The text of some lines of a file as it was indexed."""
        return "\n".join(row[0] for row in self.index.rows(sql.LINES, file=file, first=first, last=last))

    def digest(self, file: int) -> str | None:
        """The SHA-256 of a file when it was indexed."""
        rows = self.index.rows(sql.DIGEST, file=file)
        return rows[0][0] if rows else None

    def holds(self, path: str) -> bool:
        """Whether a file belongs to the folder of this index, or is one of its sources."""
        if self.folder is not None and os.path.realpath(path).startswith(f"{self.folder}{os.sep}"):
            return True
        return self.file_at(path) is not None
