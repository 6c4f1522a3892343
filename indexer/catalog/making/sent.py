"""Sources that are sent: packed into the store by the client, unpacked by each machine that needs them.

A worker reads them below its own scratch folder. In what it sends back, every path is the one on the machine
that sent them.
"""

from __future__ import annotations

import io
import os
import re
import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from ...errors import IndexerError
from ..store.results import Store
from .orders import SentFolder
from .scratch import Scratch

ALL = Path("/")
"""The folder of the definition files of all releases, which ASDF may look for while it reads one."""
_MOST_BYTES = 500_000_000


class SourcesError(IndexerError):
    """Sources cannot be sent, or are not there."""


def sources_name(key: str) -> str:
    """The name of packed sources in the store."""
    return f"sources/{key}.tar.gz"


def packed(folder: Path, files: Iterable[Path]) -> bytes:
    """The ``files`` in ``folder``, packed. Raises SourcesError if they are too large."""
    total, packed_files = 0, io.BytesIO()
    with tarfile.open(fileobj=packed_files, mode="w:gz", compresslevel=6, dereference=True) as archive:
        for path in files:
            total += path.stat().st_size
            if total > _MOST_BYTES:
                raise SourcesError(
                    f"{folder} is larger than {_MOST_BYTES // 1_000_000} MB, too large to send with a task."
                    " Share the folder with the workers, and leave out --send-sources."
                )
            archive.add(path, path.relative_to(folder), recursive=False)
    return packed_files.getvalue()


def unpacked(contents: bytes, folder: Path) -> None:
    """Unpack what ``packed`` has returned into a new folder. Raises SourcesError if it has more than files.

    The filter "data" of tarfile would do, but Python has it from 3.11.4 on, and Debian 12 has 3.11.2.
    """
    folder.mkdir()
    with tarfile.open(fileobj=io.BytesIO(contents), mode="r:gz") as archive:
        for member in archive:
            path = PurePosixPath(member.name)
            packed_file = archive.extractfile(member) if member.isreg() else None
            if packed_file is None or path.is_absolute() or ".." in path.parts:
                raise SourcesError(
                    f"The packed sources contain {member.name!r}, which is not a file in their folder."
                )
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(packed_file.read())
            target.chmod(0o755 if member.mode & 0o100 else 0o644)
            os.utime(target, (member.mtime, member.mtime))


def sent_files(folder: Path) -> Iterator[Path]:
    """The files that are sent of ``folder``: all but hidden ones."""
    for path, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[0] != ".")
        for name in sorted(names):
            one = Path(path, name)
            if name[0] != "." and one.is_file():
                yield one


class SentSources:
    """The sources of some releases on this machine, unpacked from ``store`` when they are needed."""

    def __init__(self, folders: Sequence[SentFolder], store: Store, scratch: Scratch) -> None:
        self._folders = sorted(folders, key=lambda one: -len(one.folder.parts))
        self._here = scratch.folder / "sources"
        self._originals = {one.key: str(one.folder).removesuffix("/") for one in folders}
        self._pattern = re.compile(re.escape(f"{self._here}/") + r"([0-9a-f]{32})(?![0-9a-z])")
        for one in folders:
            _unpack(one.key, store, scratch)

    def local(self, path: Path) -> Path:
        """The place on this machine of ``path`` on the one that sent it."""
        for one in self._folders:
            if path.is_relative_to(one.folder):
                found = self._here / one.key / path.relative_to(one.folder)
                if one.folder != ALL or found.exists():
                    return found
        return path

    def original(self, text: str) -> str:
        """``text`` with the paths of the machine that sent the sources."""
        return self._pattern.sub(lambda match: self._originals.get(match[1], match[0]), text)

    def original_line(self, line: bytes) -> bytes:
        """A record with the paths of the machine that sent the sources."""
        if b"/sources/" not in line:
            return line
        return self.original(line.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")

    def places(self, text: bytes) -> bytes:
        """The list ``text`` of the places of systems, with those that are on this machine."""
        lines = []
        for line in text.decode("utf-8", "surrogateescape").splitlines():
            name, _, path = line.partition(" ")
            local = self.local(Path(path))
            if local != Path(path):
                lines.append(f"{name} {local}\n")
        return "".join(lines).encode("utf-8", "surrogateescape")


class LocalTexts(Mapping[str, str]):
    """Where the text of each source file is found, as the writer of an index asks."""

    def __init__(self, sources: SentSources) -> None:
        self._sources = sources

    def __getitem__(self, path: str) -> str:
        return str(self._sources.local(Path(path)))

    def get(self, path: str, default: Any = None) -> Any:
        """The place of the text of the file at ``path``."""
        return self[path]

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def _unpack(key: str, store: Store, scratch: Scratch) -> None:
    folder = scratch.folder / "sources" / key
    if folder.is_dir():
        return
    contents = store.place.read(sources_name(key))
    if contents is None:
        raise SourcesError(f"The sources {key} are not in the store.")
    with scratch.work() as work:
        new = work / "sources"
        unpacked(contents, new)
        try:
            new.rename(folder)
        except OSError:
            if not folder.is_dir():  # otherwise another process was first
                raise
