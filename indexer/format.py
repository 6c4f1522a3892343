"""The parts of the index format that a reader checks before use; standard library only.

A file is an oblist index when its SQLite header carries APPLICATION_ID. FORMAT (SQLite's
``user_version``) is raised when old readers would read wrongly: they refuse the file.
FEATURE (in the table ``meta``) is raised when a rebuild would add something: readers open the
file and advise a rebuild.

FORMAT history
    1  packages, symbols, presences, definitions, references, systems, roots, classes, problems
    2  references include the occurrences in the text, in the order in which they are shown
    3  the search rank of symbols, which full text follows, and the number of callers over all relations that
       SBCL records
    4  the schema is that of schema/index.sql to the letter, and checksums of the pages follow the last page
CATALOG_FORMAT history
    1  releases, their names, uses and problems, over the tables of an index
    2  as format 4 of an index; the schema is that of schema/catalog.sql
FEATURE history
    8  all that an index of format 4 has
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

APPLICATION_ID = 0x6F626C73  # "obls"
FORMAT = 4
FEATURE = 8

CATALOG_ID = 0x6F626C63  # "oblc"
"""The application id of a catalog: one file over the slices of many releases."""
CATALOG_FORMAT = 2

INDEX_NAME = "oblist.db"
CATALOG_NAME = "catalog.db"
CATALOG_VARIABLE = "OBLIST_CATALOG"
STORE_VARIABLE = "OBLIST_STORE"
PROJECT_FOLDER = ".oblist"
INDEX_VARIABLE = "OBLIST_INDEX"

_SQLITE_MAGIC = b"SQLite format 3\x00"
_HEADER_BYTES = 100


class FileHeader(NamedTuple):
    """The facts in the first 100 bytes of a SQLite file (sqlite.org/fileformat2.html, 1.3)."""

    application_id: int
    user_version: int
    expected_bytes: int
    actual_bytes: int


EDITED = "edited"
"""The meta fact set when a source has been edited since the image that supplies values was saved."""
BROKEN = "broken"
"""The fact in meta that says, as JSON, why the project no longer loads."""
LAST_GOOD = "last_good"
"""The fact in meta that names, as JSON, the systems that no longer load, of which the index has the last good
state."""


SLICE = "slice"
"""The fact in meta that says, as JSON, of which release the index is a slice: its name, definition file and
key, and the packages outside, of which it has the names only."""


_SBCL_SIGNS = ("SYS:", "/contrib/sb-")  # in the sources of SBCL and of the modules that come with it


def names_sbcl(stage: str, *texts: str | None) -> bool:
    """Whether a problem is about SBCL's own sources, by its ``texts``; what does not load never is."""
    return stage != "load" and any(sign in (text or "") for sign in _SBCL_SIGNS for text in texts)


def index_is_usable(path: Path) -> bool:
    """Whether there is an index at ``path`` that this version reads."""
    try:
        header = read_file_header(path)
    except OSError:
        return False
    return (
        header is not None
        and header.application_id == APPLICATION_ID
        and header.user_version == FORMAT
        and header.actual_bytes >= header.expected_bytes
    )


def read_file_header(path: Path) -> FileHeader | None:
    """Read the SQLite header of the file at ``path``; None when it is not an SQLite file.

    Raises OSError when the file cannot be read.
    """
    # Without O_NONBLOCK, opening a pipe would wait for a writer.
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        status = os.fstat(file.fileno())
        header = file.read(_HEADER_BYTES) if stat.S_ISREG(status.st_mode) else b""
        actual = status.st_size
    if len(header) < _HEADER_BYTES or not header.startswith(_SQLITE_MAGIC):
        return None

    def number(start: int, length: int) -> int:
        return int.from_bytes(header[start : start + length], "big")

    page_size = number(16, 2)
    return FileHeader(
        application_id=number(68, 4),
        user_version=number(60, 4),
        expected_bytes=(65536 if page_size == 1 else page_size) * number(28, 4),
        actual_bytes=actual,
    )


def user_data_folder() -> Path:
    """The folder for this user's data (XDG base directory specification)."""
    return _xdg_folder("XDG_DATA_HOME", ".local/share")


def user_cache_folder() -> Path:
    """The folder for this user's disposable files (XDG base directory specification)."""
    return _xdg_folder("XDG_CACHE_HOME", ".cache")


def _xdg_folder(variable: str, fallback: str) -> Path:
    chosen = Path(os.environ.get(variable, ""))  # the specification ignores relative paths
    base = chosen if chosen.is_absolute() else Path.home() / fallback
    return base / "oblist"


def index_to_read(explicit: str | None = None, *, folder: Path | None = None) -> Path:
    """The index that answers: ``explicit``, else ``$OBLIST_INDEX``, else the project's, else the user's."""
    if explicit:
        return Path(explicit)
    if named := os.environ.get(INDEX_VARIABLE):
        return Path(named)
    return index_of_project(folder) or user_data_folder() / INDEX_NAME


def index_of_project(folder: Path | None = None) -> Path | None:
    """The index ``.oblist/oblist.db`` in ``folder`` (default: the current one) or the nearest folder above.

    None if there is none. Files of other users are skipped, since an index found this way is trusted.
    """
    own = (path for path, owner in _indexes_of_projects(folder) if owner == os.getuid())
    return next(own, None)


def index_of_another_user(folder: Path | None = None) -> Path | None:
    """The nearest index that ``index_to_read`` skips in ``folder`` because another user owns it, if any."""
    others = (path for path, owner in _indexes_of_projects(folder) if owner != os.getuid())
    return next(others, None)


def _indexes_of_projects(folder: Path | None) -> Iterator[tuple[Path, int]]:
    """The projects' indexes in ``folder`` and the folders above, each with the number of its owner."""
    start = Path(os.path.realpath(folder or Path.cwd()))  # Path.resolve raises for a loop of links
    for candidate_folder in (start, *start.parents):
        candidate = candidate_folder / PROJECT_FOLDER / INDEX_NAME
        with suppress(OSError):
            yield candidate, candidate.stat().st_uid


def catalog_file(explicit: str | None = None) -> Path:
    """The catalog to ask or to write: ``explicit``, else ``$OBLIST_CATALOG``, else the user's."""
    named = explicit or os.environ.get(CATALOG_VARIABLE)
    return Path(named) if named else user_data_folder() / CATALOG_NAME


def build_command(path: Path) -> str:
    """The command that builds the index that a reader looks for at ``path``, or that of the project here."""
    import shlex  # few commands need it

    path = path.absolute()
    named = os.environ.get(INDEX_VARIABLE)
    if path == user_data_folder() / INDEX_NAME or (named and path == Path(named).absolute()):
        return "oblist index --project ." if any(Path().glob("*.asd")) else "oblist index"
    if path.name == INDEX_NAME and path.parent.name == PROJECT_FOLDER:
        return f"oblist index --project {shlex.quote(str(path.parent.parent))}"
    return f"oblist index --output {shlex.quote(str(path))}"


def make_folder_of(index: Path) -> None:
    """Make the folder of ``index``; a project's folder is hidden from version control."""
    index.parent.mkdir(parents=True, exist_ok=True)
    ignored = index.parent / ".gitignore"
    if index.parent.name == PROJECT_FOLDER and not ignored.exists():
        ignored.write_text("*\n", encoding="utf-8")


def index_to_write(explicit: str | None = None, project: Path | None = None) -> Path:
    """The index that a build replaces: ``explicit``, else ``$OBLIST_INDEX``, else that of the folder
    ``project``, else the user's."""
    if explicit:
        return Path(explicit)
    if named := os.environ.get(INDEX_VARIABLE):
        return Path(named)
    if project:
        return project / PROJECT_FOLDER / INDEX_NAME
    return user_data_folder() / INDEX_NAME
