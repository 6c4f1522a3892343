"""What a build leaves in the user's cache for live values: its record, and a snapshot that works."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from lisp.build_records import MOST_SNAPSHOT_BYTES, BuildRecord, BuildRecords
from lisp.live_child import ChildGoneError, ChildLateError, start_from_core
from lisp.sbcl import SbclError

from .format import user_cache_folder

_START_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Kept:
    """The size of the snapshot in bytes; None, and the reason, when there is none."""

    size: int | None
    reason: str | None


@contextmanager
def core_to_save(wanted: bool) -> Iterator[Path | None]:
    """Where SBCL shall save a core; None when none is wanted, or the cache cannot be written."""
    with ExitStack() as stack:
        core = None
        if wanted:
            with suppress(OSError):
                core = stack.enter_context(BuildRecords(user_cache_folder()).saving())
        yield core


def keep_build(record: BuildRecord, core: Path | None, wanted: bool | None) -> Kept:
    """Keep ``record`` and the ``core`` that was saved, if it starts; never fails, but says why not.

    ``wanted`` None keeps nothing at all.
    """
    if wanted is None:
        return Kept(None, "none was wanted")
    reason = None if wanted else "none was wanted"
    if core is None or not core.is_file():
        core, reason = None, reason or "SBCL saved none"
    elif (size := core.stat().st_size) > MOST_SNAPSHOT_BYTES:
        limit = MOST_SNAPSHOT_BYTES // 1_000_000
        core, reason = None, f"it has {size // 1_000_000} MB, the limit is {limit} MB"
    elif not _starts(record, core):
        core, reason = None, "it does not start"
    kept = core.stat().st_size if core else None
    try:
        BuildRecords(user_cache_folder()).publish(record, core)
    except OSError as error:
        return Kept(None, f"the cache folder cannot be written: {error.strerror}")
    return Kept(kept, reason)


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
