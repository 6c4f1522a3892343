"""The log of tools that change things: one JSON line a call."""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .tool_results import json_bytes, storable

_MOST_CHARACTERS = 20_000


class ToolLog:
    """Writes time, tool, arguments and outcome of each call, to a file or else on stderr."""

    def __init__(self, path: Path | None = None) -> None:
        """``path`` is appended to, and made readable for this user alone; OSError when it cannot be."""
        self._path = path
        self._lock = threading.Lock()
        if path is not None:
            path.touch(mode=0o600)

    def write(self, tool: str, arguments: Mapping[str, Any], outcome: str) -> None:
        """Add a line; long arguments are cut, for they may be megabytes."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        entry = {
            "time": now,
            "tool": tool,
            "arguments": {name: _shortened(value) for name, value in arguments.items()},
            "outcome": storable(outcome),
        }
        line = json_bytes(entry).decode("utf-8", "replace") + "\n"
        with self._lock:
            if self._path is None:
                sys.stderr.write(line)
                sys.stderr.flush()
            else:
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(line)


def _shortened(value: Any) -> Any:
    if isinstance(value, str) and len(value) > _MOST_CHARACTERS:
        return value[:_MOST_CHARACTERS] + " ... [truncated]"
    return value
