"""The catalog file: one SQLite file over all slices, written beside the old one and renamed over it."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote

from ...build.lock import hold_lock
from ...build.publish import sync
from ...checksums import append_checksums
from ...disk import output_errors
from ...errors import ContradictionError, OutputError
from ...format import CATALOG_FORMAT, CATALOG_ID, FEATURE, FORMAT, read_file_header
from ...own_schema import MASTER, creating, schema_difference
from ...schema.fulltext import write_fulltext
from ...schema.views import write_views
from ...target import TargetError, target
from ...write.facts import moment
from ...write.rows import UNPUBLISHED
from .rows import CatalogRows, ReleaseRows
from .tables import CATALOG_FULL_TEXT, INDEXES, metadata

_TAKEN_FACTS = (
    *("implementation", "machine", "features"),
    *("case_upper", "case_lower", "case_title", "case_title_upper"),
)
# Each statement finds rows that must not be there; the text says what they contradict.
_RULES = (
    (
        "symbols without a package",
        "SELECT name FROM symbols WHERE package_id NOT IN (SELECT id FROM packages)",
    ),
    (
        "definitions without a symbol",
        "SELECT id FROM definitions WHERE symbol_id NOT IN (SELECT id FROM symbols)",
    ),
    (
        "signatures without a definition",
        "SELECT id FROM signatures WHERE id NOT IN (SELECT id FROM definitions)",
    ),
    (
        "names missing from full text",
        "SELECT name FROM symbols WHERE id NOT IN (SELECT id FROM symbols_fts_docsize)",
    ),
    (
        "definitions missing from full text",
        "SELECT id FROM definitions WHERE id NOT IN (SELECT id FROM definitions_fts_docsize)",
    ),
    (
        "full text of definitions that are gone",
        "SELECT id FROM definitions_fts_docsize WHERE id NOT IN (SELECT id FROM definitions)",
    ),
    (
        "names of releases that are gone",
        "SELECT name FROM release_names WHERE release_id NOT IN (SELECT id FROM releases)",
    ),
    ("releases without a system", "SELECT name FROM releases WHERE id NOT IN (SELECT id FROM systems)"),
)
_LINK = """
UPDATE system_dependencies SET target_id =
    (SELECT releases.id FROM release_systems JOIN releases ON releases.id = release_id
     WHERE release_systems.name = system_dependencies.name ORDER BY newest DESC, releases.id LIMIT 1)
"""


def is_catalog(path: Path) -> bool:
    """Whether the file at ``path`` is a catalog, of any version."""
    header = read_file_header(path)
    return header is not None and header.application_id == CATALOG_ID


def catalog_target(output: Path, *, overwrite: bool = False) -> Path:
    """The file that a catalog at ``output`` replaces; raises OutputError."""
    try:
        found = target(output.absolute(), "an oblist catalog", is_catalog, overwrite=overwrite)
        found.parent.mkdir(parents=True, exist_ok=True)
    except TargetError as error:
        raise OutputError(str(error)) from error
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OutputError(f"{output} cannot be written: {reason}.") from error
    return found


Extracts = Callable[[ReleaseRows], AbstractContextManager[Path | None]]


def write_catalog(
    output: Path,
    releases: Sequence[ReleaseRows],
    extracts: Extracts,
    command: str,
    *,
    add: bool = False,
    overwrite: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> None:
    """Write the catalog of ``releases`` at ``output``; with ``add``, keep what it has of others.

    What the present catalog has of the same releases is taken over; for the others, ``extracts`` opens the
    extract of the release's slice, or gives None if it has no slice. Raises OutputError, LockedError and
    ContradictionError.
    """
    output = catalog_target(output, overwrite=overwrite)
    new = output.with_name(f".{output.name}.building")
    with output_errors(output, "catalog", "--catalog"), hold_lock(output):
        try:
            with _unpublished(output, new) as connection:
                _update(connection, releases, extracts, add, progress)
                _conclude(connection, command)
            append_checksums(new)
            sync(new)
            catalog_target(output, overwrite=overwrite)
            new.replace(output)
            sync(output.parent)
        finally:
            new.unlink(missing_ok=True)


@contextmanager
def _unpublished(output: Path, new: Path) -> Iterator[sqlite3.Connection]:
    """The new catalog: a copy of the present one, if that can be kept up, else an empty one."""
    new.unlink(missing_ok=True)
    kept = _is_current(output)
    if kept:
        shutil.copyfile(output, new)
    with closing(sqlite3.connect(f"file:{quote(str(new))}", uri=True)) as connection:
        for pragma in UNPUBLISHED:
            connection.execute(pragma)
        if not kept:
            _make_tables(connection)
        yield connection
        connection.commit()


def _is_current(output: Path) -> bool:
    """Whether the present catalog is whole and of this version."""
    try:
        header = read_file_header(output)
        if header is None or (header.application_id, header.user_version) != (CATALOG_ID, CATALOG_FORMAT):
            return False
        with closing(
            sqlite3.connect(f"file:{quote(str(output))}?mode=ro&immutable=1", uri=True)
        ) as connection:
            facts = dict(connection.execute("SELECT name, value FROM meta").fetchall())
    except (OSError, sqlite3.DatabaseError):
        return False
    return "complete" in facts and facts.get("oblist") == version("oblist") and facts["format"] == str(FORMAT)


def _make_tables(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA application_id = {CATALOG_ID}")
    connection.execute(f"PRAGMA user_version = {CATALOG_FORMAT}")
    for table in metadata.sorted_tables:
        connection.execute(creating("catalog", table.name))
    for index in INDEXES:
        connection.execute(creating("catalog", str(index.name)))
    write_views(connection, "catalog")
    write_fulltext(connection, CATALOG_FULL_TEXT)
    rows = [(table.name, "", table.comment or "") for table in metadata.sorted_tables]
    rows += [
        (table.name, column.name, column.comment or "")
        for table in metadata.sorted_tables
        for column in table.columns
    ]
    connection.executemany("INSERT INTO descriptions VALUES (?, ?, ?)", rows)
    connection.commit()


def _update(
    connection: sqlite3.Connection,
    releases: Sequence[ReleaseRows],
    extracts: Extracts,
    add: bool,
    progress: Callable[[str], None],
) -> None:
    """Drop the releases that are no longer there or have changed, and add those that are new."""
    writer = CatalogRows(connection)
    connection.execute("DELETE FROM meta WHERE name = 'complete'")
    # A slice that is made again, because the first attempt ran out of time, has the same key.
    wanted = {(one.place, one.key, str(one.seconds)): one for one in releases}
    places = {one.place for one in releases}
    present = connection.execute("SELECT id, place, key, seconds FROM releases").fetchall()
    for number, place, key, seconds in present:
        if (place, key, seconds) in wanted and key:
            del wanted[place, key, seconds]
        elif place in places or not add:
            writer.drop(number)
    for number, one in enumerate(wanted.values(), 1):
        progress(f"writing the catalog, {number} of {len(wanted)}")
        with extracts(one) as extract:
            writer.add(one, extract)
            if extract is not None:
                _take_facts(connection, extract)


def _take_facts(connection: sqlite3.Connection, extract: Path) -> None:
    """Take the facts about SBCL from an extract; all agree on them but for features."""
    if connection.execute("SELECT 1 FROM meta WHERE name = 'implementation'").fetchone():
        return
    with closing(sqlite3.connect(f"file:{quote(str(extract))}?mode=ro&immutable=1", uri=True)) as source:
        facts = dict(source.execute("SELECT name, value FROM meta").fetchall())
    connection.executemany("INSERT INTO meta VALUES (?, ?)", [(name, facts[name]) for name in _TAKEN_FACTS])


def _conclude(connection: sqlite3.Connection, command: str) -> None:
    """Update what depends on all releases, check the catalog, and mark it as complete."""
    _mark_newest(connection)
    connection.execute(_LINK)
    facts = {
        "format": str(FORMAT),
        "feature": str(FEATURE),
        "oblist": version("oblist"),
        "built": moment(datetime.now(UTC)),
        "started": moment(datetime.now(UTC)),
        "command": command,
        "catalog": str(CATALOG_FORMAT),
    }
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", facts.items())
    if different := schema_difference(connection.execute(MASTER), "catalog"):
        raise ContradictionError([different])
    if found := broken_rules(connection):
        raise ContradictionError(found)
    connection.execute("INSERT INTO meta VALUES ('complete', '1')")


def broken_rules(connection: sqlite3.Connection) -> list[str]:
    """What the rows of a catalog contradict, with examples, one line each."""
    return [
        f"{what}: {', '.join(str(one) for (one,) in examples)}"
        for what, statement in _RULES
        if (examples := connection.execute(statement).fetchmany(3))
    ]


def _mark_newest(connection: sqlite3.Connection) -> None:
    """Mark the newest version of each release; one that loaded before one that did not."""
    newest: dict[str, tuple[tuple[bool, list[tuple[int, int, str]], int], int]] = {}
    for number, name, of, state in connection.execute("SELECT id, name, version, state FROM releases"):
        rank = ((state != "failed", version_key(of), -number), number)
        if name not in newest or rank > newest[name]:
            newest[name] = rank
    connection.execute("UPDATE releases SET newest = 0 WHERE newest")
    numbers = [(number,) for _, number in newest.values()]
    connection.executemany("UPDATE releases SET newest = 1 WHERE id = ?", numbers)


def version_key(text: str | None) -> list[tuple[int, int, str]]:
    """A key that orders versions: numbers by value, and before them what has none."""
    parts = re.findall(r"\d+|[a-z]+", (text or "").lower())
    return [(1, int(part), "") if part.isdigit() else (0, 0, part) for part in parts]
