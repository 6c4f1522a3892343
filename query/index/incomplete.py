"""What did not load when the index was built, or was not recorded, and which answers may lack it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from textwrap import shorten
from typing import Any, TypeVar, cast

from oblist.indexer.left_out import JUDGED, REFERENCES

from . import sql
from .not_found import NotFound
from .reading import Reading
from .shown import shown_name
from .sql import LoadFailure, PackageOriginRow

_MOST_NAMED = 3
_MOST_REASON = 200


_Answer = TypeVar("_Answer")


def told(index: Reading, answer: _Answer) -> _Answer:
    """Return the answer with its field ``incomplete`` filled in: what did not load, if that may affect it.

    Nothing was found, or the question was about uses: the missing code may have it. Otherwise it depends on
    the package that the answer is about. If nobody recorded any uses, that is the
    reason why an answer ``of_uses`` has none.
    """
    found: Any = answer
    if getattr(found, "of_uses", False) and (unrecorded := index.unrecorded(REFERENCES)):
        field = "reason" if getattr(found, "reason", None) else "incomplete"
        return cast(_Answer, replace(found, **{field: unrecorded}))
    about_uses = hasattr(found, "direction")
    nothing = getattr(found, "total", 1) == 0
    package = getattr(found, "package", None) or (found.name if hasattr(found, "exports") else None)
    if isinstance(found, NotFound) or about_uses or nothing:
        text = may_lack(index)
    else:
        text = may_lack(index, package) if package is not None else None
    return found if text is None else cast(_Answer, replace(found, incomplete=text))


def unjudged(index: Reading) -> str | None:
    """Return what a check of code with the index does not see: what did not load, or was not recorded."""
    texts = (may_lack(index), index.unrecorded(*JUDGED))
    return " ".join(filter(None, texts)) or None


def failure_text(index: Reading, failure: LoadFailure) -> str:
    """Return a failure in one line: what did not load, where, and why, and whether it ever did."""
    place = ":".join(str(part) for part in (failure.path, failure.line) if part is not None)
    where = f" ({place})" if place else ""
    why = shorten(f"{failure.condition}: {failure.message}", _MOST_REASON)
    if failure.part == "system" and failure.subject in index.last_good:
        return f"system {failure.subject} no longer loads{where}, so its last good state is shown: {why}"
    return f"{failure.part} {failure.subject} did not load{where}: {why}"


def load_failures(index: Reading) -> list[LoadFailure]:
    """Return what did not load, in the order of loading."""
    return [LoadFailure(*row) for row in index.rows(sql.LOAD_FAILURES)]


def may_lack(index: Reading, package: str | None = None) -> str | None:
    """Return what did not load if an answer may lack something because of it, else None.

    With the name of a ``package``, the answer is about something in it: it lacks nothing if the package
    belongs to a system that did load, or to SBCL.
    """
    if not index.has_load_failures:
        return None
    failures = load_failures(index)
    if package is not None and not _is_touched(index, package, failures):
        return None
    named = "; ".join(shown_name(failure_text(index, one)) for one in failures[:_MOST_NAMED])
    more = len(failures) - _MOST_NAMED
    rest = f"; and {more} more (see oblist problems)" if more > 0 else ""
    return f"This index is incomplete: {named}{rest}"


def _is_touched(index: Reading, package: str, failures: list[LoadFailure]) -> bool:
    """Whether a package may be incomplete: its system did not load, it belongs to no system, or the file that
    defines it is beside one that did not load: the index does not know the files of a system that failed.
    """
    number = index.package_numbers.get(package)
    if number is None:
        return True
    (row,) = index.rows(sql.ORIGIN_OF_PACKAGE, package=number)
    origin = PackageOriginRow(*row)
    if origin.from_sbcl:
        return False
    folder = None if origin.file is None else Path(origin.file).parent
    beside = folder is not None and any(
        one.path is not None and Path(one.path).is_relative_to(folder) for one in failures
    )
    return origin.system is None or beside or origin.system in {one.subject for one in failures}
