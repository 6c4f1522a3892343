"""What is not checked, counted by reason and told in a line each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ...index.shown import counted
from .project import FAILED, NOT_LOADED, UNLOADED, Verdict

IN_PART = "checked-in-part"
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class NotChecked:
    """The files that are not checked for one ``reason``, and what is said about them.

    Files that are judged in part have an entry, too, but its list of files is empty.
    """

    reason: str
    files: tuple[str, ...]
    systems: tuple[str, ...]
    message: str


def not_checked(verdicts: Mapping[str, Verdict], why: Callable[[str], str]) -> list[NotChecked]:
    """The reasons, each with its files; ``why`` says why a system did not load."""
    found = []
    for reason in (NOT_LOADED, FAILED, UNLOADED):
        files = tuple(path for path, one in verdicts.items() if one.reason == reason and not one.plain)
        if files:
            systems = tuple(dict.fromkeys(verdicts[path].system for path in files if verdicts[path].system))
            found.append(NotChecked(reason, files, systems, _message(reason, files, systems, why)))
    partial = tuple(path for path, one in verdicts.items() if one.partial)
    if partial:
        systems = tuple(dict.fromkeys(verdicts[path].system for path in partial))
        message = f"further definitions in {_message(FAILED, partial, systems, why)}"
        found.append(NotChecked(IN_PART, (), systems, message))
    return found


def _message(reason: str, files: tuple[str, ...], systems: tuple[str, ...], why: Callable[[str], str]) -> str:
    if reason == NOT_LOADED:
        return f"{counted(len(files), 'file')} that no system loads on this SBCL ({_some(files)})"
    files_of = f"{counted(len(files), 'file')} of {counted(len(systems), 'system')}"
    if reason == FAILED:
        told = [f"{one}: {reason}" if (reason := why(one)) else one for one in systems]
        return f"{files_of} that did not load ({_some(told)})"
    return (
        f"{files_of} that the index leaves out"
        f" ({_some(systems)}; build the index with --tests, or name the systems)"
    )


def _some(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(names[:_MOST_NAMED]) + (", ..." if len(names) > _MOST_NAMED else "")
