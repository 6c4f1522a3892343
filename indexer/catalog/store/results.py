"""The results that a store keeps.

    slices/NAME-KEY.db     the slice of a release: an ordinary index
    rows/KEY.db.gz         what the catalog file takes from it
    reports/KEY.json       what became of the release, written last
    surveys/KEY.json       what the definitions of a release say
    costs/KEY.json         the seconds and bytes that a release took the last time
    places/KEY             lists of the places of systems, for SBCL
    attempts/KEY/          a file for each worker that has begun to make a slice
    sources/KEY.tar.gz     the sources of a release, if they are sent
    compiled/KEY.tar.gz    the files compiled for a release, if workers on several machines share them

A key is a hash of all that decides the contents, so nothing in the store is ever out of date.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...extras import require
from .backends import Backend, Folder, backend_at, is_url


def key_of(*parts: Any) -> str:
    """A key for ``parts``, values that JSON can write."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Store:
    """The store at ``location``: the absolute path of a folder, or a URL that fsspec knows."""

    location: str

    @classmethod
    def at(cls, place: str | Path) -> Store:
        """The store at a URL, which needs an extra, or at a path as typed; raises MissingExtraError."""
        if not is_url(str(place)):
            return cls(str(Path(place).absolute()))
        require(f"the store {place}", "cluster", "fsspec")
        return cls(str(place))

    @property
    def place(self) -> Backend:
        """Where the store is; raises StoreError."""
        return backend_at(self.location)

    @property
    def folder(self) -> Path | None:
        """The folder of the store, if it is one."""
        return None if is_url(self.location) else Path(self.location)

    def read(self, kind: str, key: str) -> Any:
        """The JSON value of ``kind``, such as reports, under ``key``; None if there is none."""
        contents = self.place.read(f"{kind}/{key}.json")
        try:
            return None if contents is None else json.loads(contents)
        except ValueError:
            return None

    def write(self, kind: str, key: str, value: Any) -> None:
        """Store a JSON value."""
        self.place.write(f"{kind}/{key}.json", json.dumps(value).encode())

    def keep(self, name: str, make: Callable[[], bytes]) -> None:
        """Store what ``make`` returns as ``name``, unless there is such a file."""
        if not self.place.exists(name):
            self.place.write(name, make())

    def local(self, name: str, folder: Path) -> Path | None:
        """The file ``name`` on this machine: in the store's folder, else copied to ``folder``.

        None if there is no such file. What is in ``folder`` is not copied again.
        """
        place = self.place
        if isinstance(place, Folder):
            path = place.folder / name
            return path if path.exists() else None
        path = folder / name
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            new = path.with_name(f".{uuid.uuid4().hex}.new")
            if not place.get(name, new):
                return None
            new.replace(path)
        return path


def slice_name(release: str, key: str) -> str:
    """The name of a slice in the store."""
    plain = "".join(one if one.isalnum() or one in "+-._" else "_" for one in release)
    return f"slices/{plain}-{key}.db"


def rows_name(key: str) -> str:
    """The name of the rows that the catalog file takes from a slice."""
    return f"rows/{key}.db.gz"
