"""Several indexes asked together answer what each answers alone, merged as docs/several.md says.

The merging here is written by itself: from the answers of each index and, for what none of them can be asked
alone, from the rows of the files.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from oblist.query import Index, open_index
from oblist.query.catalog import Catalog, open_catalog
from oblist.query.catalog.provides.answer import SeveralProvidesAnswer
from oblist.query.index.not_found import NotFound
from oblist.query.index.relations import RECORDED
from oblist.query.indexes import Indexes, open_indexes
from oblist.query.questions.apropos.ask import apropos
from oblist.query.questions.apropos.parameters import AproposParameters
from oblist.query.questions.apropos.several_answer import SeveralAproposAnswer
from oblist.query.questions.describe.answer import DescribeAnswer
from oblist.query.questions.describe.several_answer import SeveralDescribeAnswer
from oblist.query.questions.search.answer import SearchAnswer
from oblist.query.questions.search.several_answer import SeveralSearchAnswer
from oblist.query.questions.xref.answer import ReferenceAnswer, XrefAnswer
from oblist.query.questions.xref.several_answer import SeveralXrefAnswer
from support.catalogs.libraries import libraries

LADDER = ["exact", "prefix", "word", "infix", "documentation", "some words"]
RELATIONS = [
    *("calls", "macroexpands", "references", "sets", "binds", "specializes", "instantiates", "handles"),
    *("tests", "declares", "inherits", "exports", "imports", "names", "mentions", "defines"),
]


class Asked(NamedTuple):
    """Indexes opened together, and each of them opened alone."""

    together: Indexes
    alone: list[Index]
    catalog: Catalog | None

    @property
    def paths(self) -> list[str]:
        return [str(one.path) for one in (*self.alone, *([self.catalog] if self.catalog else []))]


def _opened(paths: Sequence[Path], catalog: Path | None) -> Iterator[Asked]:
    with ExitStack() as opened:
        together = opened.enter_context(open_indexes(paths, catalog=catalog))
        alone = [opened.enter_context(open_index(path)) for path in paths]
        beside = opened.enter_context(open_catalog(catalog)) if catalog else None
        yield Asked(together, alone, beside)


def slice_of(release: str) -> Path:
    with open_catalog(libraries().catalog) as catalog:
        found = catalog.slice_of(release)
    assert isinstance(found, Path)
    return found


@pytest.fixture(scope="module")
def small(bare_index: Path) -> Iterator[Asked]:
    """Two slices, the second of which uses the first, and SBCL; and the catalog."""
    yield from _opened(
        [slice_of("shapes@1.0"), slice_of("drawing"), bare_index, slice_of("shapes@2.0")], libraries().catalog
    )


@pytest.fixture(scope="module")
def large(bare_index: Path, libraries_index: Path) -> Iterator[Asked]:
    """SBCL twice: with libraries, and without; no catalog."""
    yield from _opened([bare_index, libraries_index, slice_of("drawing")], None)


@pytest.fixture(params=["small", "large"])
def asked(request: pytest.FixtureRequest) -> Asked:
    opened = request.getfixturevalue(request.param)
    assert isinstance(opened, Asked)
    return opened


def without_none(answers: Sequence[Any]) -> list[Any]:
    return [one for one in answers if not isinstance(one, NotFound)]


def page(found: list[Any], limit: int, offset: int) -> list[Any]:
    return found[offset:][: limit or None]


def rows(reading: Index | Catalog, statement: str, *values: object) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"file:{reading.path}?mode=ro", uri=True)) as connection:
        return connection.execute(statement, values).fetchall()


def first_refusal(answers: Sequence[Any]) -> tuple[str, str]:
    """The error and message of the first that knows the package."""
    refusals = sorted(answers, key=lambda one: one.error == "package-not-found")
    return refusals[0].error, refusals[0].message


# apropos


_EXPORTS = """
SELECT DISTINCT symbols.name, home.name, lower(symbols.type), 'external' FROM symbols
JOIN packages AS home ON home.id = symbols.package_id
JOIN presences ON presences.symbol_id = symbols.id AND presences.status = 'external'
JOIN packages ON packages.id = presences.package_id
LEFT JOIN package_nicknames ON package_nicknames.package_id = packages.id
WHERE ? IN (packages.name, nickname)"""


def catalog_matches(
    catalog: Catalog, pattern: str, package: str | None, kind: str | None
) -> list[tuple[str, ...]]:
    if package is None:
        answer = apropos(catalog, AproposParameters(pattern, type=kind))
        assert not isinstance(answer, NotFound)
        return [(one.name, one.package, one.type, one.status) for one in answer.matches]
    found = rows(catalog, _EXPORTS, package.upper())
    return [one for one in found if pattern.upper() in one[0] and kind in (None, one[2])]


def apropos_by_hand(
    asked: Asked, pattern: str, package: str | None = None, kind: str | None = None, scope: str = "accessible"
) -> list[tuple[tuple[str, ...], list[str]]]:
    """All matches as name, package, type, status, with the paths that have them."""
    answers = [one.apropos(pattern, package, kind, scope=scope) for one in asked.alone]
    lists: list[list[tuple[str, ...]]] = []
    for answer in answers:
        found = [] if isinstance(answer, NotFound) else answer.matches
        lists.append([(one.name, one.package, one.type, one.status) for one in found])
    if asked.catalog:
        lists.append(catalog_matches(asked.catalog, pattern, package, kind))
    union: dict[tuple[str, str], tuple[tuple[str, ...], list[str]]] = {}
    for path, matches in zip(asked.paths, lists, strict=True):
        for match in matches:
            _, paths = union.setdefault((match[0], match[1]), (match, []))
            if path not in paths:
                paths.append(path)
    return [union[key] for key in sorted(union)]


@pytest.mark.parametrize(
    "question",
    [
        {"pattern": "area"},
        {"pattern": "ink"},
        {"pattern": "map"},
        {"pattern": "a"},
        {"pattern": ""},
        {"pattern": "zyzzyva"},
        {"pattern": "SHAPE", "package": "drawing"},
        {"pattern": "", "package": "drawing", "scope": "present"},
        {"pattern": "", "package": "shp", "scope": "external"},
        {"pattern": "", "package": "inferred/part"},
        {"pattern": "hash", "package": "cl", "kind": "macro"},
        {"pattern": "hash", "package": "sb-impl", "kind": "function"},
        {"pattern": "r", "kind": "class"},
        {"pattern": "a", "package": "alexandria", "kind": "function"},
    ],
    ids=repr,
)
@pytest.mark.parametrize(("limit", "offset"), [(0, 0), (3, 0), (2, 1), (5, 1000)])
def test_apropos(asked: Asked, question: dict[str, str], limit: int, offset: int) -> None:
    scope = question.get("scope", "accessible")
    pattern, package, kind = question["pattern"], question.get("package"), question.get("kind")
    answer = asked.together.apropos(pattern, package, kind, scope=scope, limit=limit, offset=offset)
    expected = apropos_by_hand(asked, pattern, package, kind, scope)
    if isinstance(answer, NotFound):
        alone = [one.apropos(pattern, package, kind) for one in asked.alone]
        assert expected == [] and first_refusal(alone) == (answer.error, answer.message)
        return
    assert isinstance(answer, SeveralAproposAnswer)
    assert answer.total == len(expected)
    found = [((one.name, one.package, one.type, one.status), one.indexes) for one in answer.matches]
    assert found == page(expected, limit, offset)
    assert answer.indexes == {path: sum(path in have for _, have in expected) for path in asked.paths}


def test_the_questions_to_apropos_are_of_all_sorts(small: Asked, large: Asked) -> None:
    """In one index, in several, in none; and in a package that only some know."""
    having = [len(paths) for _, paths in apropos_by_hand(small, "")]
    assert {1, 2} <= set(having) and max(having) > 2
    assert apropos_by_hand(small, "zyzzyva") == []
    assert apropos_by_hand(small, "", "drawing") and apropos_by_hand(large, "a", "alexandria", "function")
    assert isinstance(small.alone[2].apropos("", "drawing"), NotFound)
    assert isinstance(small.together.apropos("a", "alexandria"), NotFound)


# search


def search_by_hand(asked: Asked, query: str) -> list[tuple[tuple[str, str], str, list[str], list[str]]]:
    """Written form and type, kind of match, paths and releases of all matches.

    The heads of the lists are taken one after another.
    """
    lists: list[list[Any]] = []
    for one in asked.alone:
        answer = one.search(query, limit=0)
        lists.append([] if isinstance(answer, NotFound) else [*answer.matches])
    if asked.catalog:
        beside = asked.catalog.search(query, limit=0)
        lists.append([] if isinstance(beside, NotFound) else [*beside.matches])
    taken, worst = [0] * len(lists), [0] * len(lists)
    found: dict[tuple[str, str], tuple[tuple[str, str], str, list[str], list[str]]] = {}
    while heads := [number for number, matches in enumerate(lists) if taken[number] < len(matches)]:
        for number in heads:
            kind = lists[number][taken[number]].match
            worst[number] = max(worst[number], LADDER.index(kind) if kind in LADDER else 0)
        best = min(heads, key=lambda number: (worst[number], taken[number], number))
        match = lists[best][taken[best]]
        taken[best] += 1
        key = match.written, match.type
        _, _, paths, releases = found.setdefault(key, (key, match.match, [], []))
        if asked.paths[best] not in paths:
            paths.append(asked.paths[best])
        if hasattr(match, "release"):
            releases += [one for one in (match.release, *match.other_versions) if one]
    return list(found.values())


@pytest.mark.parametrize(
    "query",
    [
        "area",
        "shape",
        "hash table",
        "make hash table",
        "remove duplicates from a list",
        "paint on the canvas",
        "length around",
        "internal helper",
        "zyzzyva",
        "area :: square",
        ":: (symbol, package) -> boolean",
        ":: string -> pathname",
    ],
)
@pytest.mark.parametrize(("limit", "offset"), [(0, 0), (4, 0), (3, 2)])
def test_search(asked: Asked, query: str, limit: int, offset: int) -> None:
    answer = asked.together.search(query, limit=limit, offset=offset)
    expected = search_by_hand(asked, query)
    if isinstance(answer, NotFound):
        assert not without_none([one.search(query) for one in asked.alone])
        return
    assert isinstance(answer, SeveralSearchAnswer)
    assert answer.total == len(expected)
    found = [((one.written, one.type), one.match, one.indexes, one.releases) for one in answer.matches]
    assert found == page(expected, limit, offset)
    assert answer.indexes == {path: sum(path in one[2] for one in expected) for path in asked.paths}


def test_search_keeps_the_order_of_each_index(asked: Asked) -> None:
    seen = 0
    for query in ("hash table", "make hash table", "shape", "delete an entry"):
        answer = asked.together.search(query, limit=0)
        assert isinstance(answer, SeveralSearchAnswer)
        for one in asked.alone:
            alone = one.search(query, limit=0)
            assert isinstance(alone, SearchAnswer)
            own = [(match.written, match.type) for match in alone.matches]
            best = {
                (match.written, match.type) for match in answer.matches if match.indexes[0] == str(one.path)
            }
            merged = [
                (match.written, match.type) for match in answer.matches if (match.written, match.type) in best
            ]
            assert merged == [key for key in own if key in best]
            seen += len(merged)
    assert seen > 100


def test_search_says_that_nothing_has_all_words_only_if_nothing_has(small: Asked) -> None:
    alone = [one.search("paint canvas") for one in small.alone]
    assert any(isinstance(one, SearchAnswer) and not one.total for one in alone)
    answer = small.together.search("paint on a canvas with ink")
    assert isinstance(answer, SeveralSearchAnswer)
    assert "nothing matches all" not in answer.understood
    assert answer.matches[0].written == "drawing:draw"


def test_search_says_which_index_could_not_search(small: Asked, bare_index: Path) -> None:
    answer = small.together.search(":: (square)")
    assert isinstance(answer, SeveralSearchAnswer) and answer.total
    alone = small.alone[2].search(":: (square)")
    assert isinstance(alone, NotFound)
    assert f"{bare_index}: {alone.message}" in (answer.note or "")
    nowhere = small.together.search(":: (zyzzyva)")
    assert isinstance(nowhere, NotFound)
    assert str(bare_index) in (nowhere.reason or "")


# xref


def places(index: Index) -> dict[str, tuple[str, str]]:
    """The root, and the path below it, of each source file."""
    statement = """SELECT source_files.path, roots.name, relative_path FROM source_files
                   JOIN roots ON roots.id = root_id"""
    return {path: (root, below) for path, root, below in rows(index, statement)}


def use_key(use: ReferenceAnswer, below: dict[str, tuple[str, str]]) -> tuple[object, ...]:
    """What is the same in two indexes; the forms of names differ where one does not export them."""
    place = below.get(use.path, use.path) if use.path else None
    names = [name.replace("::", ":") for name in (use.callee, use.caller)]
    return (use.relation, *names, use.caller_kind, place, use.line, use.column)


def numbered(keys: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """Keys that occur several times are told apart by number."""
    seen: Counter[tuple[object, ...]] = Counter()
    found = []
    for key in keys:
        seen[key] += 1
        found.append((*key, seen[key]))
    return found


XREFS: list[dict[str, Any]] = [
    {"name": "shapes:area"},
    {"name": "area"},
    {"name": "shapes::helper"},
    {"name": "shapes::helper", "relation": "calls"},
    {"name": "shapes:square", "relation": "specializes"},
    {"name": "drawing:draw", "callees": True},
    {"name": "drawing:*ink*"},
    {"name": "shapes:around"},
    {"name": "mapcar"},
    {"name": "car", "relation": "calls"},
    {"name": "package-used-by-list"},
    {"name": "hash-table-count", "callees": True},
    {"name": "print-object"},
    {"name": "(setf gethash)"},
    {"name": "alexandria:flatten"},
    {"name": "defmethod"},
    {"name": "no-such-name"},
    {"name": "no-such-package:name"},
]


@pytest.mark.parametrize("question", XREFS, ids=lambda one: "-".join(map(str, one.values())))
def test_xref(asked: Asked, question: dict[str, Any]) -> None:
    answer = asked.together.xref(**question, limit=0)
    answers = [one.xref(**question, limit=0) for one in asked.alone]
    if isinstance(answer, NotFound):
        assert not without_none(answers) and first_refusal(answers) == (answer.error, answer.message)
        return
    assert isinstance(answer, SeveralXrefAnswer)
    first = without_none(answers)[0]
    assert (answer.name, answer.package, answer.written) == (first.name, first.package, first.written)
    below: dict[str, tuple[str, str]] = {}
    for one in asked.alone:
        below |= places(one)
    merged = numbered([use_key(one, below) for one in answer.references])
    union: set[tuple[object, ...]] = set()
    for index, alone in zip(asked.alone, answers, strict=True):
        if isinstance(alone, XrefAnswer):
            own = [use_key(one, below) for one in alone.references]
            union |= set(numbered(own))
            having = [one for one in answer.references if str(index.path) in one.indexes]
            assert [use_key(one, below) for one in having] == own, "the order of each index is kept"
            assert answer.indexes[str(index.path)] == alone.total
        else:
            assert answer.indexes[str(index.path)] == 0
    assert Counter(merged) == Counter(union)
    assert answer.total == len(answer.references) == len(union)
    assert answer.relations == Counter(one.relation for one in answer.references)
    assert bool(answer.reason) == (not answer.total)
    order = [RELATIONS.index(one.relation) for one in answer.references]
    assert order == sorted(order)
    if len(without_none(answers)) == 1:
        assert (answer.callers, answer.callees) == (first.callers, first.callees)
    assert_counts(answer, below)


def assert_counts(answer: SeveralXrefAnswer, below: dict[str, tuple[str, str]]) -> None:
    if answer.direction == "callees":
        assert answer.callers is None
        assert answer.callees == len({(one.callee, one.callee_package) for one in answer.references})
        return
    callers = {
        (one.caller.replace("::", ":"), one.caller_kind, None if one.caller_kind else use_key(one, below)[4])
        for one in answer.references
        if one.relation in (RECORDED if answer.relation is None else answer.relations)
    }
    assert (answer.callers, answer.callees) == (len(callers), None)
    for relation in answer.relations:
        packages = [one.caller_package for one in answer.references if one.relation == relation]
        assert packages == sorted(packages, key=lambda name: (name is None, name or ""))


def test_the_questions_to_xref_are_of_all_sorts(small: Asked, large: Asked) -> None:
    mixed = small.together.xref("shapes:area", limit=0)
    assert isinstance(mixed, SeveralXrefAnswer)
    sizes = {len(one.indexes) for one in mixed.references}
    assert 1 in sizes and len({path for one in mixed.references for path in one.indexes}) > 1
    twice = large.together.xref("mapcar", limit=0)
    assert isinstance(twice, SeveralXrefAnswer)
    assert {len(one.indexes) for one in twice.references} >= {1, 2}
    assert max(twice.indexes.values()) <= twice.total < sum(twice.indexes.values())


@pytest.mark.parametrize(("limit", "offset"), [(1, 0), (2, 1), (7, 3), (5, 100_000)])
def test_xref_pages(asked: Asked, limit: int, offset: int) -> None:
    seen = 0
    for name in ("shapes:area", "package-used-by-list", "drawing:draw"):
        whole = asked.together.xref(name, limit=0)
        part = asked.together.xref(name, limit=limit, offset=offset)
        if isinstance(whole, SeveralXrefAnswer) and isinstance(part, SeveralXrefAnswer):
            seen += 1
            assert part.references == page(whole.references, limit, offset)
            assert (part.total, part.callers, part.relations) == (whole.total, whole.callers, whole.relations)
    assert seen


def test_releases_use_the_symbol(small: Asked) -> None:
    assert small.catalog is not None
    statement = """SELECT releases.name || coalesce('@' || version, ''), uses FROM release_uses
                   JOIN releases ON releases.id = release_id WHERE package = ? AND release_uses.name = ?"""
    seen = 0
    for name in ("shapes:area", "shapes::helper", "sb-ext:exit", "drawing:draw", "mapcar"):
        answer = small.together.xref(name)
        assert isinstance(answer, SeveralXrefAnswer)
        expected = rows(small.catalog, statement, answer.package, answer.name)
        assert sorted((one.release, one.uses) for one in answer.releases) == sorted(expected)
        assert [one.uses for one in answer.releases] == sorted((uses for _, uses in expected), reverse=True)
        assert answer.releases_total == len(expected)
        seen += len(expected)
        few = small.together.xref(name, limit=1)
        assert isinstance(few, SeveralXrefAnswer)
        assert (few.releases, few.releases_total) == (answer.releases[:1], answer.releases_total)
        for other in ({"callees": True}, {"relation": "calls"}):
            without = small.together.xref(name, **other)  # type: ignore[arg-type]
            assert isinstance(without, SeveralXrefAnswer) and without.releases == []
    assert seen > 3


# provides


def symbols_of(index: Index, name: str, package: str | None) -> list[tuple[str, str, str]]:
    """Package, type and status of the symbols of that name that an index has more of than the name."""
    outside = index.outside or frozenset()
    numbers = index.package_numbers
    found = []
    for symbol, home, kind in rows(
        index, "SELECT id, package_id, type FROM symbols WHERE name = ? ORDER BY id", name
    ):
        defined = rows(index, "SELECT 1 FROM definitions WHERE symbol_id = ? AND kind <> 'method'", symbol)
        for where, status in rows(
            index, "SELECT package_id, status FROM presences WHERE symbol_id = ?", symbol
        ):
            named = index.package_names[where]
            brings = (defined and where == home) or (status == "external" and named not in outside)
            if brings and named != "KEYWORD" and (package is None or numbers.get(package) == where):
                found.append((named, kind.lower(), status))
    return sorted(found, key=lambda one: (one[0] != "COMMON-LISP", one[0]))


def provides_by_hand(asked: Asked, name: str) -> list[tuple[object, ...]]:
    """What has the name, where, package, type and status of all providers."""
    package, _, symbol = name.upper().replace("::", ":").rpartition(":")
    lists: list[list[tuple[object, ...]]] = []
    for index in asked.alone:
        path = str(index.path)
        own: list[tuple[object, ...]] = [
            ("symbol", path, *one) for one in symbols_of(index, symbol, package or None)
        ]
        if not package and symbol in index.package_numbers:
            exact = index.package_names[index.package_numbers[symbol]]
            if exact not in (index.outside or ()):
                own.append(("package", path, None, None, None))
        if not package and rows(index, "SELECT 1 FROM systems WHERE name = ?", name.lower()):
            own.append(("system", path, None, None, "loaded"))
        lists.append(own)
    if asked.catalog:
        answer = asked.catalog.provides(name)
        found = [] if isinstance(answer, NotFound) else answer.providers
        lists.append([(one.what, one.release, one.package, one.type, one.status) for one in found])
    everything = [one for found in lists for one in found]
    exports = [one for one in everything if one[0] == "symbol" and one[-1] == "external"]
    internals = [one for one in everything if one[0] == "symbol" and one[-1] != "external"]
    return [*exports, *(one for one in everything if one[0] != "symbol"), *internals]


@pytest.mark.parametrize(
    "name",
    [
        *("area", "shapes:area", "shp:area", "helper", "shapes::helper", "drawing", "shapes", "draw", "car"),
        *("cl:car", "sb-ext", "alexandria", "flatten", "hash-table-count", "print-object", "zyzzyva"),
    ],
)
@pytest.mark.parametrize(("limit", "offset"), [(0, 0), (2, 0), (1, 1)])
def test_provides(asked: Asked, name: str, limit: int, offset: int) -> None:
    answer = asked.together.provides(name, limit=limit, offset=offset)
    expected = provides_by_hand(asked, name)
    if isinstance(answer, NotFound):
        assert expected == [] and answer.message == f"Nothing provides {name}"
        return
    assert isinstance(answer, SeveralProvidesAnswer)
    found = [
        (one.what, one.release or one.index, one.package, one.type, one.status) for one in answer.providers
    ]
    assert found == page(expected, limit, offset)
    assert answer.total == len(expected)
    assert sum(answer.indexes.values()) == answer.total


def test_the_questions_to_provides_are_of_all_sorts(small: Asked) -> None:
    shapes = provides_by_hand(small, "shapes")
    assert {"package", "system"} <= {what for what, *_ in shapes}
    assert {status for *_, status in provides_by_hand(small, "helper")} == {"internal"}
    assert provides_by_hand(small, "zyzzyva") == []
    assert len({where for _, where, *_ in provides_by_hand(small, "area")}) == 4


# describe


_BRINGS = """SELECT releases.name || coalesce('@' || version, '') FROM release_names
JOIN releases ON releases.id = release_id WHERE release_names.name = ? AND package = ?"""


@pytest.mark.parametrize(
    ("name", "package"),
    [
        *(("mapcar", "CL-USER"), ("shapes:area", "CL-USER"), ("area", "CL-USER"), ("area", "drawing")),
        *(("shapes::helper", "CL-USER"), ("drawing:*ink*", "CL-USER"), ("around", "shp")),
        *(("(setf gethash)", "CL"), ("(setf car)", "CL-USER"), ("alexandria:flatten", "CL-USER")),
        *(("hash-table", "sb-impl"), ("no-such-name", "CL-USER"), ("x", "no-such-package"), ("a:b:c", "CL")),
        *(("(setf shapes:area)", "CL-USER"), ("radius", "drawing"), ("pi", "CL")),
    ],
)
def test_describe(asked: Asked, name: str, package: str) -> None:
    answer = asked.together.describe(name, package)
    answers = [one.describe(name, package) for one in asked.alone]
    found = without_none(answers)
    if isinstance(answer, NotFound):
        assert not found and first_refusal(answers) == (answer.error, answer.message)
        return
    assert isinstance(answer, SeveralDescribeAnswer)
    together = [
        (one, that)
        for one, that in zip(asked.alone, answers, strict=True)
        if isinstance(that, DescribeAnswer)
    ]
    # A slice that only uses a name of another release says so.
    bringing = [
        (one, that)
        for one, that in together
        if "is a slice: it contains only those symbols of" not in (that.note or "")
    ]
    having = [(str(one.path), that.written) for one, that in bringing or together]
    own = {key: value for key, value in asdict(answer).items() if key not in ("index", "also_in")}
    assert own | {"incomplete": None} == asdict((bringing or together)[0][1]) | {"incomplete": None}
    assert answer.index == having[0][0]
    others = [(one.index, one.written) for one in answer.also_in if one.release is None]
    assert others == having[1:]
    symbol = answer.name.removeprefix("(SETF ").removesuffix(")")
    expected = rows(asked.catalog, _BRINGS, symbol, answer.package) if asked.catalog else []
    assert sorted(one.release for one in answer.also_in if one.release) == sorted(one for (one,) in expected)


def test_describe_takes_the_first_that_has_the_name(small: Asked, bare_index: Path) -> None:
    area = small.together.describe("shapes:area")
    assert isinstance(area, SeveralDescribeAnswer)
    assert area.index == str(slice_of("shapes@1.0"))
    named = [(one.index, one.release) for one in area.also_in]
    catalog = str(libraries().catalog)
    assert (str(slice_of("shapes@2.0")), None) in named
    assert named[-2:] == [(catalog, "shapes@2.0"), (catalog, "shapes@1.0")]
    mapcar = small.together.describe("mapcar")
    assert isinstance(mapcar, SeveralDescribeAnswer)
    assert mapcar.index == str(bare_index)


# What none of them has


def test_reasons_are_those_of_each_index(small: Asked) -> None:
    answer = small.together.describe("sb-impl::hash-tabel")
    assert isinstance(answer, NotFound)
    lines = (answer.reason or "").split("\n")
    assert len(lines) == len(small.alone)
    for one, line in zip(small.alone, lines, strict=True):
        alone = one.describe("sb-impl::hash-tabel")
        assert isinstance(alone, NotFound)
        assert line == f"{one.path}: {alone.reason}"
    assert answer.error == "symbol-not-found", "SBCL has the package"
    assert "hash-table" in answer.suggestions[0]


def test_a_wrong_question_is_refused_once(small: Asked) -> None:
    for answer in (
        small.together.apropos("x", type="nonsense"),
        small.together.describe(""),
        small.together.search("?"),
        small.together.xref("a:b:c"),
        small.together.provides("a:b:c"),
    ):
        assert isinstance(answer, NotFound)
        assert answer.error.startswith("invalid-")
        assert str(small.alone[0].path) not in (answer.reason or "")
    with pytest.raises(ValueError, match="scope must be"):
        small.together.apropos("x", scope="nonsense")
    with pytest.raises(ValueError, match="relation must be"):
        small.together.xref("x", relation="nonsense")
