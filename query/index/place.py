"""The place of a definition: its columns, the tables they come from, and the row they fill."""

from __future__ import annotations

from typing import Any, NamedTuple

from .reading import Reading

COLUMNS = """definitions.file_id, source_files.recorded, source_files.path, roots.name AS root,
       source_files.relative_path, systems.name AS system, systems.version AS system_version,
       definitions.start_line, definitions.start_column, definitions.start_offset,
       definitions.end_line, definitions.end_offset"""

TABLES = """LEFT JOIN source_files ON source_files.id = definitions.file_id
LEFT JOIN roots ON roots.id = source_files.root_id
LEFT JOIN systems ON systems.id = source_files.system_id"""


class SourcePlace(NamedTuple):
    """The columns ``COLUMNS`` of one row; all None for a definition whose place is unknown.

    ``line`` and ``column`` count from 1, offsets count characters from 0. ``recorded`` is the path as SBCL
    records it, ``path`` the path at which the machine that built the index could open it.
    """

    file: int | None
    recorded: str | None
    path: str | None
    root: str | None
    relative_path: str | None
    system: str | None
    system_version: str | None
    line: int | None
    column: int | None
    offset: int | None
    end_line: int | None
    end_offset: int | None

    def start(self, index: Reading) -> dict[str, Any]:
        """Return the answer's fields for where the definition begins (AnswerPlace)."""
        return {
            "path": index.local_path(self.path),
            "root": self.root,
            "relative_path": self.relative_path,
            "line": self.line,
            "column": self.column,
        }

    def lines(self, index: Reading) -> dict[str, Any]:
        """Return the answer's fields for the lines of the definition (AnswerLines)."""
        return {**self.start(index), "recorded_path": self.recorded, "end_line": self.end_line}

    def extent(self, index: Reading) -> dict[str, Any]:
        """Return the answer's fields for the extent of the definition (AnswerExtent)."""
        return {**self.lines(index), "offset": self.offset}


NOWHERE = SourcePlace(*[None] * len(SourcePlace._fields))
