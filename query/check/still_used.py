"""What a project still uses although it no longer defines it, one line for each."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from .findings import SourceFinding
from .report.lines import on_a_line
from .run import Check
from .settings import Settings, find_settings, read_settings

_MOST_LINES = 5
_MOST_PLACES = 5


def still_used(index: Path, folders: Sequence[Path]) -> list[str]:
    """Say which names the sources in ``folders`` still use but no longer define since ``index`` was built.

    Raises the errors of a check and of an unusable index.
    """
    found = find_settings(folders[0])
    settings = read_settings(found) if found is not None else Settings(folders[0])
    paths = [os.path.normpath(folder) for folder in folders]
    outcome = Check(index, settings, 1, lambda *_: None).run(paths)
    by_message: defaultdict[str, list[SourceFinding]] = defaultdict(list)
    for one in outcome.of_lost:
        by_message[one.message].append(one)
    said = []
    for message, uses in list(by_message.items())[:_MOST_LINES]:
        places = list(dict.fromkeys(f"{os.path.normpath(one.path)}:{one.line}" for one in uses))
        more = f" and {len(places) - _MOST_PLACES} more places" if len(places) > _MOST_PLACES else ""
        said.append(on_a_line(f"{message}; it is used at {', '.join(places[:_MOST_PLACES])}{more}"))
    if len(by_message) > _MOST_LINES:
        said.append(f"and {len(by_message) - _MOST_LINES} more names: see `oblist check`")
    return said
