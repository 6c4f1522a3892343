"""The index that follows a project: published by rename, edited as a copy, held by one follower."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from ..build.lock import hold_lock, hold_watch
from ..build.publish import prepared, replaceable
from ..checksums import append_checksums
from ..copying import copy_file
from ..disk import output_errors
from ..errors import LockedError
from ..format import index_is_usable
from .exchange import put_in_place

_LOOK_SECONDS = 0.2
_BUILD_SECONDS = 600.0  # allowed for waiting for a build that is under way


class FollowedIndex:
    """The index at ``path``; readers only ever see complete states of it."""

    def __init__(
        self, path: Path, *, overwrite: bool = False, waiting: Callable[[str], None] = lambda _: None
    ) -> None:
        """``overwrite`` replaces any file at ``path``, otherwise only an index. Raises OutputError.

        ``waiting`` is called with a sentence that says for whom and how long, before waiting for a build.
        """
        self.path = prepared(path, overwrite=overwrite)
        self._overwrite = overwrite
        self._waiting = waiting

    @property
    def is_usable(self) -> bool:
        """Whether the index exists and has this version of the format."""
        return index_is_usable(self.path)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock for following with this index.

        Raises WatchedError, which names the holder, or OutputError if the lock cannot be made.
        """
        with ExitStack() as stack:
            with output_errors(self.path):
                stack.enter_context(hold_watch(self.path))
            yield

    def facts(self) -> dict[str, str]:
        """The facts in the index's table meta; none when it cannot be read."""
        try:
            with closing(sqlite3.connect(f"file:{quote(str(self.path))}?mode=ro", uri=True)) as connection:
                return dict(connection.execute("SELECT name, value FROM meta").fetchall())
        except sqlite3.DatabaseError:
            return {}

    @contextmanager
    def next(self) -> Iterator[Path]:
        """A path for the next index, to be written and published; it is removed afterwards."""
        self.path.parent.mkdir(exist_ok=True)  # no parents: a deleted project stays deleted
        new = self.path.with_name(f".{self.path.name}.refreshing")
        new.unlink(missing_ok=True)
        try:
            yield new
        finally:
            new.unlink(missing_ok=True)

    def publish(self, new: Path) -> None:
        """Replace the index with ``new``, after waiting for a build that is under way.

        Raises LockedError after ten minutes, and OutputError if something other than an index is there.
        """
        append_checksums(new)
        deadline = time.monotonic() + _BUILD_SECONDS
        told = False
        while True:
            try:
                with hold_lock(self.path):
                    replaceable(self.path, overwrite=self._overwrite)
                    put_in_place(new, self.path)
                    self._overwrite = False  # it was said of the file that was there at the start
                    return
            except LockedError as error:
                if time.monotonic() > deadline:
                    raise
                if not told:
                    told = True
                    limit = f"at most {_BUILD_SECONDS:.0f} s"
                    self._waiting(f"{self.path} is being built by {error.holder}; waiting for it, {limit}.")
            time.sleep(_LOOK_SECONDS)

    def set_facts(self, facts: Mapping[str, str | None], *, of: Path | None = None) -> None:
        """Set facts of the index, or of a copy ``of`` another one; remove the facts whose value is None."""
        with self.next() as new:
            copy_file(of or self.path, new)
            with closing(sqlite3.connect(new)) as connection, connection:
                for name, value in facts.items():
                    if value is None:
                        connection.execute("DELETE FROM meta WHERE name = ?", [name])
                    else:
                        connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", [name, value])
            self.publish(new)
