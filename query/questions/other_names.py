"""What answers about one function name say of the other names of its symbol, as ``(setf name)``; pure."""

from __future__ import annotations

from ..index.shown import counted, shown_name


def other_name_line(name: str, uses: int) -> str:
    """The line that says that the function ``name`` has ``uses`` of its own."""
    return shown_name(name).join(around_other_name(uses))


def around_other_name(uses: int) -> tuple[str, str]:
    """What this line has before and after the name."""
    are = "is" if uses == 1 else "are"
    return f"{counted(uses, 'use')} of ", f" {are} not included here: ask for that name"
