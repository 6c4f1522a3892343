"""What was written into which file, so that it can be taken back."""

from __future__ import annotations

import base64
import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from oblist.indexer.format import user_data_folder
from oblist.lisp.unfinished import replace_file

_NAME = "setup.json"


@dataclass(frozen=True, slots=True)
class Written:
    """A file as it was before oblist wrote it, None if it was not there, and the digest of what it has since.

    ``folders`` were made for it.
    """

    before: bytes | None
    after: str
    folders: tuple[str, ...] = ()


def digest(content: bytes) -> str:
    """The digest of a file's content."""
    return sha256(content).hexdigest()


class SetupRecord:
    """The record in the user's data folder, which only the user can read: settings may have secrets."""

    def __init__(self, folder: Path | None = None) -> None:
        self.path = (folder or user_data_folder()) / _NAME
        self._files = self._read()

    def of(self, path: Path) -> Written | None:
        """What is known about a file."""
        return self._files.get(str(path))

    def keep(self, path: Path, written: Written | None) -> None:
        """Keep what is known about a file, or forget it. Raises OSError."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._locked():
            self._files = self._read()  # another process may have kept something meanwhile
            if written is not None:
                self._files[str(path)] = written
            elif self._files.pop(str(path), None) is None:
                return
            self._write()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the lock of the record's folder, if the file system has locks."""
        descriptor = os.open(self.path.parent, os.O_RDONLY | os.O_CLOEXEC)
        try:
            with suppress(OSError):
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _write(self) -> None:
        content = {
            name: {
                "before": None if one.before is None else base64.b64encode(one.before).decode(),
                "after": one.after,
                "folders": [*one.folders],
            }
            for name, one in self._files.items()
        }
        replace_file(self.path, json.dumps(content).encode(), private=True)

    def _read(self) -> dict[str, Written]:
        """What the file says; nothing if it is missing or damaged: then only what is ours is taken out."""
        try:
            content = json.loads(self.path.read_text(encoding="utf-8"))
            return {
                name: Written(
                    None if one["before"] is None else base64.b64decode(one["before"]),
                    one["after"],
                    tuple(one["folders"]),
                )
                for name, one in content.items()
            }
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}
