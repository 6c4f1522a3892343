"""The generator of large indexes, at a small size: sound, as large as asked, the same for the same seed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from growth.generate import NoRoomError, check_room, generate
from growth.material import Material
from growth.parts import TooSmallError
from growth.stream import GrowthStream
from oblist.indexer.check.contradictions import contradictions
from support.builds.tested_version import since

ONE_WORLD, WORLDS = 7_000, 12_000
_NOT_THE_ROWS = "name = 'meta' OR name LIKE '%_fts%'"


@pytest.fixture(scope="module")
def small_base(bare_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index with the packages that all others use, and a part of a world: what larger ones are made of."""
    path = tmp_path_factory.mktemp("growth") / "base.db"
    generate(bare_index, path, ONE_WORLD)
    return path


@pytest.fixture(scope="module")
def grown(small_base: Path) -> Path:
    """An index with several worlds."""
    path = small_base.with_name("grown.db")
    generate(small_base, path, WORLDS)
    return path


def rows(path: Path, statement: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(statement).fetchall()


def tables(path: Path) -> Iterator[str]:
    found = rows(path, f"SELECT name FROM sqlite_master WHERE type = 'table' AND NOT ({_NOT_THE_ROWS})")
    assert len(found) > 25
    return (str(name) for (name,) in found)


@pytest.mark.parametrize("which", ["small_base", "grown"])
def test_a_grown_index_is_sound(which: str, request: pytest.FixtureRequest) -> None:
    with closing(sqlite3.connect(request.getfixturevalue(which))) as connection:
        assert contradictions(connection) == []


def test_a_grown_index_has_as_many_symbols_as_asked(small_base: Path, grown: Path) -> None:
    for path, number in ((small_base, ONE_WORLD), (grown, WORLDS)):
        assert rows(path, "SELECT count(*) FROM symbols") == [(number,)]


def test_the_same_seed_gives_the_same_rows(small_base: Path, grown: Path) -> None:
    again = grown.with_name("again.db")
    generate(small_base, again, WORLDS)
    for table in tables(grown):
        statement = f"SELECT * FROM {table}"
        assert rows(grown, statement) == rows(again, statement), table


def test_another_seed_gives_other_names(small_base: Path) -> None:
    streams = [GrowthStream(Material(small_base), WORLDS, seed) for seed in (1, 2)]
    first, second = (
        {row[0] for part in stream.parts.worlds for one in stream._symbols(part) for row in one.rows}
        for stream in streams
    )
    assert first - second and second - first


def test_what_all_share_has_more_users_and_the_rest_as_many(small_base: Path, grown: Path) -> None:
    users = """
        SELECT packages.name || ':' || symbols.name, max(used_symbols.total) FROM used_symbols
        JOIN symbols ON symbols.id = symbol_id JOIN packages ON packages.id = package_id GROUP BY 1
    """
    before, after = dict(rows(small_base, users)), dict(rows(grown, users))
    # SBCL 2.6 records fewer of the uses of CAR in its own code than 2.2 does.
    growth = 1.25 if since("2.6") else 1.3
    assert after["COMMON-LISP:CAR"] > growth * before["COMMON-LISP:CAR"]  # type: ignore[operator]
    local = [
        name
        for name in before
        if str(name).startswith(("SB-BIGNUM:", "SB-C:", "SB-IMPL:", "SB-PCL:", "SB-VM:"))
    ]
    assert local and {name: before[name] for name in local} == {name: after[name] for name in local}


def test_names_do_not_just_repeat(grown: Path) -> None:
    ((symbols, names),) = rows(grown, "SELECT count(*), count(DISTINCT name) FROM symbols")
    assert names > 0.75 * symbols  # type: ignore[operator]
    packages = rows(grown, "SELECT name FROM packages")
    # With SBCL 2.0.11, 13 were counted.
    assert len({*packages}) == len(packages) > (2 * 8 if since("2.2") else 2 * 6)


def test_uses_are_in_the_order_of_their_callers(grown: Path) -> None:
    """By operator and relation, then the package of the caller, as a real index has them."""
    found = rows(
        grown,
        """
        SELECT used.callee_id, used.callee_operator, used.relation_id, coalesce(packages.name, '~')
        FROM symbol_references AS used JOIN callers ON callers.id = used.caller_id
        LEFT JOIN definitions ON definitions.id = callers.definition_id
        LEFT JOIN symbols ON symbols.id = definitions.symbol_id
        LEFT JOIN packages ON packages.id = symbols.package_id ORDER BY used.id
        """,
    )
    assert len(found) > 50_000
    runs = [found[0]]
    runs += [row for before, row in pairwise(found) if row != before]
    assert len({*runs}) == len(runs), "a package of callers is in one place"
    assert all(
        before[3] < row[3]  # type: ignore[operator]
        for before, row in pairwise(runs)
        if before[:3] == row[:3]
    )


def test_a_size_below_that_of_what_all_share_is_refused(bare_index: Path, tmp_path: Path) -> None:
    with pytest.raises(TooSmallError, match="too few"):
        generate(bare_index, tmp_path / "none.db", 100)
    assert not any(tmp_path.iterdir())


def test_a_disk_with_too_little_room_is_told_of_before_the_start(
    small_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = os.statvfs(tmp_path)
    monkeypatch.setattr(os, "statvfs", lambda _: there.__class__((*there[:3], 0, 0, *there[5:])))
    with pytest.raises(NoRoomError, match=r"takes about 0\.\d GB, but .* has 0\.0 GB left"):
        check_room(Material(small_base), 50_000, tmp_path)
