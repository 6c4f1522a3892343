"""Comparing catalogs, and building small ones by the command: of sources that libraries() has made before."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from oblist.indexer.catalog.build import CatalogRequest, build_catalog
from oblist.indexer.catalog.store.results import Store
from oblist.indexer.check.differences import differences
from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl
from support.catalogs import seeds
from support.catalogs.libraries import libraries
from support.catalogs.seeds import MEGABYTES, seed_store
from support.command_line import run_main

# What depends on nothing, so that all of it is made from one base; what needs one more; and two more.
PLAIN = ("first/shapes-1.0", "second/shapes-2.0", "first/broken")
FEW = (*PLAIN, "first/inferred")
MORE = (*FEW, "first/drawing", "first/tool", "first/with-tool")
_LOAD_SECONDS = 100  # nothing here hangs
_RESULTS = ("slices", "rows", "reports", "surveys", "costs")
_SHOWN = 10


@contextmanager
def opened(path: str | Path) -> Iterator[sqlite3.Connection]:
    """An index or a catalog, to be read."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        yield connection


def rows(catalog: Path, statement: str, *values: object) -> list[tuple[object, ...]]:
    with opened(catalog) as connection:
        return connection.execute(statement, values).fetchall()


def natural(catalog: Path) -> dict[str, list[tuple[object, ...]]]:
    """The rows of a catalog by names: without numbers, times and keys."""
    place = "(SELECT releases.name || releases.place FROM releases WHERE releases.id = {})"
    release = place.format("release_id")
    home = "JOIN packages ON packages.id = symbols.package_id"
    of_definition = f"JOIN symbols ON symbols.id = definitions.symbol_id {home}"
    statements = {
        "releases": """SELECT name, version, newest, state, place, root, packages, symbols, exports,
                              definitions, called, about FROM releases""",
        "systems": f"SELECT name, version, state, {release} FROM release_systems",
        "dependencies": f"SELECT relation, name, {place.format('system_id')} FROM system_dependencies",
        "names": f"SELECT name, package, type, status, {release} FROM release_names",
        "uses": f"SELECT package, name, uses, {release} FROM release_uses",
        "problems": f"SELECT subject, message, {release} FROM release_problems",
        "packages": f"SELECT name, documentation, locked, {place.format('system_id')} FROM packages",
        "definitions": f"""SELECT symbols.name, packages.name, kind, arglist, ftype, called, about,
                           definitions.documentation, {place.format("packages.system_id")}
                           FROM definitions {of_definition}""",
        "signatures": f"""SELECT symbols.name, packages.name, argument_types, result_types FROM signatures
                          JOIN definitions ON definitions.id = signatures.id {of_definition}""",
        "superclasses": f"""SELECT symbols.name, packages.name, position, above.name
                            FROM class_superclasses JOIN definitions ON definitions.id = class_id
                            {of_definition}
                            JOIN symbols AS above ON above.id = class_superclasses.symbol_id""",
        "specializers": f"""SELECT symbols.name, packages.name, position, eql FROM method_specializers
                            JOIN definitions ON definitions.id = definition_id {of_definition}""",
    }
    return {name: sorted(rows(catalog, text), key=repr) for name, text in statements.items()}


def slices(catalog: Path) -> list[tuple[str, str]]:
    """Place and slice of each release that has one."""
    found = rows(catalog, "SELECT place, slice FROM releases WHERE slice IS NOT NULL ORDER BY place")
    return [(str(place), str(slice_)) for place, slice_ in found]


def assert_equal(one: Path, other: Path, *, with_slices: bool = True) -> None:
    """Fail unless two catalogs, and the slices that they name, are equal by natural keys."""
    left, right = natural(one), natural(other)
    assert left["definitions"]
    for name in left:
        differ = set(left[name]) ^ set(right[name])
        assert left[name] == right[name], (name, sorted(differ, key=repr)[:_SHOWN])
    pairs = list(zip(slices(one), slices(other), strict=True))
    assert len(pairs) > 3
    compared = 0
    for (place, mine), (same, theirs) in pairs:
        assert place == same
        if with_slices and not _is_of_sbcl(mine):
            compared += 1
            with opened(mine) as first, opened(theirs) as second:
                assert list(differences(first, second)) == [], place
    assert compared or not with_slices


def _is_of_sbcl(slice_: str) -> bool:
    """Whether a slice is SBCL's own, which all builds copy."""
    return Path(slice_).name.startswith("sbcl-")


def places_of(names: Sequence[str]) -> list[Path]:
    """The folders of the libraries ``names``."""
    return [libraries().sources / name for name in names]


def reference(names: Sequence[str]) -> Path:
    """The catalog of the libraries ``names``, with the slices that one process has made; made once."""

    def make(folder: Path) -> None:
        store = Store.at(copy_of_results(folder / "store"))
        request = CatalogRequest(places_of(names))
        works = build_catalog(folder / "one.db", store, small_sbcl(), request, command="tests")
        assert all(one.outcome is not None and one.outcome.cached for one in works)

    inputs = [Path(seeds.__file__), Path(libraries.__code__.co_filename)]
    return kept("reference", make, inputs, names) / "one.db"


def copy_of_results(store: Path) -> Path:
    """A new store in the folder ``store`` with all results of libraries(), but nothing compiled."""
    for name in _RESULTS:
        shutil.copytree(libraries().store / name, store / name)
    return store


def seeded(store: Path) -> Path:
    """A new store in the folder ``store`` that has what every build begins with; see seeds.py."""
    return seed_store(libraries().folder, store)


def arguments(folders: Sequence[Path], target: Path, *options: str) -> list[str]:
    """The arguments of a build of what is in ``folders``: ``target``.db, with a store beside it."""
    paths = [f"--catalog={target}.db"]
    if not any(one.startswith("--store") for one in options):
        paths.append(f"--store={target}-store")
    fixed = [f"--sbcl={small_sbcl().path}", f"--load-timeout={_LOAD_SECONDS}", f"--memory={MEGABYTES}"]
    return ["catalog", "build", *(f"--below={one}" for one in folders), *paths, *fixed, *options]


def build(names: Sequence[str], target: Path, *options: str) -> str:
    """Build the catalog of the libraries ``names`` in this process; returns what the command printed.

    A store beside it begins with what every build begins with.
    """
    store = Path(f"{target}-store")
    if not store.exists() and not any(one.startswith("--store") for one in options):
        seeded(store)
    done = run_main(*arguments(places_of(names), target, *options))
    assert done.code == 1, done.errors  # one of them is broken
    assert "broken did not load" in done.errors or "--json" in options or "--quiet" in options
    return done.output + done.errors
