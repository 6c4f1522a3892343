"""Keep the record of a build and a working snapshot in the user's cache, as the source of values."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from oblist.lisp.build_records import MOST_CORE_BYTES, BuildRecord, BuildRecords, server_beside
from oblist.lisp.live_child import ChildGoneError, ChildLateError, start_from_core
from oblist.lisp.sbcl import SERVER, SbclError

from ..copying import copy_file
from ..format import user_cache_folder
from ..layers.cache import prune
from ..layers.core_and_index import Layer

_START_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class KeptSnapshot:
    """The size of the snapshot in bytes, or None and the reason why there is none."""

    size: int | None
    reason: str | None


@contextmanager
def core_to_save(wanted: bool) -> Iterator[Path | None]:
    """A path for SBCL to save a core at; None when none is wanted, or the cache cannot be written."""
    with ExitStack() as stack:
        core = None
        if wanted:
            with suppress(OSError):
                core = stack.enter_context(BuildRecords(user_cache_folder()).saving())
        yield core


def link_core(layer: Layer, core: Path) -> str | None:
    """Make ``core`` the core of ``layer``, which has all that the index has; returns why that failed."""
    server = server_beside(core)
    try:
        server.touch(mode=0o600)
        server.write_bytes((layer.code / SERVER).read_bytes())
        try:
            os.link(layer.core, core)
        except OSError:  # the file system has no links
            core.touch(mode=0o600)
            copy_file(layer.core, core)
    except OSError as error:
        return f"the cache folder cannot be written to: {error.strerror}"
    return None


def keep_record(record: BuildRecord, wanted: bool | None) -> str | None:
    """Keep ``record``, unless ``wanted`` is None; return the reason for having no snapshot, if any."""
    if wanted is None:
        return "none was wanted"
    try:
        BuildRecords(user_cache_folder()).publish(record)
    except OSError as error:
        return f"the cache folder cannot be used: {error.strerror}"
    return None if wanted else "none was wanted"


def keep_core(record: BuildRecord, core: Path | None, reason: str | None) -> KeptSnapshot:
    """Keep the saved ``core`` if it starts; does not fail, but says why it was not kept.

    ``reason`` is what SBCL itself said about having saved none.
    """
    if core is None:
        return KeptSnapshot(None, "the cache folder cannot be written to")
    records = BuildRecords(user_cache_folder())
    try:
        reason = reason or _why_unfit(record, core)
        if reason is not None:
            records.keep_no_core(record, reason)
            return KeptSnapshot(None, reason)
        size = core.stat().st_size
        records.add_core(record, core)
        prune()
    except OSError as error:
        return KeptSnapshot(None, f"the cache folder cannot be written to: {error.strerror}")
    return KeptSnapshot(size, None)


def _why_unfit(record: BuildRecord, core: Path) -> str | None:
    """Why the saved ``core`` cannot be kept; None if it can."""
    if not core.exists():
        return "SBCL saved none"
    if (size := core.stat().st_size) > MOST_CORE_BYTES:
        return f"it is {size // 1_000_000} MB, and the limit is {MOST_CORE_BYTES // 1_000_000} MB"
    return None if _starts(record, core) else "it does not start"


def _starts(record: BuildRecord, core: Path) -> bool:
    try:
        child = start_from_core(record, core)
    except SbclError:
        return False
    try:
        child.greeting(_START_SECONDS)
    except (ChildGoneError, ChildLateError):
        return False
    finally:
        child.close()
    return True
