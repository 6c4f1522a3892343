"""Toplevel forms of real libraries, as their index has them, each with the package that it is read in.

The checker takes no part: the extents are those that the index has of definitions, and the package is that
of the last IN-PACKAGE above at the margin.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from support.corpus import stored_text

_EXTENTS = """
SELECT DISTINCT file_id, source_files.path, start_line, start_offset, end_offset, systems.name
FROM definitions
JOIN source_files ON source_files.id = definitions.file_id
JOIN roots ON roots.id = source_files.root_id
LEFT JOIN systems ON systems.id = roots.system_id
WHERE start_column = 1 AND definitions.form_number = 0 AND end_offset IS NOT NULL AND roots.name <> 'sbcl'
  AND source_files.recorded NOT LIKE '%grovel%'
ORDER BY source_files.path, start_offset
"""
_IN_PACKAGE = re.compile(
    r"^\((?:cl:|common-lisp:)?in-package\s+(?:#?:|\"|')?([^\s\")]+)", re.IGNORECASE | re.M
)


@dataclass(frozen=True)
class Drawn:
    """A toplevel form; ``line`` is where it begins in its file."""

    file: int
    path: str
    line: int
    package: str
    text: str


def drawn_forms(index: Path, below: str = "", most: int = 6000) -> Iterator[Drawn]:
    """The forms of the files of an index that say which package they are in, in order, each text once.

    Only files ``below`` a folder, and forms of at most so many characters.
    """
    seen = set()
    with closing(sqlite3.connect(index)) as connection:
        packages = {name for (name,) in connection.execute("SELECT name FROM packages")}
        packages |= {name for (name,) in connection.execute("SELECT nickname FROM package_nicknames")}
        file, text = None, ""
        places: list[tuple[int, str]] = []
        for file_id, path, line, start, end, _ in connection.execute(_EXTENTS).fetchall():
            if file_id != file:
                file, text = file_id, stored_text(connection, file_id)
                places = [(match.start(), match[1].upper()) for match in _IN_PACKAGE.finditer(text)]
            package = next((name for at, name in reversed(places) if at < start), None)
            form = text[start:end]
            if not path.startswith(below) or package not in packages or form in seen or len(form) > most:
                continue
            seen.add(form)
            assert package is not None
            yield Drawn(file_id, path, line, package, form)
