"""What answers say of source files that have changed since the index was built."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ..answer_field import fields_of
from ..reading import Reading
from ..shown import shown_name

if TYPE_CHECKING:
    from .carried import Files

_Answer = TypeVar("_Answer")

_MOST_FILES = 300
_MOST_NAMED = 3
_SINCE = "since the index was built"


def with_outdated(answer: _Answer, index: Reading) -> _Answer:
    """Return the answer as the sources are now, with its field ``outdated``, if any, filled in.

    Places in source files that have changed are carried into their present texts.
    """
    if not hasattr(answer, "outdated"):
        return answer
    paths = list(dict.fromkeys(_paths(answer)))[:_MOST_FILES]
    found = index.source_states(paths) if paths else {}
    if not found:
        return answer
    from .carried import carried
    from .files import present_file

    present = partial(present_file, index)
    now = carried(answer, present)
    text = outdated_text(paths, found, present, now.gone)
    return cast(_Answer, replace(now.answer, outdated=text))


def outdated_text(paths: list[str], states: dict[str, str], present: Files, lost: int) -> str | None:
    """Say which of the source files at ``paths`` have changed, and which are gone; None if none has.

    ``lost`` is the number of places in changed files that are no longer found.
    """
    changed = [path for path in paths if states.get(path) == "changed"]
    carried = [path for path in changed if present(path) is not None]
    uncertain = [path for path in changed if path not in carried]
    gone = [path for path in paths if states.get(path) == "gone"]
    parts = []
    if carried:
        one = len(carried) == 1
        said = f"{_named(carried)} {'has' if one else 'have'} changed {_SINCE}; "
        said += f"line numbers in {'it' if one else 'them'} are current"
        if lost:
            said += f", but {lost} {'place is' if lost == 1 else 'places are'} gone"
        parts.append(said)
    if uncertain:
        have = "has" if len(uncertain) == 1 else "have"
        parts.append(f"{_named(uncertain)} {have} changed {_SINCE}; line numbers may be off")
    if gone:
        parts.append(f"{_named(gone)} {'has' if len(gone) == 1 else 'have'} disappeared {_SINCE}")
    return "; ".join(parts) or None


def _named(paths: list[str]) -> str:
    named = ", ".join(map(shown_name, paths[:_MOST_NAMED]))
    more = len(paths) - _MOST_NAMED
    return f"{named} and {more} more" if more > 0 else named


def _paths(answer: Any) -> Iterator[str]:
    """Yield the paths in an answer and in the answers that it consists of."""
    kind: type = type(answer)
    names, nested = fields_of(kind)
    if "path" in names and answer.path is not None:
        yield answer.path
    for name in nested:
        value = getattr(answer, name)
        for part in value if isinstance(value, list | tuple) else (value,):
            if is_dataclass(part):
                yield from _paths(part)
