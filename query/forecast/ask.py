"""forecast: which lines of a project break when a library gets another version."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from oblist.indexer.left_out import REFERENCES
from oblist.lisp.unfinished import temporary_folder

from ..diff.sql import NOT_LOADED
from ..index.reading import Reading
from .answer import BrokenLine, ForecastAnswer, UnjudgedChange
from .changed import LibraryChanges
from .context import ForecastContext
from .library import ForecastLibrary, library_of
from .lines.checked import NAMES, checked_lines
from .lines.classes import uses_of_lost_slots, uses_of_lost_superclasses
from .lines.conflicts import conflicts
from .lines.deprecated import uses_of_what_is_called_deprecated
from .lines.gone import uses_of_what_is_gone
from .lines.initargs import lost_default_initargs, uses_of_lost_symbols
from .lines.kinds import uses_of_another_kind
from .lines.methods import methods_that_do_not_fit
from .lines.systems import systems_that_need_what_is_gone
from .lines.types import calls_with_other_types
from .own import OwnCode
from .replacing.copy import replaced_copy

_WAYS = (
    uses_of_what_is_gone,
    uses_of_another_kind,
    uses_of_lost_superclasses,
    uses_of_lost_slots,
    lost_default_initargs,
    uses_of_lost_symbols,
    calls_with_other_types,
    methods_that_do_not_fit,
    conflicts,
    systems_that_need_what_is_gone,
    uses_of_what_is_called_deprecated,
)
# Changes whose consequences the lines show, one by one.
_JUDGED = frozenset(
    (
        *("removed", "not-exported", "definition-removed", "kind", "keyword-removed", "initarg-removed"),
        *("required-argument-added", "argument-made-required", "argument-removed", "optional-removed"),
        *("rest-removed", "other-keys-refused", "argument-shape", "optional-added", "keyword-added"),
        *("argument-made-optional", "rest-added", "deprecated", "slot-removed"),
    )
)
_MOST_NAMED = 5


def forecast(
    old: Reading,
    new: Reading,
    systems: tuple[str, ...] = (),
    *,
    folder: Path | None = None,
    dependencies: bool = False,
) -> ForecastAnswer:
    """What breaks in the code of ``old`` when a library becomes the version that ``new`` has.

    ``systems`` are those of the library, by default what ``new`` was built for. ``folder`` has the settings
    of check. With ``dependencies``, the code of other libraries is looked at, too. Raises ForecastError,
    CheckError, or IndexDamagedError.
    """
    library = library_of(old, new, systems)
    return forecast_of(old, new, library, folder=folder, dependencies=dependencies)


def forecast_of(
    old: Reading,
    new: Reading,
    library: ForecastLibrary,
    *,
    folder: Path | None = None,
    dependencies: bool = False,
) -> ForecastAnswer:
    """The same for a library that is known."""
    old.require(REFERENCES)
    own = OwnCode(old, library, dependencies=dependencies)
    changes = LibraryChanges(old, new, library, own.used)
    with temporary_folder("oblist-forecast-") as temporary:
        path = temporary / "oblist.db"
        replaced_copy(old, new, library, path)
        with Reading(path) as replaced:
            context = ForecastContext(own, changes, library, old, replaced)
            lines = _lines(context, folder)
    breaking = [one for one in lines if one.breaking]
    return ForecastAnswer(
        release=None,
        library=library.name,
        old_version=library.versions[0],
        new_version=library.versions[1],
        old=str(old.path),
        new=str(new.path),
        breaking=len(breaking),
        files=len(own.paths()),
        uses=sum(map(len, own.uses.values())),
        note=_note(old, new),
        lines=lines,
        unjudged=_unjudged(context),
    )


def _lines(context: ForecastContext, folder: Path | None) -> list[BrokenLine]:
    """What is found in any way, each place once: a change of a name says more than that it is unknown."""
    found = {_place(one): one for one in checked_lines(context, folder)}
    for way in _WAYS:
        for one in way(context):
            known = found.get(_place(one))
            if known is None:
                found[_place(one)] = one
            elif known.sort in NAMES:
                found[_place(one)] = replace(one, suggestions=known.suggestions)
    return [found[place] for place in sorted(found)]


def _place(one: BrokenLine) -> tuple[str, int, int]:
    return one.path, one.line, one.column


def _unjudged(context: ForecastContext) -> list[UnjudgedChange]:
    """The other changes that may break callers, of what the code uses."""
    found = []
    for symbol, changes in context.by_symbol.items():
        uses = [
            one
            for one in context.own.uses.get(symbol, ())
            if one.relation not in ("exports", "imports", "mentions")
        ]
        for one in changes if uses else ():
            if one.is_breaking and one.sort not in _JUDGED:
                first = uses[0].place
                found.append(
                    UnjudgedChange(
                        one.written, one.sort, one.change.finding.message, len(uses), first.path, first.line
                    )
                )
    return sorted(found, key=lambda one: (one.written, one.change))


def _note(old: Reading, new: Reading) -> str | None:
    notes = []
    for index, which in ((old, "index"), (new, "index of the new version")):
        broken = [str(row[0]) for row in index.rows(NOT_LOADED)]
        if broken:
            notes.append(
                f"the {which} is incomplete, because these failed to load: {', '.join(broken[:_MOST_NAMED])}"
            )
    return "; ".join(notes) or None
