"""Build a catalog: find the releases, make their slices, write the catalog file."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path

from oblist.lisp.places import Places, known_places
from oblist.lisp.sbcl import Sbcl, compiled_code

from ..build.facts import Build
from ..build.publish import sync
from ..format import FEATURE, FORMAT, user_cache_folder
from ..image import Image, ImagePlan
from .places import SystemPlaces, primary
from .publish import write_catalog
from .releases import PlaceError, Release, releases_below
from .rows import ReleaseRows
from .schedule import Schedule, Work, in_order
from .store import Store, key_of
from .tasks import Limits
from .workers import Workers

# What comes with SBCL and is for everybody: the first release of each catalog.
_SBCL_MODULES = (
    "asdf",
    "sb-posix",
    "sb-bsd-sockets",
    "sb-concurrency",
    "sb-cltl2",
    "sb-sprof",
    "sb-rotate-byte",
)
_VERSION = re.compile(r"[-_]v?(\d[\w.+-]*)$")


@dataclass(frozen=True, slots=True)
class CatalogRequest:
    """What to catalog: the releases in folders, systems that ASDF finds, or all that it finds."""

    below: Sequence[Path] = ()
    systems: Sequence[str] = ()
    everything: bool = False
    tests: bool = False
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a build is: releases done, failed, and all of them."""

    done: int
    failed: int
    total: int
    last: Work


def build_catalog(
    output: Path,
    store: Store,
    sbcl: Sbcl,
    request: CatalogRequest,
    *,
    command: str,
    jobs: int = 1,
    add: bool = False,
    overwrite: bool = False,
    began: Callable[[int], None] = lambda _: None,
    done: Callable[[Progress], None] = lambda _: None,
    stage: Callable[[str], None] = lambda _: None,
) -> list[Work]:
    """Build the catalog of what ``request`` names at ``output``, with its slices in ``store``.

    ``began`` is called with the number of releases, ``done`` after each, ``stage`` with what follows. Returns
    the releases with what became of them. Raises PlaceError, SbclError, and what publishing raises.
    """
    store.prepare()
    stage("looking for systems")
    known = known_places(sbcl, compiled_code(sbcl, user_cache_folder()))
    releases, roots = _releases(request, known)
    with store.work() as work:
        places = SystemPlaces(releases, roots, work)
        chosen = _chosen(request, releases, places)
        schedule = Schedule(releases, places, known.modules, sbcl, store, request.limits, tests=request.tests)
        stage("indexing SBCL")
        own = _sbcl_rows(store, sbcl)
        began(len(chosen))
        _run(schedule, chosen, jobs, done)
    store.drop_bases()
    finished = [one for one in in_order(schedule) if one.is_done]
    rows = [own, *(_rows(one, store) for one in finished)]
    stage("writing the catalog")
    write_catalog(output, rows, command, add=add, overwrite=overwrite, progress=stage)
    return finished


def _run(schedule: Schedule, chosen: list[Release], jobs: int, done: Callable[[Progress], None]) -> None:
    counts = {"done": 0, "failed": 0}

    def count(one: Work) -> None:
        counts["done"] += 1
        counts["failed"] += one.report is not None and one.report.state == "failed"
        done(Progress(counts["done"], counts["failed"], schedule.total, one))

    with Workers(jobs).running() as workers:
        schedule.run(workers, count, chosen)


def _releases(request: CatalogRequest, known: Places) -> tuple[list[Release], list[Path | None]]:
    """All releases that may be needed, and their roots: the folders, then what ASDF finds."""
    releases: dict[Path, Release] = {}
    for folder in request.below:
        for one in releases_below(folder):
            releases.setdefault(one.definition, one)
    for name, path in sorted(known.files.items()):
        definition = path.resolve()
        if definition not in releases:
            releases[definition] = Release(primary(name), definition, None)
    found = [one for one in releases.values() if one.name not in known.modules]
    roots: list[Path | None] = list(dict.fromkeys(one.root for one in found if one.root is not None))
    return found, [*roots, None]


def _chosen(request: CatalogRequest, releases: Sequence[Release], places: SystemPlaces) -> list[Release]:
    """The releases to catalog, apart from what they depend on. Raises PlaceError."""
    chosen = [
        one
        for one in releases
        if (request.everything or one.root is not None) and (request.tests or not is_test(one.name))
    ]
    for name in request.systems:
        release = places.find(name, None)
        if release is None:
            near = get_close_matches(name, sorted({one.name for one in releases}), n=1)
            meant = f" Did you mean {near[0]}?" if near else ""
            raise PlaceError(
                f"ASDF does not find the system {name}.{meant} Name the folder of its sources, or one above"
                " it, with --below."
            )
        chosen.append(release)
    if not chosen:
        raise PlaceError(
            "There are no systems to catalog: no .asd file is in "
            + (", ".join(map(str, request.below)) or "any place that was named")
            + "."
        )
    return chosen


def is_test(name: str) -> bool:
    """Whether a release's name says that it has tests only, as lisp/prepare/load.lisp decides it."""
    return any(re.search(r"(^|[^a-z0-9])tests?$", part, re.IGNORECASE) for part in name.split("/"))


def _sbcl_rows(store: Store, sbcl: Sbcl) -> ReleaseRows:
    """The release of SBCL itself, whose slice is an index of an image with nothing else loaded."""
    from oblist.lisp.sbcl import code_fingerprint

    key = key_of("sbcl", code_fingerprint(sbcl), FORMAT, FEATURE, _SBCL_MODULES)
    slice_ = store.slice("sbcl", key)
    if not slice_.exists():
        from ..build.assemble import write_index

        with store.work() as work, Image(ImagePlan(sbcl, _SBCL_MODULES)) as image:
            new = work / "slice.db"
            build = Build("oblist catalog build, sbcl", datetime.now(UTC), key)
            write_index(new, image.records(), build, lambda _: None)
            sync(new)
            new.replace(slice_)
    return ReleaseRows(
        name="sbcl",
        version=sbcl.version,
        licence="Public domain",
        author=None,
        description="Steel Bank Common Lisp, with ASDF, UIOP and the modules that come with it",
        state="loaded",
        place=str(sbcl.path),
        root=None,
        slice=slice_,
        key=key,
        seconds=0.0,
        systems=[(name, None, "loaded") for name in ("asdf", "uiop", *_SBCL_MODULES[1:])],
        dependencies=[],
        problems=[],
    )


def _rows(work: Work, store: Store) -> ReleaseRows:
    release, survey, report = work.release, work.survey, work.report
    assert report is not None
    systems = survey.systems if survey else {}
    main = systems.get(release.name) or next(iter(systems.values()), None)
    slice_ = store.slice(release.name, work.key) if work.key else None
    own = {*systems, *(survey.defined if survey else ())}
    dependencies = {
        (relation, name): None
        for facts in systems.values()
        for relation, name in facts.dependencies
        if name not in own and primary(name) != release.name
    }
    return ReleaseRows(
        name=release.name,
        version=(main.version if main else None) or _version_of_folder(release.folder),
        licence=main.licence if main else None,
        author=main.author if main else None,
        description=_one_line(main.description) if main else None,
        state=report.state,
        place=str(release.definition),
        root=str(release.root) if release.root else None,
        slice=slice_ if slice_ and slice_.exists() else None,
        key=work.key,
        seconds=report.seconds,
        systems=[
            (name, systems[name].version if name in systems else None, _state(name, work))
            for name in sorted(own)
        ],
        dependencies=list(dependencies),
        problems=list(report.failures.items()),
    )


def _state(system: str, work: Work) -> str:
    assert work.report is not None
    if system in work.report.loaded:
        return "loaded"
    return "failed" if system in work.report.failures or work.report.state == "failed" else "unloaded"


def _one_line(text: str | None) -> str | None:
    return " ".join(text.split()) if text else None


def _version_of_folder(folder: Path) -> str | None:
    """The version at the end of a folder's name, as Quicklisp and ocicl name them."""
    found = _VERSION.search(folder.name)
    return found[1] if found else None
