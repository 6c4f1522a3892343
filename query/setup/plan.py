"""What setting up a client, or undoing that, changes in which file."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .client import Client, ClientFile
from .errors import BrokenFileError, SetupError
from .files.part import State
from .files.whole_part import WholePart
from .place import SetupPlace
from .record import SetupRecord, Written, digest

_MOST_BYTES = 16_000_000
_NO_NEWLINE = "\\ No newline at end of file"


@dataclass(frozen=True, slots=True)
class ClientFileState:
    """What a file of a client has now; ``text`` is None if it is not there."""

    file: ClientFile
    content: bytes | None
    state: State
    is_ours: bool
    """Whether the file is as oblist left it."""

    @property
    def text(self) -> str:
        """The text, empty if the file is not there."""
        return decoded(self.content or b"")


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file before and after; None is a file that is not there. ``left`` says why one stays as it is."""

    path: Path
    before: bytes | None
    after: bytes | None
    written: Written | None = None
    left: str | None = None

    @property
    def is_nothing(self) -> bool:
        """Whether the file stays as it is."""
        return self.before == self.after

    def difference(self, shown: str) -> str:
        """The change as a unified difference, which names the file as ``shown``."""
        old, new = (decoded(one or b"").splitlines(keepends=True) for one in (self.before, self.after))
        was, will_be = ("/dev/null" if one is None else shown for one in (self.before, self.after))
        lines = difflib.unified_diff(old, new, was, will_be)
        return "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
        )


def looked_at(file: ClientFile, record: SetupRecord) -> ClientFileState:
    """What a client's file contains. Raises SetupError if it cannot be read, or is broken."""
    content = content_of(file.path)
    known = record.of(file.path)
    try:
        state = file.part.state(decoded(content or b""))
    except BrokenFileError as error:
        raise error.at(file.path) from error
    is_ours = known is not None and content is not None and known.after == digest(content)
    return ClientFileState(file, content, state, is_ours)


def planned(client: Client, place: SetupPlace, record: SetupRecord, *, replace: bool) -> FileChange:
    """The change that sets a client up. Raises SetupError.

    An entry for oblist that is already in its file, in another form, is left unless it was written here, or
    ``replace`` is set.
    """
    file = client.file(place)
    found, known = looked_at(file, record), record.of(file.path)
    if found.state is State.OTHER and not (replace or found.is_ours):
        is_whole = isinstance(file.part, WholePart)
        what = "is there already" if is_whole else "sets up oblist already, in another way"
        return FileChange(file.path, found.content, found.content, left=f"{what}; --replace replaces it")
    if found.state is State.SAME:
        return FileChange(file.path, found.content, found.content)
    new = _edited(file, file.part.put, found.text).encode()
    again = known if known is not None and found.is_ours else None
    before = found.content if again is None else again.before
    folders = _missing(file.path) if again is None else again.folders
    return FileChange(file.path, found.content, new, Written(before, digest(new), folders))


def taken_back(
    client: Client, place: SetupPlace, record: SetupRecord, *, replace: bool = False
) -> FileChange:
    """The change that undoes the setup of a client. Raises SetupError.

    A file that is as oblist left it gets back its former content. From a file that has changed since, only
    what is ours is removed; with ``replace``, also from one that oblist has not written here.
    """
    file = client.file(place)
    found, known = looked_at(file, record), record.of(file.path)
    if found.content is None or (found.state is State.ABSENT and known is None):
        return FileChange(file.path, found.content, found.content)
    if known is not None and found.is_ours:
        return FileChange(file.path, found.content, known.before, known)
    if found.state is State.OTHER and isinstance(file.part, WholePart):
        left = "was not written by oblist, or has been changed since: remove it yourself"
        return FileChange(file.path, found.content, found.content, left=left)
    if known is None and not replace:
        left = "was not set up from here; --undo --replace takes oblist out of it all the same"
        return FileChange(file.path, found.content, found.content, left=left)
    new = _edited(file, file.part.take, found.text)
    return FileChange(file.path, found.content, new.encode() if new.strip() else None, known)


def _edited(file: ClientFile, edit: Callable[[str], str], text: str) -> str:
    try:
        return edit(text)
    except BrokenFileError as error:
        raise error.at(file.path) from error


def content_of(path: Path) -> bytes | None:
    """What a file has; None if it is not there. Raises SetupError for what is no file of text."""
    try:
        if path.is_symlink() and not path.exists():
            raise SetupError(
                f"{path} is a link to a file that does not exist. Repair or remove it, and try again."
            )
        if not path.exists():
            return None
        if not path.is_file():
            raise SetupError(f"{path} is not a file. Move it away and try again.")
        if path.stat().st_size > _MOST_BYTES:
            raise SetupError(
                f"{path} is larger than {_MOST_BYTES // 1_000_000} MB: too large for a settings file."
            )
        content = path.read_bytes()
    except OSError as error:
        raise SetupError(f"{path} cannot be read: {error.strerror or error}.") from error
    try:
        decoded(content)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SetupError(f"{path}:{line}: this is not UTF-8. Correct the file and try again.") from error
    return content


def decoded(content: bytes) -> str:
    """The text of a file, with its line ends as they are."""
    return content.decode("utf-8")


def _missing(path: Path) -> tuple[str, ...]:
    """The folders that have to be made for a file, the innermost first."""
    return tuple(str(folder) for folder in path.parents if not folder.exists())
