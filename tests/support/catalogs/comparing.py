"""Comparing catalogs, and building small ones by the command."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from oblist.indexer.check.differences import differences
from support.builds.build_cache import kept
from support.catalogs.libraries import SECONDS, write_libraries
from support.command import oblist

FEW = ("first/shapes-1.0", "second/shapes-2.0", "first/drawing", "first/inferred")
MORE = (*FEW, "first/tool", "first/with-tool")
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
    for (place, mine), (same, theirs) in pairs:
        assert place == same
        if with_slices:
            with opened(mine) as first, opened(theirs) as second:
                assert list(differences(first, second)) == [], place


def one_job() -> Path:
    """A folder with the libraries MORE as ``sources``, and ``one.db``, the catalog that one job makes."""
    return kept("one-job", _make_with_one_job)


def _make_with_one_job(folder: Path) -> None:
    write_libraries(folder / "sources", MORE)
    build(folder, folder / "one", "--jobs", "1")


def arguments(sources: Path, target: Path, *options: str) -> list[str]:
    """The arguments of a build of the libraries in ``sources``: ``target``.db, with a store beside it."""
    roots = [f"--below={sources / 'sources' / root}" for root in ("first", "second")]
    paths = [f"--catalog={target}.db"]
    if not any(one.startswith("--store") for one in options):
        paths.append(f"--store={target}-store")
    return ["catalog", "build", *roots, *paths, f"--load-timeout={SECONDS}", "--memory=512", *options]


def build(sources: Path, target: Path, *options: str) -> str:
    """Build the catalog; returns what the command printed."""
    done = oblist(*arguments(sources, target, *options))
    assert done.returncode == 1, done.stderr  # drawing-extras lacks a dependency
    assert "drawing-extras" in done.stderr
    return done.stdout + done.stderr
