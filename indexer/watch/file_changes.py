"""Watch the sources of a project, and refresh its index after each change."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from watchfiles import Change, DefaultFilter, watch

from ..errors import NotWatchableError
from ..inputs import file_state
from .follower import Follower, RefreshStep

# A refresh begins when no further file changes from one look to the next, after 30 to 60 ms, or when a
# burst has lasted this long.
_STEP_MILLISECONDS = 30
_BURST_MILLISECONDS = 1600
# The time without a change after which the image is saved again.
VALUES_SECONDS = 30.0
_LOOK_MILLISECONDS = 200


class _Relevant(DefaultFilter):
    """A filter that ignores files written by a refresh itself, and files that are not sources."""

    ignore_dirs = (*DefaultFilter.ignore_dirs, ".oblist")

    def __call__(self, change: Change, path: str) -> bool:
        return not path.endswith((".fasl", ".db", ".core")) and super().__call__(change, path)


def follow(
    follower: Follower,
    stop: threading.Event,
    report: Callable[[RefreshStep], None],
    *,
    watching: Callable[[list[Path]], None] = lambda _: None,
    values: bool = True,
    values_seconds: float = VALUES_SECONDS,
) -> None:
    """Refresh the index after each change of the sources, until ``stop`` is set.

    ``report`` is called with the result of each refresh, ``watching`` with the folders once they are
    watched. With ``values`` the image is saved when nothing has changed for ``values_seconds``. Raises
    NotWatchableError.
    """
    quiet_since = time.monotonic()
    while not stop.is_set():
        for project in follower.projects:
            if not project.is_dir():
                raise NotWatchableError(f"{project} is gone.")
        places = follower.places()
        seen = list(map(file_state, places.files))
        begun = False
        for changed in _changes(places.folders, stop):
            before, seen = seen, list(map(file_state, places.files))
            # The first time, look for changes since the last refresh.
            step = follower.follow() if changed or not begun or seen != before else None
            if step is not None:
                report(step)
                quiet_since = time.monotonic()
                if follower.places() != places:
                    break  # a folder was added or removed
            elif values and follower.values_are_old and time.monotonic() - quiet_since > values_seconds:
                follower.begin_saving_values()
            follower.adopt_saved_values()
            if not begun:
                begun = True
                watching(places.folders)


def _changes(folders: list[Path], stop: threading.Event) -> Iterator[set[tuple[Change, str]]]:
    """Yield the changes in the folders as they come, and an empty set several times a second."""
    try:
        yield from watch(
            *folders,
            watch_filter=_Relevant(),
            step=_STEP_MILLISECONDS,
            debounce=_BURST_MILLISECONDS,
            stop_event=stop,
            rust_timeout=_LOOK_MILLISECONDS,
            yield_on_timeout=True,
            raise_interrupt=True,  # else it logs that it was interrupted
            ignore_permission_denied=True,
        )
    except (OSError, RuntimeError) as error:
        raise NotWatchableError(
            f"The folders cannot be watched: {error}. If there are too many folders, raise the limit "
            "fs.inotify.max_user_watches, or watch a subfolder."
        ) from error


def folders_text(folders: list[Path]) -> str:
    """The watched folders as a text."""
    shown = ", ".join(str(folder) for folder in folders[:3])
    return shown + (f" and {len(folders) - 3} more" if len(folders) > 3 else "")
