"""The log of tools that change something: one JSON line per call."""

from __future__ import annotations

import json
import logging
import stat
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from oblist.indexer.target import head, target

from ...processes.background_lines import BackgroundLines, stderr_lines
from ..results import json_bytes, json_values, storable

_MOST_CHARACTERS = 20_000
_MOST_ON_STDERR = 2_000  # clients keep standard error, or show it
_logger = logging.getLogger("oblist")


def _is_log(path: Path) -> bool:
    """Whether the file at ``path`` is empty, or begins with a line of such a log."""
    start = head(path)
    return not start or start.startswith(b'{"time": ')


class ToolLog:
    """Writes the time, tool, arguments and outcome of each call to a file, or else to standard error."""

    def __init__(self, path: Path | None = None) -> None:
        """Append to ``path``; a new file is readable for this user only.

        Raises TargetError if there is a file that is not such a log, and OSError.
        """
        self._path = path
        self._most = _MOST_ON_STDERR if path is None else _MOST_CHARACTERS
        self._lock = threading.Lock()
        self._lines: BackgroundLines | None = stderr_lines if path is None else None
        if path is not None:
            if not (path.is_fifo() or path.is_char_device()):
                target(path, "a log of tools", _is_log, overwrite=None)
            path.touch(mode=0o600)
            if not stat.S_ISREG(path.stat().st_mode):
                # A pipe may be full. In a regular file, the line is written before the call is answered.
                self._lines = BackgroundLines(self._append)

    def write(self, tool: str, arguments: Mapping[str, Any], outcome: str) -> None:
        """Add a line; long arguments, which may be megabytes, are cut."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        entry = {
            "time": now,
            "tool": tool,
            "arguments": {name: _shortened(value, self._most) for name, value in arguments.items()},
            "outcome": storable(outcome),
        }
        # Escaped, so that each entry is one line and cannot affect a terminal.
        line = json.dumps(json_values(entry)) + "\n"
        if self._lines is not None:
            self._lines.put(line)
        else:
            self._append(line)

    def flush(self) -> None:
        """Wait until all lines are written, but not for long."""
        if self._lines is not None:
            self._lines.flush()

    def _append(self, line: str) -> None:
        assert self._path is not None
        with self._lock:
            try:
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(line)
            except OSError as error:  # for example, the disk is full; the call itself was made
                _logger.error("a call could not be logged: %s", error)


def _shortened(value: Any, most: int) -> Any:
    if not isinstance(value, str):
        if not isinstance(value, list | Mapping):
            return value
        text = json_bytes(value).decode()
        return value if len(text) <= most else f"{text[:most]} ... [truncated]"
    return value if len(value) <= most else f"{value[:most]} ... [truncated]"
