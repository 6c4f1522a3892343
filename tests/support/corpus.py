"""The corpus: which systems it has, and the definitions that its index places."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from support.checkout import ROOT

_SYSTEMS = ROOT / "data" / "systems.txt"

_PLACED = """
SELECT definitions.id, file_id, source_files.path, start_line, start_offset, end_offset, definitions.operator,
       packages.name, coalesce(symbols.name, defined.name), kind, specializers, defined_by,
       coalesce(roots.name = 'sbcl', 0)
FROM definitions
JOIN source_files ON source_files.id = definitions.file_id
LEFT JOIN roots ON roots.id = source_files.root_id
LEFT JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN packages ON packages.id = symbols.package_id
LEFT JOIN packages AS defined ON defined.id = definitions.package_id
WHERE start_column IS NOT NULL AND source_files.path IS NOT NULL
  AND (definitions.package_id IS NOT NULL OR packages.name IS NOT NULL)
ORDER BY source_files.path, start_line, start_offset, definitions.id
"""


def corpus_systems() -> tuple[str, ...]:
    """The systems of the whole corpus, from data/systems.txt."""
    lines = _SYSTEMS.read_text(encoding="utf-8").splitlines()
    return tuple(name for line in lines if (name := line.partition("#")[0].strip()))


@dataclass(frozen=True)
class Placed:
    """A definition whose own form the index knows, with the text there as the index has it."""

    number: int
    path: str
    line: int
    text: str
    operator: str | None
    package: str | None
    name: str
    kind: str
    specializers: str | None
    defined_by: str | None
    is_of_sbcl: bool

    def begins_with(self, operator: str) -> bool:
        """True when the text is a form that begins with ``operator``, with or without its package."""
        return bool(re.match(rf"\(\s*([^\s():]+::?)?{re.escape(operator)}[\s()]", self.text, re.IGNORECASE))

    def __str__(self) -> str:
        name = f"({self.operator} {self.name})" if self.operator else self.name
        return f"{self.kind} {self.package}::{name} {self.specializers or ''} {self.path}:{self.line}"


def placed_definitions(index: Path) -> Iterator[Placed]:
    """All definitions whose own form is known, in the order of files and lines."""
    with closing(sqlite3.connect(index)) as connection:
        file, text = None, ""
        for number, file_id, path, line, start, end, *rest in connection.execute(_PLACED).fetchall():
            if file_id != file:
                file, text = file_id, stored_text(connection, file_id)
            *others, is_of_sbcl = rest
            yield Placed(number, path, line, text[start:end], *others, is_of_sbcl=bool(is_of_sbcl))


def stored_text(connection: sqlite3.Connection, file: int) -> str:
    """The text of a source file as the index has it."""
    lines = connection.execute("SELECT text FROM source_lines WHERE file_id = ? ORDER BY line", (file,))
    return "\n".join(line for (line,) in lines)
