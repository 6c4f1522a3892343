"""The releases of a catalog that a new version of a library breaks."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace

from oblist.lisp.unfinished import temporary_folder

from ..catalog.release_names import label, slice_of
from ..catalog.sql import RELEASES_THAT_USE, UsingReleaseRow
from ..check.world.packages import LISP
from ..diff.scope import primary_name
from ..index.not_found import NotFound
from ..index.reading import Reading
from . import sql
from .answer import ForecastAnswer
from .ask import forecast_of
from .library import ForecastLibrary, library_of
from .replacing.copy import replaced_copy
from .sql import ForecastSystemRow

_SBCL = "sbcl"
_NAMES = frozenset((LISP, "COMMON-LISP-USER"))
_STANDARD = ForecastLibrary(_SBCL, _NAMES, _NAMES, (), (), (None, None), ())
"""The standard's packages, of which a release's index has no definitions."""


def forecast_for_users(
    old: Reading,
    new: Reading,
    catalog: Reading,
    stage: Callable[[str], None],
    names: tuple[str, ...] = (),
) -> list[ForecastAnswer]:
    """What breaks in the releases of ``catalog`` that use the library of which two indexes have a version.

    ``names`` are the library's systems, by default what the two were built for. ``stage`` is called with what
    is done. A release whose index is not there is left out; those that break
    come first. Raises ForecastError if the two indexes are not of one library.
    """
    systems = names or tuple(sorted(_asked(old) | _asked(new)))
    library = library_of(old, new, systems)
    rows = catalog.rows(
        RELEASES_THAT_USE, packages=json.dumps(sorted(library.old_packages)), own=json.dumps(systems)
    )
    found = []
    with ExitStack() as stack:
        standard = slice_of(catalog, _SBCL)
        sbcl = None if isinstance(standard, NotFound) else stack.enter_context(Reading(standard))
        for row in map(UsingReleaseRow._make, rows):
            name = label(row.name, row.version)
            stage(f"looking at {name}")
            path = slice_of(catalog, name)
            if not isinstance(path, NotFound):
                with Reading(path) as release:
                    answer = _of_release(release, (old, new), library, sbcl)
                    found.append(replace(answer, release=name))
    return sorted(found, key=lambda one: (-one.breaking, one.release or ""))


def _asked(index: Reading) -> set[str]:
    rows = map(ForecastSystemRow._make, index.rows(sql.SYSTEMS))
    return {primary_name(row.name) for row in rows if row.asked}


def _of_release(
    release: Reading, versions: tuple[Reading, Reading], library: ForecastLibrary, sbcl: Reading | None
) -> ForecastAnswer:
    """The forecast for a release. Of the library, its index has only names: it gets the old version first.

    It also gets the standard's definitions, if the catalog has them: what is within a call of an unknown
    operator may be anything.
    """
    old, new = versions
    as_it_is = replace(
        library, new_packages=library.old_packages, old_systems=(), new_systems=library.old_systems
    )
    with temporary_folder("oblist-forecast-") as temporary:
        path, whole = temporary / "standard.db", temporary / "oblist.db"
        if sbcl is None:
            path = release.path
        else:
            replaced_copy(release, sbcl, _STANDARD, path)
        with Reading(path) as without:
            replaced_copy(without, old, as_it_is, whole)
        with Reading(whole) as before:
            answer = forecast_of(before, new, replace(library, old_systems=()))
    return replace(answer, old=str(old.path))
