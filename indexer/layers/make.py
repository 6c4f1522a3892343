"""Find the layer to start from, and make what is missing: SBCL, then ASDF, then the libraries of projects."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import quote

from oblist.lisp.disk import reason_if_full
from oblist.lisp.images import NO_LIBRARIES, Libraries, Setup, base_files, deferred_symbols
from oblist.lisp.sbcl import Sbcl, compiled_code

from ..errors import (
    CacheError,
    CancelledError,
    CoreNotSavedError,
    ImageError,
    IndexerError,
    OtherLibrariesError,
    UnfitLayerError,
)
from ..format import user_cache_folder
from ..image import Image, ImagePlan
from ..inputs import IndexedFiles, file_hash, first_hashes, indexed_files
from ..records import Problem
from ..write.facts import Build
from .cache import prune
from .core_and_index import Inputs, Layer, LayerFacts, Split
from .image import ImageAbove
from .libraries import KnownLibraries
from .store import find_layer, layer_folder, make_layer, note_why_not, why_not

if TYPE_CHECKING:
    from .write import WrittenIndex

Progress = Callable[[str], None]
TakeLibraries = Callable[[Libraries], None]
Made = TypeVar("Made")
_SAVING_SECONDS = 120.0
_MOST_TRIED = 3
_TOLD = 4  # libraries that the name of a layer lists
_SBCL_ROOT = "SELECT path FROM roots WHERE name = 'sbcl'"
_SOURCE_OF_SBCL = "src/code/list.lisp"


def lowest_layer(sbcl: Sbcl, progress: Progress, seconds: float) -> Layer:
    """The layer of SBCL alone, made if there is none; ``seconds`` limits the time of loading one thing.

    Raises whatever building an index raises.
    """
    code = compiled_code(sbcl, user_cache_folder())
    folder = _folder_of_sbcl(sbcl, code)

    def make(index: Path, core: Path) -> LayerFacts:
        progress("indexing SBCL itself, once")
        with Image(_nothing(sbcl, seconds), core, layer=True) as image:
            _write_layer(image, None, index, core, progress)
        return LayerFacts(_inputs_of_sbcl(index))

    return find_layer(folder, sbcl, code) or _made("nothing else", folder, sbcl, code, make)


def layer_with_asdf(sbcl: Sbcl, progress: Progress, seconds: float = Setup().seconds) -> Layer:
    """The layer of SBCL with ASDF, made as ``lowest_layer`` is."""
    below = lowest_layer(sbcl, progress, seconds)
    folder = _folder_of_asdf(below)

    def make(index: Path, core: Path) -> LayerFacts:
        with ImageAbove(below, _nothing(sbcl, seconds), core, asdf=True, layer=True) as image:
            _write_layer(image, below, index, core, progress)
        return LayerFacts(below.inputs)

    return find_layer(folder, sbcl, below.code) or _made("ASDF", folder, sbcl, below.code, make)


def _nothing(sbcl: Sbcl, seconds: float) -> ImagePlan:
    return ImagePlan(sbcl, (), Setup(seconds=seconds))


def made_on_layer(
    plan: ImagePlan, progress: Progress, make: Callable[[ImagePlan, TakeLibraries, Layer | None], Made]
) -> Made:
    """What ``make`` makes on the highest layer that will do, or without one if none will.

    That is the layer with the libraries that the projects of ``plan`` need, which is made if it is not there,
    or the layer below all that is loaded. ``make`` is called with the plan of its image, with a function for
    what the image says of the libraries, and with the layer.
    """
    if not plan.setup.projects:
        return _made_below_all(plan, progress, partial(make, plan, lambda _: None))
    untried = Untried(plan)
    while True:
        libraries = untried.take()
        below = _libraries_for_index(untried.known, libraries, plan, progress) if libraries else None
        try:
            if below is None:
                unsettled = replace(plan, settled=untried.settled())
                return _made_below_all(plan, progress, partial(make, unsettled, untried.note))
            return make(plan, untried.note, below)
        except OtherLibrariesError as error:
            untried.note(error.libraries)
        except UnfitLayerError:
            if below is None:
                raise


class Untried:
    """The libraries that the projects of a plan need, until a layer with them has been tried."""

    def __init__(self, plan: ImagePlan) -> None:
        self.known = KnownLibraries(plan.sbcl, plan.systems, plan.setup)
        self._libraries = self.known.get()
        self._tried: set[str] = set()

    def take(self) -> Libraries | None:
        """The libraries, if a layer with them is to be tried, which the caller does."""
        libraries = self._libraries
        settled = self.settled()
        if libraries is None or settled is None or libraries.identity in settled:
            return None
        self._tried.add(libraries.identity)
        return libraries

    def settled(self) -> tuple[str, ...] | None:
        """The identities of the libraries for which no layer is worth a try; None if none is, for any.

        An image whose projects need others must end before it loads them: it would be killed once it has said
        so, and some libraries leave files behind that look complete, as the loader of Swank does.
        """
        if len(self._tried) >= _MOST_TRIED:
            return None
        return (*sorted(self._tried), *(() if _runs_code_first(self.known.setup) else (NO_LIBRARIES,)))

    def note(self, libraries: Libraries) -> None:
        """Note what the projects need, as an image says."""
        self._libraries = libraries
        self.known.note(libraries)


def has_libraries(layer: Layer, plan: ImagePlan) -> bool:
    """Whether ``layer`` has all that the projects of ``plan`` need, so that a watch may stand on it."""
    if not plan.setup.projects:
        return False
    found = find_libraries(plan.sbcl, plan.systems, plan.setup, complete=True)
    return found is not None and found.core == layer.core


def _libraries_for_index(
    known: KnownLibraries, libraries: Libraries, plan: ImagePlan, progress: Progress
) -> Layer | None:
    """The layer with the ``libraries``, if it is there, or can be made, and will do for an index.

    It will not if what is missing may be there now, or if the project may wait for threads. One that could
    not be made is not tried again until the note of that is dropped from the cache.
    """

    def refuse(problem: Problem) -> None:
        raise UnfitLayerError(f"{problem.subject} did not load.")  # what it printed is to be told

    layer = _layer_with_libraries(known, libraries)
    if layer is None and not why_not(_folder_of_libraries(known, libraries)):
        with suppress(IndexerError, OSError, sqlite3.DatabaseError):
            layer = make_libraries(plan.sbcl, plan.systems, plan.setup, progress, refuse=refuse)
    return None if layer is None or layer.facts.lacks_libraries or layer.facts.ended_threads else layer


def _made_below_all(plan: ImagePlan, progress: Progress, make: Callable[[Layer | None], Made]) -> Made:
    try:
        below = _layer_below(plan, progress)
    except (CoreNotSavedError, CacheError, OSError, sqlite3.DatabaseError):
        below = None
    try:
        return make(below)
    except OtherLibrariesError:
        raise
    except UnfitLayerError:
        return make(None)


def _layer_below(plan: ImagePlan, progress: Progress) -> Layer:
    if (plan.systems or plan.setup.projects or plan.libraries) and not _runs_code_first(plan.setup):
        return layer_with_asdf(plan.sbcl, progress, plan.setup.seconds)
    return lowest_layer(plan.sbcl, progress, plan.setup.seconds)


def loads_nothing(plan: ImagePlan) -> bool:
    """Whether an index of ``plan`` has what the lowest layer has, and nothing else."""
    return not (plan.systems or plan.setup.projects or plan.libraries or _runs_code_first(plan.setup))


def _runs_code_first(setup: Setup) -> bool:
    """Whether something is loaded before ASDF is."""
    reads_init_file = setup.user_init and (Path.home() / ".sbclrc").exists()
    return bool(setup.files or setup.init or reads_init_file)


def find_libraries(
    sbcl: Sbcl, systems: Sequence[str], setup: Setup, *, complete: bool = False
) -> Layer | None:
    """The layer with the libraries that the projects of ``setup`` are known to need, if it is up to date.

    With ``complete``, not one that lacks a library. Raises lisp.sbcl.SbclError when our code does not
    compile.
    """
    known = KnownLibraries(sbcl, systems, setup)
    libraries = known.get()
    layer = _layer_with_libraries(known, libraries) if libraries else None
    return None if layer and complete and layer.facts.lacks_libraries else layer


def _layer_with_libraries(known: KnownLibraries, libraries: Libraries) -> Layer | None:
    sbcl, code = known.sbcl, known.code
    if _needs_no_layer(known.setup, libraries):
        below = find_layer(_folder_of_sbcl(sbcl, code), sbcl, code)
        return below and find_layer(_folder_of_asdf(below), sbcl, code)
    return find_layer(_folder_of_libraries(known, libraries), sbcl, code)


def _needs_no_layer(setup: Setup, libraries: Libraries) -> bool:
    """Whether there is nothing to load before the projects but ASDF."""
    return not libraries.names and not _runs_code_first(setup)


def make_libraries(
    sbcl: Sbcl,
    systems: Sequence[str],
    setup: Setup,
    progress: Progress,
    refuse: Callable[[Problem], None] = lambda _: None,
) -> Layer:
    """Make the layer with the libraries that the projects of ``setup`` need, for all that need these.

    ``refuse`` is called with each thing that did not load; it may raise an error. Raises whatever building an
    index raises.
    """
    known = KnownLibraries(sbcl, systems, setup)
    libraries = known.get()
    if libraries is None:
        libraries = _asked_for_libraries(ImagePlan(sbcl, systems, setup), progress)
        known.note(libraries)
    if _needs_no_layer(setup, libraries):
        return layer_with_asdf(sbcl, progress, setup.seconds)
    plan = ImagePlan(sbcl, (), replace(setup, projects=(), tests=False), libraries)

    def make(index: Path, core: Path) -> LayerFacts:
        return _made_below_all(plan, progress, lambda below: make_on(below, index, core))

    def make_on(below: Layer | None, index: Path, core: Path) -> LayerFacts:
        progress("loading what the project depends on")
        inputs = first_hashes(plan.setup)
        with ImageAbove(below, plan, core, layer=True) if below else Image(plan, core, layer=True) as image:
            not_loaded = _write_layer(image, below, index, core, progress).not_loaded
            for problem in not_loaded:
                refuse(problem)
            lacks = image.lacks_libraries() or bool(not_loaded)
            ended_threads = image.ended_threads()
        inputs |= _inputs_of_sbcl(index)
        return LayerFacts(inputs, lacks_libraries=lacks, ended_threads=ended_threads)

    return _made(_told(libraries.names), _folder_of_libraries(known, libraries), sbcl, known.code, make)


def _asked_for_libraries(plan: ImagePlan, progress: Progress) -> Libraries:
    """What an image says that has read the definitions of the projects of ``plan``."""
    progress("reading the system definitions")
    with ImageAbove(_layer_below(plan, progress), replace(plan, settled=())) as image:
        try:
            for _ in image.records():
                break
        except OtherLibrariesError as error:
            return error.libraries
        raise ImageError("SBCL did not report what the project depends on.", image.printed_last())


def find_part(base: Layer, below: str, definitions: Inputs) -> Layer | None:
    """The layer with what a project loads on ``base`` before the source ``below``, if it is up to date.

    ``definitions`` are the project's system definition files, with their hashes.
    """
    return find_layer(_folder_of_part(base, below, definitions), base.sbcl, base.code)


def make_part(
    base: Layer,
    split: Split,
    definitions: Inputs,
    image: Callable[[Path], Image],
    check: Callable[[Path], None],
) -> Layer:
    """Make the layer with what a project loads on ``base`` before the place of ``split``.

    ``definitions`` are as for ``find_part``. ``image`` starts the image, given the path for its core, and
    ``check`` is called with the index; it may raise an error. Raises whatever building an index raises.
    """

    def make(index: Path, core: Path) -> LayerFacts:
        with image(core) as started:
            written = _write_layer(started, base, index, core, lambda _: None, split=split)
            ended_threads = started.ended_threads()
        check(index)
        deferred_symbols(core).write_text("".join(f"{number}\n" for number in written.deferred))
        symbols = int(next(_all(base.index, "SELECT count(*) FROM symbols")))
        expected = [*written.deferred, *_numbers(index, split.defined_above)]
        return LayerFacts(
            {**base.inputs, **definitions},
            ended_threads=ended_threads,
            below=split.below,
            symbols_below=symbols,
            expected=expected,
            owners=split.owners,
            deferred=split.deferred,
        )

    what = f"a project up to {split.below}"
    return _made(what, _folder_of_part(base, split.below, definitions), base.sbcl, base.code, make)


def _folder_of_part(base: Layer, below: str, definitions: Inputs) -> Path:
    return layer_folder("part", base.identity, below, sorted(definitions.items()))


def layer_without_index(
    name: str, below: Layer, systems: Sequence[str], image: Callable[[Path], AbstractContextManager[Image]]
) -> Layer:
    """The layer with ``systems`` in the folder ``name``, on which only indexes of their own are made.

    ``image`` starts its image on the layer ``below``, given the path for its core, if the layer is not there.
    Raises whatever running an image raises.
    """
    folder = layer_folder().with_name(name)

    def made(_: Path, core: Path) -> LayerFacts:
        def save() -> None:
            deque(started.records(), maxlen=0)  # what did not load
            _await_core(started, core, lambda _: None)

        with image(core) as started:
            started.made(save)
        return LayerFacts({})

    found = find_layer(folder, below.sbcl, below.code)
    return found or _made(_told(systems), folder, below.sbcl, below.code, made)


def _made(what: str, folder: Path, sbcl: Sbcl, code: Path, make: Callable[[Path, Path], LayerFacts]) -> Layer:
    """Make the layer ``what`` in ``folder`` as ``make_layer`` does, and keep the cache within its budget.

    The inputs that ``make`` returns, which it had before it loaded anything, come before those of the index.
    """
    known = LayerFacts({}, what=what, code=code.name, sbcl=sbcl.version)
    started = time.time()

    def made(index: Path, core: Path) -> LayerFacts:
        facts = make(index, core)
        files = indexed_files(index, started) if index.exists() else IndexedFiles({}, [])
        return replace(
            facts,
            inputs={**files.hashes, **facts.inputs},
            doubted=files.doubted,
            started=started,
            what=known.what,
            code=known.code,
            sbcl=known.sbcl,
        )

    try:
        layer = make_layer(folder, sbcl, code, made)
    except (CacheError, CancelledError):
        raise  # there may be room the next time, or time
    except IndexerError as error:
        note_why_not(folder, replace(known, why_not=str(error)))
        raise
    with suppress(OSError):  # the layer is there, whatever cannot be removed
        prune()
    return layer


def _told(names: Sequence[str]) -> str:
    """The layer with the libraries ``names``, in words."""
    if not names:
        return "what is loaded before projects"
    more = f" and {len(names) - _TOLD} more" if len(names) > _TOLD else ""
    return f"libraries: {', '.join(names[:_TOLD])}{more}"


def _folder_of_sbcl(sbcl: Sbcl, code: Path) -> Path:
    return layer_folder("sbcl", str(sbcl.path), code.name, os.environ.get("SBCL_HOME", ""))


def _folder_of_asdf(below: Layer) -> Path:
    return layer_folder("asdf", below.identity)


def _folder_of_libraries(known: KnownLibraries, libraries: Libraries) -> Path:
    """The folder by the compiled code, whose name stands for the SBCL, and what is loaded."""
    before = replace(known.setup, projects=(), tests=False, seconds=0).environment()
    fasls = os.environ.get("ASDF_OUTPUT_TRANSLATIONS", "")
    loaded = [list(libraries.names), [*map(list, libraries.places)], sorted(before.items()), fasls]
    return layer_folder("libraries", str(known.sbcl.path), known.code.name, loaded)


def _write_layer(
    image: Image,
    below: Layer | None,
    index: Path,
    core: Path,
    progress: Progress,
    split: Split | None = None,
) -> WrittenIndex:
    from .write import NO_PART, write_on

    build = Build("layer", datetime.now(UTC))
    fixed = None if split else NO_PART  # what a project changes of what it depends on, no refresh mends
    written = image.made(
        lambda: write_on(below, index, image.records(progress), build, progress, fixed=fixed)
    )
    _await_core(image, core, progress)
    _note_files(index, core, split.deferred if split else ())
    return written


def _await_core(image: Image, core: Path, progress: Progress) -> None:
    """Wait until SBCL has saved the ``core``; raises ImageError if it does not."""
    progress("saving the image for the next time")
    image.wait(_SAVING_SECONDS)
    if image.exit_code() != 0 or not core.exists():  # a core that was not written whole is there, too
        if full := reason_if_full(core.parent):
            raise CacheError(f"{full} in {core.parent.parent}")
        reason = image.no_snapshot() or "no reason given"
        raise CoreNotSavedError(f"SBCL saved no core from which to build: {reason}.", image.printed_last())


def _inputs_of_sbcl(index: Path) -> Inputs:
    """One of SBCL's sources, which are there or not, and change only with SBCL."""
    paths = [f"{root}{_SOURCE_OF_SBCL}" for root in _all(index, _SBCL_ROOT)]
    return {path: file_hash(path) for path in paths}


def _note_files(index: Path, core: Path, deferred: Sequence[str]) -> None:
    """Write the names of all source files as SBCL records them beside the ``core``, a line each.

    The paths ``deferred`` are those of files that are new to the images above the layer.
    """
    names = _all(
        index,
        "SELECT recorded FROM source_files"
        " WHERE path IS NULL OR path NOT IN (SELECT value FROM json_each(?))",
        json.dumps(deferred),
    )
    base_files(core).write_text("".join(f"{name}\n" for name in names), encoding="utf-8")


def _numbers(index: Path, names: Sequence[tuple[str, str]]) -> list[int]:
    """The numbers of the symbols with these names in these packages, of those that there are."""
    found = _all(
        index,
        "SELECT symbols.id FROM json_each(?) AS one"
        " JOIN symbols ON symbols.name = json_extract(one.value, '$[1]')"
        " JOIN packages ON packages.id = package_id AND packages.name = json_extract(one.value, '$[0]')",
        json.dumps(names),
    )
    return [int(number) for number in found]


def _all(index: Path, statement: str, *parameters: str) -> Iterator[str]:
    with closing(sqlite3.connect(f"file:{quote(str(index))}?mode=ro", uri=True)) as connection:
        yield from (str(value) for (value,) in connection.execute(statement, parameters))
