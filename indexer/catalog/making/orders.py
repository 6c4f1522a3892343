"""What a task is given, and what comes of it.

A task depends on its order and on the outcomes of the releases before it, so it may run on any machine that
reaches the store.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from oblist.lisp.sbcl import Sbcl

from ..store.results import Store
from .scratch import Scratch


@dataclass(frozen=True, slots=True)
class ReleaseLimits:
    """The limits for each release: seconds for loading one system, megabytes of heap."""

    seconds: float = 300.0
    megabytes: int = 4096


@dataclass(frozen=True, slots=True)
class Site:
    """Where tasks run: the SBCL of a machine, and its scratch folder.

    ``shared`` says that other machines make slices, too, so that compiled files go through the store.
    """

    sbcl: Sbcl
    scratch: Scratch
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Terms:
    """What all tasks of a build have in common.

    ``compiler`` is all that decides what SBCL and oblist make of a source, ``build`` a name for this build.
    Without a ``site``, each worker finds its own; ``sent`` says that sources come from the store, and
    ``guarded`` that workers may be lost.
    """

    store: Store
    compiler: tuple[object, ...]
    build: str
    site: Site | None
    limits: ReleaseLimits = ReleaseLimits()
    tests: bool = False
    sent: bool = False
    guarded: bool = False


@dataclass(frozen=True, slots=True)
class SentFolder:
    """The folder of a release whose sources are in the store under ``key``."""

    folder: Path
    key: str


@dataclass(frozen=True, slots=True)
class Order:
    """What both tasks need to know of a release.

    ``contents`` is the hash of its sources, ``places`` the name of the list of places of systems in the
    store, and ``closure`` the definition files of all that it depends on, in order, each with the hash of its
    sources. ``first`` are the systems to load before its definitions can be read.
    """

    terms: Terms
    name: str
    definition: Path
    contents: str
    places: str
    first: tuple[str, ...] = ()
    closure: tuple[tuple[str, str], ...] = ()
    sources: tuple[SentFolder, ...] = ()


@dataclass(frozen=True, slots=True)
class Needed:
    """A system that a release depends on: the definition file of its release, None if there is none.

    ``at_hand`` says that it comes with SBCL, ``circular`` that its release depends on this one in turn.
    """

    release: str | None
    at_hand: bool = False
    circular: bool = False


@dataclass(frozen=True, slots=True)
class SliceOrder:
    """What making a slice needs besides: the systems of the release, and those that they depend on.

    ``systems`` are pairs of a relation and a system for each system of the release, ``base`` the systems to
    load before, and ``needed`` what is known of all these.
    """

    order: Order
    systems: Mapping[str, Sequence[Sequence[str]]]
    base: tuple[str, ...]
    needed: Mapping[str, Needed]


@dataclass(frozen=True, slots=True)
class SystemFacts:
    """What the definition of a system says; ``dependencies`` are pairs of relation and name."""

    version: str | None
    licence: str | None
    author: str | None
    description: str | None
    dependencies: list[list[str]]
    files: list[str]


@dataclass(frozen=True, slots=True)
class Survey:
    """What the definitions of a release say.

    ``needed`` is a system that must be loaded before they can be read; ``problem`` says why they cannot.
    """

    systems: dict[str, SystemFacts] = field(default_factory=dict)
    defined: list[str] = field(default_factory=list)
    needed: str | None = None
    problem: str | None = None

    @classmethod
    def of(cls, value: Any) -> Survey:
        """The survey that ``asdict`` made the JSON ``value`` from."""
        systems = {name: SystemFacts(**facts) for name, facts in value["systems"].items()}
        return cls(systems, value["defined"], value["needed"], value["problem"])


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What became of a release: the systems that loaded, and why others did not.

    ``state`` is loaded, partly or failed, ``size`` the bytes of its slice. ``transient`` says that the next
    build is to try again, because time, memory or a signal ended this one.
    """

    state: str
    loaded: list[str]
    failures: dict[str, str]
    seconds: float
    transient: bool = False
    size: int = 0


@dataclass(frozen=True, slots=True)
class SliceOutcome:
    """The outcome of making a slice, as those that depend on the release need it.

    ``key`` is that of the slice, empty if there is none; ``identity`` the key, else the hash of the sources.
    ``closure`` has both for each release that this one depends on, by definition file. ``weight`` is about
    how many bytes another machine has to fetch to go on from here.
    """

    definition: str
    key: str
    identity: str
    report: LoadReport
    closure: dict[str, tuple[str, str]] = field(default_factory=dict)
    cached: bool = False
    weight: int = 0

    def __sizeof__(self) -> int:
        """The size that Dask reckons with when it chooses the worker for a task."""
        return self.weight or 1000


@dataclass(frozen=True, slots=True)
class Plan:
    """What an order comes to once the outcomes of the releases before it are known.

    ``key`` is that of the result, ``base`` the systems to load before, ``compiled`` the keys of the releases
    whose compiled files these need, and ``omitted`` the systems of the release not to load, and why.
    """

    key: str
    base: tuple[str, ...]
    compiled: tuple[str, ...]
    closure: dict[str, tuple[str, str]]
    omitted: dict[str, str] = field(default_factory=dict)
