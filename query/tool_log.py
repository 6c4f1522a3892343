"""The log of tools that change things: one JSON line a call."""

from __future__ import annotations

import json
import logging
import sys
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .tool_results import json_values, storable

_MOST_CHARACTERS = 20_000
_logger = logging.getLogger("oblist")


class ToolLog:
    """Writes time, tool, arguments and outcome of each call, to a file or else on stderr."""

    def __init__(self, path: Path | None = None) -> None:
        """``path`` is appended to; a new file is readable for this user alone. OSError when it cannot be."""
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
        # Escaped, so that a line is a line, and does nothing to a terminal.
        line = json.dumps(json_values(entry)) + "\n"
        with self._lock:
            try:
                if self._path is None:
                    sys.stderr.write(line)
                    sys.stderr.flush()
                else:
                    with self._path.open("a", encoding="utf-8") as file:
                        file.write(line)
            except OSError as error:  # the disk is full, say: the call itself has been made
                _logger.error("the call of %s could not be logged: %s", tool, error)


def _shortened(value: Any) -> Any:
    if isinstance(value, str) and len(value) > _MOST_CHARACTERS:
        return value[:_MOST_CHARACTERS] + " ... [truncated]"
    return value
