"""The files of an index, walked without a Lisp, and what the index says about the same places."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from oblist.lisp.sbcl import Sbcl
from oblist.query.index.meanings import IndexMeanings
from oblist.query.index.reading import Reading
from oblist.query.refactor.project.macros import KnownMacros
from oblist.query.syntax.current_package import first_package
from oblist.query.syntax.features import Features
from oblist.query.syntax.tokens import Tokens
from oblist.query.syntax.walk.files import WalkedForm, walk_text
from support.corpus import stored_text
from support.live import printed_values

_FILES = """
SELECT source_files.id, source_files.path, coalesce(roots.name = 'sbcl', 0), systems.name,
       coalesce(systems.asked, 0) AND source_files.path NOT LIKE '%.asd'
FROM source_files
LEFT JOIN roots ON roots.id = root_id
LEFT JOIN systems ON systems.id = source_files.system_id
WHERE source_files.id IN (SELECT file_id FROM source_lines) AND source_files.path IS NOT NULL
  AND recorded NOT IN (SELECT subject FROM problems WHERE stage = 'source' AND part = 'file')
ORDER BY source_files.id
"""
_MADE = """
SELECT start_offset, symbol_id FROM definitions
WHERE file_id = ? AND start_offset IS NOT NULL AND symbol_id IS NOT NULL
"""
_UNREAD = "SELECT line, end_line FROM unread_text WHERE file_id = ?"


_LISTED = """
(handler-bind ((warning #'muffle-warning))
  (format nil "~{{~A~^~%~}}"
          (labels ((files (component)
                     (if (typep component 'asdf:parent-component)
                         (mapcan #'files (copy-list (asdf:component-children component)))
                         (list (sb-ext:native-namestring (asdf:component-pathname component))))))
            (loop for name in '({names})
                  for system = (ignore-errors (let ((*standard-output* (make-broadcast-stream)))
                                                (asdf:find-system name nil)))
                  when system append (files system)))))
"""


def listed_files(index: Path, sbcl: Sbcl) -> frozenset[str]:
    """The files that the definitions list of those systems that an index was asked for, as ASDF says."""
    with closing(sqlite3.connect(index)) as connection:
        names = [f'"{name}"' for (name,) in connection.execute("SELECT name FROM systems WHERE asked")]
    asdf = '(progn (require "asdf") "")'
    return frozenset(printed_values(sbcl, asdf, _LISTED.format(names=" ".join(names))))


@dataclass(frozen=True)
class WalkedFile:
    """A file of an index, with its text as the index has it."""

    number: int
    path: str
    text: str
    forms: list[WalkedForm]
    unread: list[tuple[int, int]]
    """First and last lines of texts that are not in standard syntax."""
    starts: list[int] = field(default_factory=list)
    """Offsets of the lines."""


@dataclass
class Walks:
    """Walks the files of an index."""

    path: Path
    internal_features: str = ""
    """The features of SBCL's own build, for its own files."""
    listed: frozenset[str] | None = None
    """The files that the systems list, if some have others, too: those alone are the project's own."""
    knows_macros: bool = False
    """Whether the definitions of macros tell what they make of their arguments."""

    def __post_init__(self) -> None:
        self.index = Reading(self.path)
        self.meanings = IndexMeanings(self.index)
        self.tokens = Tokens(self.index.upcase)
        features = self.index.facts["features"]
        self.features = Features(features, self.tokens)
        macros = KnownMacros(self.index, self.meanings, self.tokens, self.features)
        self.macros = macros if self.knows_macros else None
        self._own_features = Features(f"{features} {self.internal_features}", self.tokens)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.index.close()

    def files(
        self, *, of_sbcl: bool, systems: Sequence[str] | None = None, every: int = 1
    ) -> Iterator[WalkedFile]:
        """The walked files, of SBCL or of ``systems``, by default all; of those, one in ``every``."""
        with closing(sqlite3.connect(self.path)) as connection:
            wanted = [
                (number, path, bool(own), bool(asked) and (self.listed is None or path in self.listed))
                for number, path, own, system, asked in connection.execute(_FILES).fetchall()
                if bool(own) == of_sbcl and (systems is None or system in systems)
            ]
            for number, path, own, asked in wanted[::every]:
                yield self._walked(connection, number, path, own=own, asked=asked)

    def _walked(
        self, connection: sqlite3.Connection, number: int, path: str, *, own: bool, asked: bool
    ) -> WalkedFile:
        text = stored_text(connection, number)
        made: dict[int, set[int]] = {}
        for offset, symbol in connection.execute(_MADE, (number,)):
            made.setdefault(offset, set()).add(symbol)
        features = self._own_features if own else self.features
        package = first_package(path)
        forms = [
            *walk_text(
                text, package, features, self.meanings, self.tokens, made, own=asked, macros=self.macros
            )
        ]
        starts = [0, *(at + 1 for at, char in enumerate(text) if char == "\n")]
        return WalkedFile(
            number, path, text, forms, connection.execute(_UNREAD, (number,)).fetchall(), starts
        )
