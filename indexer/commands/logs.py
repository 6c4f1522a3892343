"""What SBCL printed before a failure, cut to the lines that matter; more of it is kept in the cache."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from ..format import user_cache_folder

_MOST_LINES = 8
_LOG = "failures.log"
_NOISE = ("; wrote ", "; compiling file ", "; compilation finished ")


def excerpt(printed: str, message: str = "") -> list[str]:
    """The lines of ``printed`` that matter most, at most eight: up to the end of ``message``, or the last."""
    lines = [line.rstrip() for line in printed.splitlines()]
    lines = [line for line in lines if line.strip("; ") and not line.startswith(_NOISE)]
    last = [part.strip() for part in message.splitlines() if part.strip()][-1:]
    ends = [number for number, line in enumerate(lines, 1) if last and last[0] in line]
    end = ends[0] if ends else len(lines)
    return lines[max(0, end - _MOST_LINES) : end]


def keep_log(parts: list[str]) -> Path | None:
    """Keep the ``parts`` of the output that went before failures; returns the file, or None without a cache.

    There is one such file, of the last build that failed.
    """
    with suppress(OSError, RuntimeError):  # RuntimeError: a user without a home folder
        path = user_cache_folder() / _LOG
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.touch(mode=0o600)
        path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
        return path
    return None


def log_note(path: Path | None) -> str:
    """A line that says where the kept log is; empty without one."""
    return f"(for the rest, see {path})\n" if path else ""
