"""diff: the changes in the exported API between two indexes, and the version step they require."""

from __future__ import annotations

from collections.abc import Iterator

from ..index.not_found import NotFound
from ..index.reading import Reading
from ..index.written import own_name
from . import sql
from .answer import ChangeAnswer, DiffAnswer, SystemStep
from .api import Api
from .changes.packages import counterpart
from .changes.whole import ApiChange, changes_between, written_facet
from .findings import MAJOR, MINOR, PATCH, at_least, greatest
from .scope import DiffScope, primary_name, scope
from .versions import is_enough, needed_version

_MOST_NAMED = 5
_ORDER = {MAJOR: 0, MINOR: 1, PATCH: 2}


def diff(
    old: Reading,
    new: Reading,
    packages: tuple[str, ...] = (),
    systems: tuple[str, ...] = (),
    *,
    limit: int = 0,
) -> DiffAnswer | NotFound:
    """The changes from ``old`` to ``new``.

    ``packages`` and ``systems`` choose what to compare; the default is the systems that the indexes were
    built for (see scope.py). ``limit`` bounds only the list of changes; 0 means all.
    """
    old.reopen_if_replaced()
    new.reopen_if_replaced()
    chosen = scope(old, new, packages, systems)
    if isinstance(chosen, NotFound):
        return chosen
    before, after = Api(old, chosen.old), Api(new, chosen.new)
    changes = [_answer(change) for change in changes_between(before, after)]
    changes.sort(key=lambda one: (_ORDER[one.step], one.package, one.name or "", one.facet, one.change))
    return DiffAnswer(
        old=str(old.path),
        new=str(new.path),
        packages=sorted(_compared(before, after)),
        step=greatest([one.step for one in changes]),
        breaking=sum(one.breaking for one in changes),
        total=len(changes),
        note=_note(old, new, chosen),
        systems=list(_system_steps(before, after, changes)),
        changes=changes[:limit] if limit else changes,
    )


def _note(old: Reading, new: Reading, chosen: DiffScope) -> str | None:
    notes = []
    if not chosen.old and not chosen.new:
        notes.append(
            "the systems in these indexes have no packages of their own: name packages with --package"
        )
    was, now = old.implementation, new.implementation
    if was != now:
        notes.append(f"the indexes are of {was} and {now}, which may derive different types")
    for index, which in ((old, "old"), (new, "new")):
        broken = [str(row[0]) for row in index.rows(sql.NOT_LOADED)]
        if broken:
            names = ", ".join(broken[:_MOST_NAMED])
            notes.append(f"the {which} index is incomplete, because these failed to load: {names}")
    return "; ".join(notes) or None


def _compared(old: Api, new: Api) -> set[str]:
    gone = {one.name for one in old.packages.values() if counterpart(one, new) is None}
    return {*new.packages, *gone}


def _answer(change: ApiChange) -> ChangeAnswer:
    finding, package, definition = change.finding, change.package, change.definition
    if change.name is None:
        shown = own_name(package.name, change.api.index.upcase)
    else:
        shown = written_facet(change.api, package.name, change.name, finding.facet)
    return ChangeAnswer(
        change=finding.change,
        step=finding.step,
        breaking=finding.step == MAJOR,
        written=shown,
        package=package.name,
        name=change.name,
        facet=finding.facet,
        part=finding.part,
        message=finding.message,
        old=finding.old,
        new=finding.new,
        also=list(change.also),
        system=package.system,
        root=definition.root if definition else None,
        relative_path=definition.relative_path if definition else None,
        line=definition.line if definition else None,
    )


def _system_steps(old: Api, new: Api, changes: list[ChangeAnswer]) -> Iterator[SystemStep]:
    """The step and versions of each system with compared packages; its subsystems count as part of it."""
    names = {one.system for api in (old, new) for one in api.packages.values() if one.system}
    was, now = _versions(old), _versions(new)
    for name in sorted({primary_name(name) for name in names}):
        own = [one.step for one in changes if one.system and primary_name(one.system) == name]
        step = greatest(own)
        needed = needed_version(was.get(name), step)
        enough = is_enough(now.get(name), needed)
        only_in = "old" if name not in now else "new" if name not in was else None
        yield SystemStep(name, step, was.get(name), now.get(name), needed, enough, only_in)


def _versions(api: Api) -> dict[str, str | None]:
    return {row.name: row.version for row in map(sql.ApiSystemRow._make, api.index.rows(sql.SYSTEMS))}


def fails(answer: DiffAnswer, threshold: str) -> bool:
    """Whether the changes require the step ``threshold`` or a greater one; false if that is not a step."""
    return threshold in (MAJOR, MINOR, PATCH) and at_least(answer.step, threshold)
