"""A layer: an index and a core, and the files that both were made from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from oblist.lisp.sbcl import Sbcl

from ..inputs import Hashes, was_saved_since

_hash = Hashes()


Inputs = dict[str, str]


@dataclass(frozen=True, slots=True)
class LayerFacts:
    """What is known of a layer: the files it was made from, with their hashes.

    It was ``started`` to be made at that second since 1970. The text of those ``doubted`` may not be the text
    that was compiled, so the layer does not do any more once they are touched.

    ``lacks_libraries`` says that a dependency of the project did not load, which may be there the next
    time, and ``ended_threads`` that threads which loading it started are not in the image.

    A layer with a part of a project ends right ``below`` a source. ``symbols_below`` is the number of symbols
    in the layer that it stands on, and ``expected`` are the symbols that may get definitions above it,
    whatever its sources mention: those that mention them are ``deferred``. The systems ``owners`` have to be
    loaded above it.

    For people, ``what`` it has, the name of the folder of our compiled ``code``, the version of ``sbcl``, and
    ``why_not`` it could be made. ``made_by`` says by which oblist, and for which format.
    """

    inputs: Inputs
    lacks_libraries: bool = False
    ended_threads: bool = False
    below: str = ""
    symbols_below: int | None = None
    expected: Sequence[int] = ()
    owners: Sequence[str] = ()
    deferred: Sequence[str] = ()
    doubted: Sequence[str] = ()
    started: float = 0.0
    what: str = ""
    code: str = ""
    sbcl: str = ""
    why_not: str = ""
    made_by: Sequence[object] = ()


@dataclass(frozen=True, slots=True)
class Split:
    """Where a layer with a part of a project ends: before the source ``below`` is loaded.

    The sources ``deferred`` among those before it mention what is defined only from there on: the symbols
    ``defined_above``, by package and name. The ``owners`` are the systems in whose folders the sources are;
    they count as loaded, since a system foo/bar may be loaded before foo.
    """

    below: str
    deferred: Sequence[str]
    owners: Sequence[str]
    defined_above: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Layer:
    """An existing layer: its index and core.

    They belong together: both number symbols in the same way.
    """

    index: Path
    core: Path
    sbcl: Sbcl
    code: Path
    facts: LayerFacts

    @property
    def inputs(self) -> Inputs:
        """The files that the layer was made from, with their hashes."""
        return self.facts.inputs

    @property
    def identity(self) -> str:
        """A hash that differs for any other layer, and for this one when it is made from other files."""
        parts = [self.index.parent.name, *sorted(self.inputs.items())]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def is_current(self) -> bool:
        """Whether the layer is there, its files have not changed, and those doubted have not been touched."""
        return (
            self.core.exists()
            and all(_hash(path) == known for path, known in self.inputs.items())
            and not any(was_saved_since(path, self.facts.started) for path in self.facts.doubted)
        )
