"""Records -> one complete index: alone, or what is newer than a layer on a copy of the layer's index."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ..check.contradictions import broken_rules
from ..copying import copy_file
from ..records import Loaded, Problem, Record
from ..write.assemble import contradiction, no_garbage_collection, told, write_index
from ..write.counts import counts
from ..write.engine import engine_writing
from ..write.facts import Build, moment
from .core_and_index import Layer
from .translator import Fixed, Translator

_NO_TEXTS: Mapping[str, str] = {}
NO_PART = Fixed(sys.maxsize)  # the base has no part of a project


@dataclass(frozen=True, slots=True)
class WrittenIndex:
    """The rows of an index that was written, what did not load, and symbols that are left to those above.

    ``loaded`` are the systems loaded above a layer, with their files.
    """

    counts: dict[str, int]
    not_loaded: list[Problem]
    deferred: Sequence[int] = ()
    loaded: Sequence[Loaded] = ()


def write_on(
    base: Layer | None,
    new: Path,
    records: Iterable[Record],
    build: Build,
    progress: Callable[[str], None],
    *,
    more_facts: Callable[[list[str]], dict[str, str]] = lambda _: {},
    store_sources: bool = True,
    fixed: Fixed | None = NO_PART,
) -> WrittenIndex:
    """Write ``records`` as a complete index to the file ``new``: with ``base``, on a copy of the layer's.

    The records are then of what is newer than the layer, which has the text of sources; ``store_sources``
    counts without one. ``more_facts`` is called at the end with the definition files of all systems, for
    further rows of meta; ``fixed`` is as for a translator. Rows that contradict each other become problems.
    Raises UnfitLayerError when the layer will not do, ContradictionError, and whatever the driver raises.
    """
    if base is not None:
        return _write_above(base, new, records, build, progress, more_facts, fixed)
    new.unlink(missing_ok=True)
    writer = write_index(
        new,
        records,
        build,
        progress,
        store_sources=store_sources,
        more_facts=lambda writer: more_facts(writer.definition_paths),
    )
    return WrittenIndex(writer.counts, writer.not_loaded)


def _write_above(
    base: Layer,
    new: Path,
    records: Iterable[Record],
    build: Build,
    progress: Callable[[str], None],
    more_facts: Callable[[list[str]], dict[str, str]],
    fixed: Fixed | None,
) -> WrittenIndex:
    copy_file(base.index, new)  # while the image loads
    not_loaded: list[Problem] = []
    loaded: list[Loaded] = []
    with translator_on(new, fixed=fixed) as translator, no_garbage_collection():
        for record in told(records, translator.counts, progress):
            if isinstance(record, Problem) and record.stage == "load":
                not_loaded.append(record)
            elif isinstance(record, Loaded):
                loaded.append(record)
            translator.write(record)
        progress("checking the index")
        for what, examples in broken_rules(translator.raw):
            translator.write(contradiction(what, examples))
        translator.flush()
        translator.conclude(
            {
                **build.facts(),
                "features": " ".join(translator.header.features),
                "built": moment(datetime.now(UTC)),
                **more_facts(_definition_paths(translator.raw)),
                "complete": "1",
            }
        )
        return WrittenIndex(counts(translator.raw), not_loaded, translator.deferred, loaded)


@contextmanager
def translator_on(
    new: Path,
    *,
    store_sources: bool = True,
    texts: Mapping[str, str] = _NO_TEXTS,
    fixed: Fixed | None = None,
) -> Iterator[Translator]:
    """A translator that writes to ``new``, a copy of a layer's index; ``texts`` is for the writer.

    ``fixed`` is as for the translator.
    """
    with engine_writing(new).connect() as connection:
        yield Translator(connection, store_sources=store_sources, texts=texts, fixed=fixed)


def part_below(layer: Layer) -> Fixed:
    """What does not change of a ``layer`` with a part of a project."""
    facts = layer.facts
    return Fixed(facts.symbols_below or 0, set(facts.expected), facts.owners)


def _definition_paths(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute("SELECT definition_path FROM systems WHERE definition_path IS NOT NULL")
    return [path for (path,) in rows]
