"""A cache of what tests build, in the checkout: shared by the workers of a run, and by later runs.

An entry is a folder named after everything that it was made from. It is made in its final place, because an
index records where its sources are. It is complete once the list of its files is renamed into place.
"""

from __future__ import annotations

import fcntl
import hashlib
import inspect
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import IO

from oblist import indexer, lisp
from oblist.lisp.sbcl import Sbcl, find_sbcl, sbcl_arguments
from support.checkout import CACHE
from support.starts.causes import SHARED, Cause, started_for

_LAYOUT = 1  # of this folder
_KEPT = 4  # entries of one name: those in use, and some to go back to
_SYSTEMS = ("/usr/share/common-lisp/source", "/usr/share/sbcl-source")

Make = Callable[[Path], object]
State = dict[str, tuple[int, int]]


_used: dict[Path, IO[str]] = {}


@cache
def tested_sbcl() -> Sbcl:
    """The SBCL that the tests run, even if a test later changes which one is found."""
    return find_sbcl()


def kept(name: str, make: Make, inputs: Iterable[Path] = (), parts: Sequence[str] = ()) -> Path:
    """The folder that ``make`` fills, made now unless it is there; nobody may change what is in it.

    It depends on the module that ``make`` is in, the files ``inputs`` and the words ``parts``, besides what
    all entries depend on.
    """
    entry = CACHE / f"{name}-{_key(make, inputs, parts)}"
    if entry not in _used:
        CACHE.mkdir(exist_ok=True)
        _used[entry] = _hold(entry, make)
        _drop_all_but_the_last(name)
    return entry


def changed() -> list[str]:
    """The files used by this process that have changed since they were made."""
    return [
        str(entry / name)
        for entry in _used
        for name, state in json.loads(_listing(entry).read_text()).items()
        if _state(entry).get(name) != tuple(state)
    ]


def let_go() -> None:
    """Let others drop the entries that this process has used."""
    while _used:
        _used.popitem()[1].close()


def _listing(entry: Path) -> Path:
    return entry.with_name(f"{entry.name}.files")


def _hold(entry: Path, make: Make) -> IO[str]:
    """Make the entry unless it is complete, and keep others from dropping it while the result is open."""
    while True:
        _make_once(entry, make)
        lock = _locked(entry.with_name(f"{entry.name}.lock"), fcntl.LOCK_SH)
        if _listing(entry).exists():  # nobody has dropped it meanwhile
            os.utime(_listing(entry))
            return lock
        lock.close()


def _make_once(entry: Path, make: Make) -> None:
    with _locked(entry.with_name(f"{entry.name}.making"), fcntl.LOCK_EX):
        if not _listing(entry).exists():
            shutil.rmtree(entry, ignore_errors=True)
            entry.mkdir(mode=0o700)
            with started_for(Cause.of(SHARED, entry.name)):
                make(entry)
            beside = entry.with_name(f"{entry.name}.listing")
            beside.write_text(json.dumps(_state(entry)))
            beside.replace(_listing(entry))


def _state(entry: Path) -> State:
    """Size and time of change of all files below ``entry``."""
    return {
        str(path.relative_to(entry)): (path.stat().st_size, path.stat().st_mtime_ns)
        for path in sorted(entry.rglob("*"))
        if path.is_file()
    }


def _drop_all_but_the_last(name: str) -> None:
    """Drop unfinished and least recently used entries, except those that a process holds or is making."""
    listings = sorted(_of(name, ".files"), key=_last_used)
    last = {path.stem for path in listings[-_KEPT:]}
    for making in _of(name, ".making"):
        if making.stem not in last:
            entry, lock = making.with_suffix(""), making.with_suffix(".lock")
            with suppress(BlockingIOError), _only_holder(making), _only_holder(lock):
                _listing(entry).unlink(missing_ok=True)
                shutil.rmtree(entry, ignore_errors=True)
                lock.unlink()
                making.unlink()


def _last_used(listing: Path) -> int:
    """When the entry was last used; 0 if another process has just dropped it."""
    try:
        return listing.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def _of(name: str, ending: str) -> list[Path]:
    return [path for path in CACHE.glob(f"{name}-*{ending}") if path.stem.rpartition("-")[0] == name]


@contextmanager
def _only_holder(path: Path) -> Iterator[None]:
    """Hold the lock ``path``; BlockingIOError when another process does."""
    with _locked(path, fcntl.LOCK_EX | fcntl.LOCK_NB):
        yield


def _locked(path: Path, operation: int) -> IO[str]:
    """The file ``path``, opened and locked; never one that was dropped while this waited for the lock."""
    while True:
        lock = path.open("w")
        try:
            fcntl.flock(lock, operation)
            with suppress(FileNotFoundError):
                if path.stat().st_ino == os.fstat(lock.fileno()).st_ino:
                    return lock
        except BaseException:
            lock.close()
            raise
        lock.close()


def _key(make: Make, inputs: Iterable[Path], parts: Sequence[str]) -> str:
    digest = hashlib.sha256(repr((_common(), *parts)).encode())
    for path in (Path(inspect.getfile(make)), *inputs):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


@cache
def _common() -> str:
    """The inputs of every entry: SBCL, our code that makes indexes, and the sources of all systems."""
    sbcl = tested_sbcl()
    facts: list[object] = [_LAYOUT, sbcl.path, sbcl.version, sys.version, sqlite3.sqlite_version]
    programs = (sbcl.path.resolve(), Path(_core(sbcl)))
    facts += [(program, program.stat().st_size, program.stat().st_mtime_ns) for program in programs]
    for package in (lisp, indexer):
        (folder,) = package.__path__
        facts += [
            (str(path.relative_to(folder)), hashlib.sha256(path.read_bytes()).hexdigest())
            for path in sorted(Path(folder).rglob("*"))
            if path.suffix in (".lisp", ".asd", ".py")
        ]
    facts += [(folder, sorted(_state(Path(folder)).items())) for folder in _SYSTEMS]
    return hashlib.sha256(repr(facts).encode()).hexdigest()


def _core(sbcl: Sbcl) -> str:
    command = [*sbcl_arguments(sbcl, ["(princ sb-ext:*core-pathname*)"]), "--quit"]
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    ).stdout
