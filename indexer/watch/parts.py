"""Layers with a part of the project, right below what is being edited, so that only the rest is loaded again.

They are made beside the refreshes, in a thread.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Collection, Mapping, Sequence
from operator import itemgetter
from pathlib import Path

from oblist.lisp.images import Setup
from oblist.lisp.sbcl import SbclError

from ..errors import IndexerError, UnfitLayerError
from ..inputs import FileState, Hashes, file_state
from ..layers.core_and_index import Inputs, Layer
from ..layers.make import find_part, make_part
from ..refresh.project import RefreshImage
from ..refresh.split import differing_files, differing_owners, split_below

_hash = Hashes()
_MOST = 3
_FEWEST_FILES = 3  # to be worth it


class Parts:
    """The layers with a part of one project."""

    def __init__(self, systems: Sequence[str], setup: Setup) -> None:
        self._systems = systems
        self._setup = setup
        self._base = ""
        self._definitions: Inputs = {}  # the project's own, with their hashes
        self._deferred: set[str] = set()  # files, as far as the index does not tell it before
        self._unfit: set[str] = set()  # files below which no layer does
        self._sought: set[str] = set()  # files below which an earlier watch may have made one that does
        self._made: list[tuple[int, Layer]] = []  # the number of files, and the layer; the newest first
        self._thread: threading.Thread | None = None
        self._cancelled = threading.Event()

    def best(self, base: Layer, states: Mapping[str, FileState]) -> Layer | None:
        """The layer on ``base`` with most of the project, of those whose sources have not changed.

        ``states`` are those of the project's files.
        """
        self._stand_on(base, states)
        fit = [(files, layer) for files, layer in self._made if layer.is_current()]
        return max(fit, key=itemgetter(0))[1] if fit else None

    def begin(
        self,
        base: Layer,
        index: Path,
        files: Sequence[str],
        edited: Collection[str],
        states: Mapping[str, FileState],
    ) -> None:
        """Start making the layer below the first of the ``edited`` files, unless one is there or being made.

        ``index`` is that of the project, ``files`` are its sources, in the order of loading, and ``states``
        are those of its files when they were loaded.
        """
        if self._thread is not None and self._thread.is_alive():
            return
        self._stand_on(base, states)
        places = [place for place, path in enumerate(files) if path in edited and path not in self._unfit]
        if places and min(places) >= _FEWEST_FILES and not self._have(base, files, min(places)):
            arguments = (base, index, files, min(places), states, self._definitions)
            self._thread = threading.Thread(
                target=self._make, args=arguments, name="oblist part", daemon=True
            )
            self._thread.start()

    def _have(self, base: Layer, files: Sequence[str], edited: int) -> bool:
        """Whether the layer is there; an earlier watch may have made it."""
        if any(one == edited and layer.is_current() for one, layer in self._made):
            return True
        layer = None if files[edited] in self._sought else find_part(base, files[edited], self._definitions)
        self._sought.add(files[edited])
        if layer is None:
            return False
        self._deferred |= set(layer.facts.deferred)
        self._keep(edited, layer)
        return True

    def _keep(self, edited: int, layer: Layer) -> None:
        others = (one for one in self._made if one[1].core != layer.core)
        self._made = [(edited, layer), *others][:_MOST]

    def _stand_on(self, base: Layer, states: Mapping[str, FileState]) -> None:
        """Forget the layers on another base, or with other definitions of the project's systems."""
        definitions = {path: _hash(path) for path in states if path.lower().endswith(".asd")}
        if (base.identity, definitions) != (self._base, self._definitions):
            self._base, self._definitions = base.identity, definitions
            self._made, self._unfit, self._sought = [], set(), set()

    def drop(self, layer: Layer, *, unfit: bool) -> None:
        """Forget a layer that did not do; if it is ``unfit``, none is made at its place any more."""
        self._made = [one for one in self._made if one[1] is not layer]
        if unfit:
            self._unfit.add(layer.facts.below)

    def wait(self) -> None:
        """Wait until what is being made is made."""
        if self._thread is not None:
            self._thread.join()

    def cancel(self, seconds: float) -> None:
        """Make no more; wait until what is being made has been given up, for ``seconds`` at most."""
        self._cancelled.set()
        if self._thread is not None:
            self._thread.join(seconds)

    def _made_below(
        self, base: Layer, index: Path, files: Sequence[str], edited: int, definitions: Inputs
    ) -> Layer:
        """The layer, which says of its files what ``index`` says; where it would not, they are deferred."""
        split = split_below(index, files, edited, self._deferred)

        def image(core: Path) -> RefreshImage:
            return RefreshImage(
                base,
                self._systems,
                self._setup,
                changed=(),
                core=core,
                split=split,
                cancelled=self._cancelled,
            )

        def check(made: Path) -> None:
            if others := differing_owners(index, made, files[:edited]):
                raise UnfitLayerError(f"{min(others)} would belong to another system in the layer.")
            own = [path for path in files[:edited] if path not in split.deferred]
            if more := differing_files(index, made, own):
                self._deferred |= more
                raise UnfitLayerError(f"The layer and the index disagree about {min(more)}.")

        try:
            return make_part(base, split, definitions, image, check)
        except UnfitLayerError:
            before = split.deferred
            split = split_below(index, files, edited, self._deferred)
            if split.deferred == before:
                self._unfit.add(files[edited])
                raise
            return make_part(base, split, definitions, image, check)

    def _make(
        self,
        base: Layer,
        index: Path,
        files: Sequence[str],
        edited: int,
        states: Mapping[str, FileState],
        definitions: Inputs,
    ) -> None:
        try:
            layer = self._made_below(base, index, files, edited, definitions)
        except (IndexerError, SbclError, OSError, sqlite3.DatabaseError):
            return  # the next lower layer serves
        # A file that was saved meanwhile may have been loaded as it was, with the hash of the new text.
        same = all(file_state(path) == states[path] for path in layer.inputs if path in states)
        if same and (base.identity, definitions) == (self._base, self._definitions):
            self._keep(edited, layer)
