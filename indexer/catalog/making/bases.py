"""Bases: the layers that slices are made on, with what a release depends on and the files compiled for it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from oblist.lisp.slices import SliceSurroundings, to_save

from ...image import Image
from ...layers.make import layer_with_asdf, layer_without_index
from ...layers.store import drop_layers, in_use
from ..store.results import key_of
from .images import SliceImage
from .orders import Plan
from .scratch import Scratch

_MOST = 6
_FASLS = "fasls"


@contextmanager
def base_in_use(around: SliceSurroundings, plan: Plan, scratch: Scratch) -> Iterator[Path]:
    """The core of the layer with the systems that ``plan`` loads first; one process makes it, others wait.

    It is not removed meanwhile. What was compiled for these systems, before or when the layer was made, is in
    the folder for compiled files as long: ASDF would load again what is not there, or has another date, and
    it would count as new.
    """
    fasls, compiled = around.fasls, [scratch.fasls(key) for key in plan.compiled]
    with ExitStack() as stack:
        with scratch.alone("asdf"):
            below = stack.enter_context(in_use(lambda: layer_with_asdf(around.sbcl, lambda _: None)))
        if not plan.base:
            stack.enter_context(_linked(compiled, fasls))
            yield below.core
            return

        @contextmanager
        def image(core: Path) -> Iterator[Image]:
            task = to_save(core, plan.base)
            with _linked(compiled, fasls), SliceImage(around, below.core, task) as started:
                yield started
                _link(fasls, core.with_name(_FASLS))

        key = key_of(below.identity, plan.base, plan.compiled, around.megabytes)
        name = f"{_prefix(scratch)}{key}"
        with scratch.alone(key):
            base = stack.enter_context(in_use(lambda: layer_without_index(name, below, plan.base, image)))
        drop_bases(scratch, _MOST)
        stack.enter_context(_linked([base.core.with_name(_FASLS)], fasls))
        yield base.core


def drop_bases(scratch: Scratch, most: int = 0) -> None:
    """Remove the bases that nobody uses of builds with this scratch folder, but the ``most`` used last."""
    drop_layers(_prefix(scratch), most)


def _prefix(scratch: Scratch) -> str:
    """How the names of the bases begin: cores have the paths of what was compiled there."""
    return f"base-{key_of(str(scratch.folder))[:8]}-"


def _link(source: Path, target: Path) -> list[Path]:
    """Link the files below ``source`` into ``target``, where what is there stays; returns the new ones."""
    linked = []
    for path, _, names in os.walk(source):
        beside = target / Path(path).relative_to(source)
        beside.mkdir(parents=True, exist_ok=True)
        for name in names:
            old, new = Path(path, name), beside / name
            if new.exists():
                continue
            with suppress(OSError):  # it is gone
                try:
                    new.hardlink_to(old)
                except OSError:  # the user's cache may be on another file system
                    shutil.copy2(old, new)
                linked.append(new)
    return linked


@contextmanager
def _linked(sources: Iterable[Path], target: Path) -> Iterator[None]:
    """Have the files below the ``sources`` in ``target``, too; of two at the same place the first counts."""
    links = [link for source in sources for link in _link(source, target)]
    try:
        yield
    finally:
        for link in links:
            link.unlink(missing_ok=True)
