"""Folders and files for what is being made, told by their names and locks: those of the dead can go."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_IMODE


@contextmanager
def unfinished_folder(parent: Path, prefix: str = "") -> Iterator[Path]:
    """A new folder below ``parent``, for this user alone; it is gone at the end unless it was renamed."""
    folder = Path(tempfile.mkdtemp(prefix=f"{prefix}{os.getpid()}-", dir=parent))
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(descriptor, fcntl.LOCK_SH)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(descriptor)


@contextmanager
def temporary_folder(prefix: str) -> Iterator[Path]:
    """Such a folder among the temporary files, after the removal of those that the dead have left there."""
    parent = Path(tempfile.gettempdir()).resolve()
    drop_unfinished(parent, prefix)
    with unfinished_folder(parent, prefix) as folder:
        yield folder


def drop_unfinished(parent: Path, prefix: str = "") -> None:
    """Remove what processes of this user that are gone have left of such folders below ``parent``."""
    for left in parent.glob(f"{prefix}*"):
        with suppress(OSError):  # another process removes it, too
            is_ours = left.lstat().st_uid == os.getuid()
            if is_ours and _is_of_the_dead(left.name.removeprefix(prefix)) and not _is_locked(left):
                shutil.rmtree(left, ignore_errors=True)


def file_beside(target: Path, suffix: str = "") -> tuple[int, Path]:
    """A new file beside ``target``, to be renamed over it, as a descriptor and its path. Raises OSError.

    What processes that are gone have left of such files beside ``target`` is removed.
    """
    prefix = f".{target.name}."
    for left in target.parent.glob(f"{_escaped(prefix)}*{_escaped(suffix)}"):
        with suppress(OSError):
            if _is_of_the_dead(left.name.removeprefix(prefix)) and not _is_locked(left):
                left.unlink()
    number, name = tempfile.mkstemp(prefix=f"{prefix}{os.getpid()}-", suffix=suffix, dir=target.parent)
    with suppress(OSError):  # a file system without locks
        fcntl.flock(number, fcntl.LOCK_SH)
    return number, Path(name)


def replace_file(target: Path, content: bytes, *, private: bool = False) -> None:
    """Give the file ``target`` a new ``content``: whatever happens, it has the old one or the new one.

    It keeps its permissions; a new file gets the usual ones, or is for this user alone. Raises OSError.
    """
    number, new = file_beside(target)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if not private:
            new.chmod(S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask())
        new.replace(target)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _escaped(text: str) -> str:
    return "".join(f"[{each}]" if each in "*?[" else each for each in text)


def _is_locked(path: Path) -> bool:
    """Whether somebody holds the lock: the process may be of another machine, or in a container."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # a file system without locks
        return False
    finally:
        os.close(descriptor)
    return False


def _is_of_the_dead(name: str) -> bool:
    """Whether a name begins with the number of a process, and that is gone."""
    process, dash, _ = name.partition("-")
    if not (dash and process.isdecimal()):
        return False  # somebody else's
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False
