"""Build a catalog: find the releases, make their slices, write the catalog file."""

from __future__ import annotations

import gzip
import re
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from difflib import get_close_matches
from importlib.metadata import version
from pathlib import Path

from oblist.lisp.places import AsdfPlaces, known_places
from oblist.lisp.sbcl import Sbcl, code_fingerprint, compiled_code

from ..build.publish import sync
from ..extras import require
from ..format import FEATURE, FORMAT, user_cache_folder
from ..image import Image, ImagePlan
from ..layers.core_and_index import Layer
from ..layers.image import ImageAbove
from ..layers.make import TakeLibraries, made_on_layer
from ..write.facts import Build
from .estimate import Estimate, Rehearsal, estimate
from .file.publish import catalog_target, write_catalog
from .file.rows import ReleaseRows
from .graph import Graph, Work
from .making.bases import drop_bases
from .making.orders import LoadReport, ReleaseLimits, Site, Terms
from .making.scratch import Scratch
from .making.tasks import store_slice
from .places import SystemPlaces, primary
from .releases import PlaceError, Release, releases_below
from .running.in_turn import InTurn
from .running.runner import Runner
from .store.backends import StoreError
from .store.results import Store, key_of, rows_name, slice_name

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
    limits: ReleaseLimits = field(default_factory=ReleaseLimits)


@dataclass(frozen=True, slots=True)
class CatalogProgress:
    """How far a build is: releases done, failed, and all of them."""

    done: int
    failed: int
    total: int
    last: Work


@dataclass(frozen=True, slots=True)
class Watcher:
    """Functions that are called while a catalog is built.

    ``began`` with the number of releases, ``done`` after each, ``stage`` with what follows.
    """

    began: Callable[[int], None] = lambda _: None
    done: Callable[[CatalogProgress], None] = lambda _: None
    stage: Callable[[str], None] = lambda _: None


@dataclass(frozen=True, slots=True)
class Engine:
    """What runs the tasks: this process, ``jobs`` local processes, or the workers of a Dask ``scheduler``.

    With ``send_sources``, these get the sources through the store. ``refused`` is called with what is wrong
    with a worker that may not take part, ``patience`` limits the seconds of waiting for one that may.
    """

    jobs: int = 1
    scheduler: str | None = None
    send_sources: bool = False
    patience: float = 300.0
    refused: Callable[[str], None] = lambda _: None

    @property
    def in_turn(self) -> bool:
        """Whether this process runs the tasks."""
        return self.jobs == 1 and self.scheduler is None

    def require(self) -> None:
        """Raise MissingExtraError if this needs packages that are not installed."""
        if not self.in_turn:
            option = "--scheduler" if self.scheduler else "--jobs above 1"
            require(option, "cluster", "distributed", "cryptography")

    def site(self, store: Store, sbcl: Sbcl) -> Site:
        """Where this machine makes what it makes; the folder of the store, if it is one."""
        scratch = Scratch(store.folder or user_cache_folder() / "catalog")
        scratch.prepare()
        return Site(sbcl, scratch)

    @contextmanager
    def runner(self, terms: Terms, sbcl: Sbcl, folders: Sequence[Path]) -> Iterator[Runner]:
        """The runner, which begins when it gets its first task. Workers have to see ``folders``."""
        if self.in_turn:
            yield InTurn()
            return
        from .running.cluster import Demands, OnCluster

        demands = Demands.of(terms, sbcl.version, () if self.send_sources else folders)
        with OnCluster(
            demands, jobs=self.jobs, scheduler=self.scheduler, patience=self.patience, refused=self.refused
        ).running() as runner:
            yield runner


_NOBODY = Watcher()
_IN_TURN = Engine()


def build_catalog(
    output: Path,
    store: Store,
    sbcl: Sbcl,
    request: CatalogRequest,
    *,
    command: str,
    engine: Engine = _IN_TURN,
    add: bool = False,
    overwrite: bool = False,
    watcher: Watcher = _NOBODY,
) -> list[Work]:
    """Build the catalog of what ``request`` names at ``output``, with its slices in ``store``.

    Returns the releases with what became of them. Raises PlaceError, StoreError, ClusterError, SbclError, and
    what publishing raises.
    """
    engine.require()
    catalog_target(output, overwrite=overwrite)
    ready = Preparation.of(store, sbcl, request, engine, watcher)
    watcher.stage("indexing SBCL")
    own = _sbcl_rows(store, ready.site, sbcl)
    with engine.runner(ready.terms, sbcl, ready.folders) as runner:
        finished = ready.graph(runner, watcher).run(ready.chosen)
    drop_bases(ready.site.scratch)
    _forget_attempts(store, ready.terms)
    rows = [own, *(_rows(one, store) for one in finished)]
    watcher.stage("writing the catalog")
    write_catalog(
        output,
        rows,
        lambda release: _extract(release, store, ready.site.scratch),
        command,
        add=add,
        overwrite=overwrite,
        progress=watcher.stage,
    )
    return finished


def rehearse_catalog(
    store: Store,
    sbcl: Sbcl,
    request: CatalogRequest,
    *,
    engine: Engine = _IN_TURN,
    watcher: Watcher = _NOBODY,
) -> Estimate:
    """What ``build_catalog`` would do; nothing is loaded but the list of systems. Raises what it raises."""
    rehearsal = Rehearsal()
    ready = Preparation.of(store, sbcl, request, engine, watcher)
    works = ready.graph(rehearsal, watcher).run(ready.chosen)
    return estimate(works, rehearsal, store, engine.jobs)


@dataclass(frozen=True, slots=True)
class Preparation:
    """All that is known before the first task: the releases that may be needed, and those to catalog."""

    terms: Terms
    site: Site
    releases: list[Release]
    chosen: list[Release]
    places: SystemPlaces
    known: AsdfPlaces

    @classmethod
    def of(
        cls, store: Store, sbcl: Sbcl, request: CatalogRequest, engine: Engine, watcher: Watcher
    ) -> Preparation:
        """Find the releases; raises PlaceError, SbclError."""
        site = engine.site(store, sbcl)
        watcher.stage("looking for systems")
        known = known_places(sbcl, compiled_code(sbcl, user_cache_folder()))
        releases, roots = _releases(request, known)
        places = SystemPlaces(releases, roots)
        compiler = (code_fingerprint(sbcl), sbcl.version, version("oblist"), FORMAT, FEATURE)
        terms = Terms(
            store,
            compiler,
            uuid.uuid4().hex[:12],
            site if engine.scheduler is None else None,
            request.limits,
            request.tests,
            engine.send_sources,
            guarded=not engine.in_turn,
        )
        return cls(terms, site, releases, _chosen(request, releases, places), places, known)

    @property
    def folders(self) -> list[Path]:
        """The folders in which the sources are that were named."""
        return sorted({one.root or one.folder for one in self.chosen})

    def graph(self, runner: Runner, watcher: Watcher) -> Graph:
        """The graph of the tasks, which ``runner`` runs."""
        counts = {"done": 0, "failed": 0, "total": len(self.chosen)}

        def wanted(total: int) -> None:
            counts["total"] = total
            watcher.began(total)

        def done(one: Work) -> None:
            counts["done"] += 1
            counts["failed"] += one.outcome is not None and one.outcome.report.state == "failed"
            watcher.done(CatalogProgress(counts["done"], counts["failed"], counts["total"], one))

        return Graph(
            self.releases, self.places, self.known.modules, self.terms, runner, done=done, wanted=wanted
        )


def _forget_attempts(store: Store, terms: Terms) -> None:
    """Remove what lost workers have left of this build."""
    if terms.guarded:
        for name in store.place.names("attempts"):
            if f"-{terms.build}-" in name:
                store.place.remove(f"attempts/{name}")


def _extract(release: ReleaseRows, store: Store, scratch: Scratch) -> AbstractContextManager[Path | None]:
    """The extract of a release's slice, from the store."""

    @contextmanager
    def opened() -> Iterator[Path | None]:
        if release.slice is None:
            yield None
            return
        contents = store.place.read(rows_name(release.key))
        if contents is None:
            raise StoreError(
                f"{store.place.address(rows_name(release.key))} is gone. Build the catalog again."
            )
        with scratch.work() as work:
            (work / "rows.db").write_bytes(gzip.decompress(contents))
            yield work / "rows.db"

    return opened()


def _releases(request: CatalogRequest, known: AsdfPlaces) -> tuple[list[Release], list[Path | None]]:
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
                f"ASDF cannot find the system {name}.{meant} Name the folder of its sources, or a parent"
                " folder, with --below."
            )
        chosen.append(release)
    if not chosen:
        raise PlaceError(
            "There are no systems to catalog: there is no .asd file in "
            + (", ".join(map(str, request.below)) or "any of the places that were named")
            + "."
        )
    return chosen


def is_test(name: str) -> bool:
    """Whether a release's name says that it has tests only (lisp/prepare/systems/project.lisp decides so)."""
    return any(re.search(r"(^|[^a-z0-9])tests?$", part, re.IGNORECASE) for part in name.split("/"))


def _sbcl_rows(store: Store, site: Site, sbcl: Sbcl) -> ReleaseRows:
    """The release of SBCL itself, whose slice is an index of an image with nothing else loaded."""
    key = key_of("sbcl", code_fingerprint(sbcl), FORMAT, FEATURE, _SBCL_MODULES)
    slice_ = slice_name("sbcl", key)
    if not (store.place.exists(slice_) and store.place.exists(rows_name(key))):
        from ..layers.write import write_on

        plan = ImagePlan(sbcl, _SBCL_MODULES)
        with site.scratch.work() as work:
            new = work / "slice.db"
            build = Build("oblist catalog build, sbcl", datetime.now(UTC), key)

            def make(plan: ImagePlan, _: TakeLibraries, base: Layer | None) -> None:
                with ImageAbove(base, plan) if base else Image(plan) as image:
                    image.made(lambda: write_on(base, new, image.records(), build, lambda _: None))

            made_on_layer(plan, lambda _: None, make)
            sync(new)
            store_slice(store, "sbcl", key, new, work)
    return ReleaseRows(
        name="sbcl",
        version=sbcl.version,
        licence="Public domain",
        author=None,
        description="Steel Bank Common Lisp, with ASDF, UIOP and the modules that come with it",
        state="loaded",
        place=str(sbcl.path),
        root=None,
        slice=store.place.address(slice_),
        key=key,
        seconds=0.0,
        systems=[(name, None, "loaded") for name in ("asdf", "uiop", *_SBCL_MODULES[1:])],
        dependencies=[],
        problems=[],
    )


def _rows(work: Work, store: Store) -> ReleaseRows:
    release, survey, outcome = work.release, work.survey, work.outcome
    assert outcome is not None
    report = outcome.report
    systems = survey.systems if survey else {}
    main = systems.get(release.name) or next(iter(systems.values()), None)
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
        slice=store.place.address(slice_name(release.name, outcome.key)) if outcome.key else None,
        key=outcome.key,
        seconds=report.seconds,
        systems=[
            (name, systems[name].version if name in systems else None, _state(name, report))
            for name in sorted(own)
        ],
        dependencies=list(dependencies),
        problems=list(report.failures.items()),
    )


def _state(system: str, report: LoadReport) -> str:
    if system in report.loaded:
        return "loaded"
    return "failed" if system in report.failures or report.state == "failed" else "unloaded"


def _one_line(text: str | None) -> str | None:
    return " ".join(text.split()) if text else None


def _version_of_folder(folder: Path) -> str | None:
    """The version at the end of a folder's name, as Quicklisp and ocicl name them."""
    found = _VERSION.search(folder.name)
    return found[1] if found else None
