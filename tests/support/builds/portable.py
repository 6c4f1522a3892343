"""The portable producer, run in a Lisp, and what two indexes say of the same packages."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from oblist.indexer.build.from_records import index_from_records
from oblist.lisp.sbcl import lisp_string
from oblist.lisp.sources import SOURCES

PRODUCER = SOURCES / "portable" / "producer.lisp"
_SECONDS = 1500
_EXPORTED = """
SELECT packages.name, symbols.name FROM presences JOIN symbols ON symbols.id = symbol_id
JOIN packages ON packages.id = presences.package_id
WHERE status = 'external' AND packages.name IN (SELECT value FROM json_each(?))
"""
_DEFINED = """
SELECT packages.name, symbols.name, operator, kind, qualifiers, specializers, arglist
FROM definitions JOIN symbols ON symbols.id = symbol_id JOIN packages ON packages.id = symbols.package_id
WHERE exported AND packages.name IN (SELECT value FROM json_each(?))
"""


class Defined(NamedTuple):
    """A definition by its names, without what is known of it."""

    package: str
    name: str
    operator: str | None
    kind: str
    qualifiers: str | None
    specializers: str | None


def index_by_producer(
    command: Sequence[str], folder: Path, systems: Sequence[str], folders: Sequence[Path] = ()
) -> Path:
    """The index of what the producer writes in the Lisp that ``command`` starts.

    Its last word is the option before a form. The systems are found in ``folders`` only.
    """
    records = folder / "image.records"
    arguments = " ".join(map(lisp_string, (records, *systems)))
    places = " ".join(f"(:directory {lisp_string(f'{one}/')})" for one in folders)
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "CL_SOURCE_REGISTRY": f"(:source-registry {places} :ignore-inherited-configuration)",
    }
    *start, before_form = command
    forms = [f"(load {lisp_string(PRODUCER)})", f"(oblist-records:dump-systems {arguments})"]
    words = [word for form in forms for word in (before_form, form)]
    done = subprocess.run(
        [*start, *words],
        env=environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    assert records.exists(), done.stdout[-3000:] + done.stderr[-3000:]
    index = folder / "oblist.db"
    with records.open("rb") as stream:
        index_from_records(index, stream, records.name, command="tests")
    return index


def exported(index: Path, packages: str) -> set[tuple[str, str]]:
    """The exported names of ``packages``, a JSON array."""
    with closing(sqlite3.connect(index)) as connection:
        return {(package, name) for package, name in connection.execute(_EXPORTED, [packages])}


def defined(index: Path, packages: str) -> dict[Defined, str | None]:
    """The lambda list of each definition of an exported name of ``packages``, a JSON array."""
    with closing(sqlite3.connect(index)) as connection:
        return {Defined(*row[:-1]): row[-1] for row in connection.execute(_DEFINED, [packages])}
