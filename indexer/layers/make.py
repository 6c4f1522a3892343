"""Find the layer to start from, and make what is missing: SBCL, then ASDF, then a project's dependencies."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import quote

from oblist.lisp.sbcl import Sbcl, Setup, base_files, compiled_code, deferred_symbols

from ..errors import IndexerError, NoCoreError, UnfitLayerError
from ..format import user_cache_folder
from ..image import Image, ImagePlan
from ..inputs import file_hash, fixed_files, project_files
from ..records import Problem
from ..write.facts import Build
from .cache import prune
from .core_and_index import Facts, Inputs, Layer, Split
from .image import ImageAbove
from .store import find_layer, layer_folder, make_layer, note_why_not

if TYPE_CHECKING:
    from .write import Written

Progress = Callable[[str], None]
Made = TypeVar("Made")
_SAVING_SECONDS = 120.0
_SBCL_ROOT = "SELECT path FROM roots WHERE name = 'sbcl'"
_SOURCE_OF_SBCL = "src/code/list.lisp"


def lowest_layer(sbcl: Sbcl, progress: Progress, seconds: float) -> Layer:
    """The layer of SBCL alone, made if there is none; ``seconds`` limits the time of loading one thing.

    Raises whatever building an index raises.
    """
    code = compiled_code(sbcl, user_cache_folder())
    folder = layer_folder("sbcl", str(sbcl.path), code.name, os.environ.get("SBCL_HOME", ""))

    def make(index: Path, core: Path) -> Facts:
        progress("indexing SBCL itself, once")
        with Image(_nothing(sbcl, seconds), core, layer=True) as image:
            _write_layer(image, None, index, core, progress)
        return Facts(_inputs_of_sbcl(index))

    return find_layer(folder, sbcl, code) or _made("nothing else", folder, sbcl, code, make)


def layer_with_asdf(sbcl: Sbcl, progress: Progress, seconds: float = Setup().seconds) -> Layer:
    """The layer of SBCL with ASDF, made as ``lowest_layer`` is."""
    below = lowest_layer(sbcl, progress, seconds)
    folder = layer_folder("asdf", below.identity)

    def make(index: Path, core: Path) -> Facts:
        with ImageAbove(below, _nothing(sbcl, seconds), core, asdf=True, layer=True) as image:
            _write_layer(image, below, index, core, progress)
        return Facts({**below.inputs, **_sources(index)})

    return find_layer(folder, sbcl, below.code) or _made("ASDF", folder, sbcl, below.code, make)


def _nothing(sbcl: Sbcl, seconds: float) -> ImagePlan:
    return ImagePlan(sbcl, (), Setup(seconds=seconds))


def made_on_layer(
    plan: ImagePlan, progress: Progress, warn: Progress, make: Callable[[Layer | None], Made], *, again: bool
) -> Made:
    """What ``make`` makes on the highest layer that will do, or without one if none will.

    That is the layer with what the projects of ``plan`` depend on, or the layer below all that is loaded. The
    former takes a while to make: that is done if the same is made ``again``. ``warn`` is called with the
    libraries that ASDF does not find.
    """
    below = None
    if plan.setup.projects:
        with suppress(IndexerError, OSError, sqlite3.DatabaseError):
            below = _dependencies(plan, progress, warn, make_it=again)
    if below is not None and not below.facts.ended_threads:  # the project may wait for them
        with suppress(UnfitLayerError):
            return make(below)
    return _made_below_all(plan, progress, make)


def _dependencies(plan: ImagePlan, progress: Progress, warn: Progress, *, make_it: bool) -> Layer | None:
    def refuse(problem: Problem) -> None:
        raise UnfitLayerError(f"{problem.subject} did not load.")  # what it printed is to be told

    found = find_dependencies(plan.sbcl, plan.systems, plan.setup)
    if found is None and make_it:
        return make_dependencies(plan.sbcl, plan.systems, plan.setup, progress, warn=warn, refuse=refuse)
    # What is missing may be there now, and to make the layer each time would take longer than to go without.
    return None if found is None or found.facts.lacks_dependencies else found


def _made_below_all(plan: ImagePlan, progress: Progress, make: Callable[[Layer | None], Made]) -> Made:
    try:
        below = _layer_below(plan, progress)
    except (NoCoreError, OSError, sqlite3.DatabaseError):
        below = None
    try:
        return make(below)
    except UnfitLayerError:
        return make(None)


def _layer_below(plan: ImagePlan, progress: Progress) -> Layer:
    if (plan.systems or plan.setup.projects) and not _runs_code_first(plan.setup):
        return layer_with_asdf(plan.sbcl, progress, plan.setup.seconds)
    return lowest_layer(plan.sbcl, progress, plan.setup.seconds)


def _runs_code_first(setup: Setup) -> bool:
    """Whether something is loaded before ASDF is."""
    reads_init_file = setup.user_init and (Path.home() / ".sbclrc").exists()
    return bool(setup.files or setup.init or reads_init_file)


def find_dependencies(
    sbcl: Sbcl, systems: Sequence[str], setup: Setup, *, complete: bool = False
) -> Layer | None:
    """The layer with what the project of ``setup`` depends on, if there is one that is up to date.

    With ``complete``, not one that lacks a dependency. Raises lisp.sbcl.SbclError when our code does not
    compile.
    """
    code = compiled_code(sbcl, user_cache_folder())
    layer = find_layer(_folder_of_dependencies(sbcl, code, systems, setup), sbcl, code)
    return None if layer and complete and layer.facts.lacks_dependencies else layer


def make_dependencies(
    sbcl: Sbcl,
    systems: Sequence[str],
    setup: Setup,
    progress: Progress,
    warn: Progress = lambda _: None,
    refuse: Callable[[Problem], None] = lambda _: None,
) -> Layer:
    """Make the layer with what the project of ``setup`` depends on.

    ``warn`` is called with the libraries that ASDF does not find, and ``refuse`` with each thing that did not
    load; it may raise an error. Raises whatever building an index raises.
    """
    code = compiled_code(sbcl, user_cache_folder())
    plan = ImagePlan(sbcl, systems, setup)

    def make(index: Path, core: Path) -> Facts:
        return _made_below_all(plan, progress, lambda below: make_on(below, index, core))

    def make_on(below: Layer | None, index: Path, core: Path) -> Facts:
        progress("loading what the project depends on")
        inputs = _fixed_inputs(setup)
        with ImageAbove(below, plan, core, layer=True) if below else Image(plan, core, layer=True) as image:
            not_loaded = _write_layer(image, below, index, core, progress, warn).not_loaded
            for problem in not_loaded:
                refuse(problem)
            lacks = image.lacks_dependencies() or bool(not_loaded)
            ended_threads = image.ended_threads()
        inputs |= {**_inputs_of_sbcl(index), **_sources(index)}
        return Facts(inputs, lacks_dependencies=lacks, ended_threads=ended_threads)

    what = f"what {_project(setup)} depends on"
    return _made(what, _folder_of_dependencies(sbcl, code, systems, setup), sbcl, code, make)


def find_part(base: Layer, below: str) -> Layer | None:
    """The layer with what a project loads on ``base`` before the source ``below``, if it is up to date."""
    return find_layer(_folder_of_part(base, below), base.sbcl, base.code)


def make_part(
    base: Layer, split: Split, image: Callable[[Path], Image], check: Callable[[Path], None]
) -> Layer:
    """Make the layer with what a project loads on ``base`` before the place of ``split``.

    ``image`` starts the image, given the path for its core, and ``check`` is called with the index; it may
    raise an error. Raises whatever building an index raises.
    """

    def make(index: Path, core: Path) -> Facts:
        with image(core) as started:
            written = _write_layer(started, base, index, core, lambda _: None, split=split)
        check(index)
        deferred_symbols(core).write_text("".join(f"{number}\n" for number in written.deferred))
        symbols = int(next(_all(base.index, "SELECT count(*) FROM symbols")))
        expected = [*written.deferred, *_numbers(index, split.defined_above)]
        return Facts(
            {**base.inputs, **_sources(index)},
            symbols_below=symbols,
            expected=expected,
            owners=split.owners,
            deferred=split.deferred,
        )

    what = f"a project up to {split.below}"
    return _made(what, _folder_of_part(base, split.below), base.sbcl, base.code, make)


def _folder_of_part(base: Layer, below: str) -> Path:
    return layer_folder("part", base.identity, below)


def _made(what: str, folder: Path, sbcl: Sbcl, code: Path, make: Callable[[Path, Path], Facts]) -> Layer:
    """Make the layer ``what`` in ``folder`` as ``make_layer`` does, and keep the cache within its budget."""
    known = Facts({}, what=what, code=code.name, sbcl=sbcl.version)

    def made(index: Path, core: Path) -> Facts:
        return replace(make(index, core), what=known.what, code=known.code, sbcl=known.sbcl)

    try:
        layer = make_layer(folder, sbcl, code, made)
    except IndexerError as error:
        note_why_not(folder, replace(known, why_not=str(error)))
        raise
    with suppress(OSError):  # the layer is there, whatever cannot be removed
        prune()
    return layer


def _project(setup: Setup) -> str:
    return ", ".join(str(project.resolve()) for project in setup.projects)


def _folder_of_dependencies(sbcl: Sbcl, code: Path, systems: Sequence[str], setup: Setup) -> Path:
    """The folder by the compiled code, whose name stands for the SBCL, and what is loaded."""
    registry = {name: value for name, value in os.environ.items() if name.startswith(("CL_SOURCE", "ASDF"))}
    loaded = [list(systems), sorted(setup.environment().items()), sorted(registry.items())]
    return layer_folder("dependencies", str(sbcl.path), code.name, loaded)


def _write_layer(
    image: Image,
    below: Layer | None,
    index: Path,
    core: Path,
    progress: Progress,
    warn: Progress = lambda _: None,
    split: Split | None = None,
) -> Written:
    from .write import NO_PART, write_on

    build = Build("layer", datetime.now(UTC))
    fixed = None if split else NO_PART  # what a project changes of what it depends on, no refresh mends
    written = image.made(
        lambda: write_on(below, index, image.records(progress, warn), build, progress, fixed=fixed)
    )
    _await_core(image, core, progress)
    _note_files(index, core, split.deferred if split else ())
    return written


def _await_core(image: Image, core: Path, progress: Progress) -> None:
    """Wait until SBCL has saved the ``core``; raises ImageError if it does not."""
    progress("saving the image for the next time")
    image.wait(_SAVING_SECONDS)
    if not core.exists():
        reason = image.no_snapshot() or "no reason given"
        raise NoCoreError(f"SBCL saved no core to start from: {reason}.", image.printed_last())


def _inputs_of_sbcl(index: Path) -> Inputs:
    """One of SBCL's sources, which are there or not, and change only with SBCL."""
    paths = [f"{root}{_SOURCE_OF_SBCL}" for root in _all(index, _SBCL_ROOT)]
    return {path: file_hash(path) for path in paths}


def _fixed_inputs(setup: Setup) -> Inputs:
    """The files that decide what is loaded, apart from the project's own sources."""
    own = project_files(setup.projects)
    definitions = [str(path) for path in own if path.suffix.lower() == ".asd"]
    return {path: file_hash(path) for path in [*fixed_files(replace(setup, projects=())), *definitions]}


def _sources(index: Path) -> Inputs:
    """The source files of what is loaded; SBCL's own are left out, because they change only with SBCL."""
    paths = _all(
        index,
        "SELECT source_files.path FROM source_files JOIN roots ON roots.id = root_id"
        " WHERE roots.name <> 'sbcl' AND source_files.path IS NOT NULL"
        " UNION SELECT definition_path FROM systems WHERE definition_path IS NOT NULL",
    )
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
