"""A copy of an index with another version of a library in it."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from oblist.indexer.format import SLICE

from ...errors import IndexDamagedError
from ...index.reading import REBUILD, Reading
from ..library import ForecastError, ForecastLibrary
from . import sql
from .sql import OffsetsRow

# The copy is thrown away, whatever becomes of it.
_PRAGMAS = ("PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA trusted_schema = OFF")


def replaced_copy(old: Reading, new: Reading, library: ForecastLibrary, path: Path) -> None:
    """Write to ``path`` the index ``old`` with the version of ``library`` that ``new`` has.

    Packages, names, definitions, classes and methods are those of the new version; uses stay as they were.
    The copy is for questions about the project's text: what is new is not in its full-text tables. Raises
    ForecastError if there is no room for it, and IndexDamagedError if one of the two cannot be read.
    """
    try:
        shutil.copyfile(old.path, path)
    except OSError as error:
        raise ForecastError(
            f"{old.path} cannot be copied to {path.parent} ({error.strerror}): make room there, or name "
            "another folder for temporary files with the variable TMPDIR."
        ) from error
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        try:
            for pragma in _PRAGMAS:
                connection.execute(pragma)
            connection.execute(sql.ATTACH, {"newer": f"file:{quote(str(new.path))}?mode=ro&immutable=1"})
            offsets = OffsetsRow._make(connection.execute(sql.OFFSETS).fetchone())
            values = offsets._asdict() | library.listed()
            connection.execute("BEGIN")
            for statement in (*sql.REPLACEMENT, *([sql.FACTS_OF_SBCL] if library.is_sbcl else [])):
                connection.execute(statement, values)
            if old.outside is not None:
                known = json.loads(old.facts[SLICE])
                known["outside"] = sorted(old.outside - library.old_packages - library.new_packages)
                connection.execute(sql.FACT, {"name": SLICE, "value": json.dumps(known)})
            connection.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            raise IndexDamagedError(
                new.path, f"cannot be compared with {old.path} ({error}).", REBUILD
            ) from error
