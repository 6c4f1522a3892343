"""The commands with several --index and --with-catalog: texts, JSON, exit codes, and what they refuse."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import fields
from pathlib import Path

import pytest

from oblist.query import answers, open_index
from oblist.query.catalog import open_catalog
from oblist.query.index.not_found import NotFound, not_found_text
from oblist.query.questions.apropos.text import apropos_text
from oblist.query.questions.describe.text import describe_text
from support.catalogs.libraries import libraries
from support.command_line import oblist

COMMANDS = [
    ["apropos", "area"],
    ["search", "area"],
    ["xref", "shapes:area"],
    ["provides", "area"],
    ["describe", "shapes:area"],
]
# Of all but provides, which asks the catalog anyway.
WITH_CATALOG = [command for command in COMMANDS if command[0] != "provides"]
names = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])


@pytest.fixture
def catalog(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The catalog, which the commands find."""
    monkeypatch.setenv("OBLIST_CATALOG", str(libraries().catalog))
    return libraries().catalog


@pytest.fixture(scope="module")
def slices() -> tuple[Path, Path]:
    """The slices of shapes 1.0 and of drawing, which uses it."""
    with open_catalog(libraries().catalog) as catalog:
        one, two = catalog.slice_of("shapes@1.0"), catalog.slice_of("drawing")
    assert isinstance(one, Path) and isinstance(two, Path)
    return one, two


def with_index(*paths: Path | str) -> list[str]:
    return [part for path in paths for part in ("--index", str(path))]


# The texts


def test_the_text_of_describe_ends_with_a_line(slices: tuple[Path, Path], bare_index: Path) -> None:
    done = oblist("describe", "mapcar", *with_index(bare_index, *slices))
    with open_index(bare_index) as index:
        alone = index.describe("mapcar")
    assert not isinstance(alone, NotFound)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{describe_text(alone)}\nFrom: {bare_index}\n"


def test_the_last_line_of_describe_names_the_others(slices: tuple[Path, Path], catalog: Path) -> None:
    with open_catalog(catalog) as opened:
        newer = opened.slice_of("shapes@2.0")
    assert isinstance(newer, Path)
    done = oblist("describe", "shapes:area", *with_index(slices[1], slices[0], newer), "--with-catalog")
    first, *_, last = done.stdout.splitlines()
    assert first == "SHAPES::AREA [GENERIC-FUNCTION]"
    others = f"{newer}, shapes@2.0 in the catalog, shapes@1.0 in the catalog"
    assert last == f"From: {slices[0]}; also in: {others}", "drawing only uses it"


def test_another_symbol_of_that_name_is_named(slices: tuple[Path, Path], tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    shutil.copyfile(slices[0], other)
    with closing(sqlite3.connect(other)) as connection, connection:
        connection.execute("UPDATE packages SET name = 'FIGURES' WHERE name = 'SHAPES'")
    done = oblist("describe", "shp:area", *with_index(slices[0], other))
    assert done.stdout.splitlines()[-1] == f"From: {slices[0]}; also in: {other} (figures:area)"
    done = oblist("xref", "shp:area", *with_index(slices[0], other))
    assert f"\nNote: in {other}, the name is not shapes:area but figures:area.\n" in done.stdout
    assert done.stdout.startswith("2 references to shapes:area\n")


def _slice(catalog: Path, release: str) -> Path:
    with open_catalog(catalog) as opened:
        found = opened.slice_of(release)
    assert isinstance(found, Path)
    return found


@pytest.mark.parametrize("limit", ["0", "1"])
def test_the_text_of_apropos_ends_with_a_line(
    slices: tuple[Path, Path], bare_index: Path, limit: str
) -> None:
    done = oblist("apropos", "maphash", *with_index(bare_index, slices[0]), "--limit", limit)
    with open_index(bare_index) as index:
        alone = index.apropos("maphash", limit=int(limit))
    assert not isinstance(alone, NotFound)
    assert alone.total == 2
    last = f"From: {bare_index} (2), {slices[0]} (0)"
    assert done.stdout == f"{apropos_text(alone)}\n{last}\n"
    assert (done.returncode, done.stderr) == (0, "")


def test_the_text_of_apropos_names_the_catalog(slices: tuple[Path, Path], catalog: Path) -> None:
    done = oblist("apropos", "circumference", *with_index(slices[0]), "--with-catalog")
    assert done.stdout.splitlines() == [
        "Found 1 symbol matching 'circumference':",
        "",
        "  SHAPES::CIRCUMFERENCE [FUNCTION]",
        f"From: {slices[0]} (1), the catalog {catalog} (1)",
    ]


def test_other_texts_say_where_each_part_is_from(slices: tuple[Path, Path], catalog: Path) -> None:
    both = with_index(*slices)
    search = oblist("search", "area", *both, "--with-catalog").stdout
    assert f"\n      in {slices[0]}, shapes@2.0, shapes@1.0\n" in search
    provides = oblist("provides", "helper", *both).stdout
    assert f"  shapes::helper [FUNCTION, internal]  {slices[0]}\n" in provides
    assert "  shapes::helper [FUNCTION, internal]  shapes@2.0\n" in provides
    xref = oblist("xref", "shapes:area", *both, "--with-catalog").stdout
    assert "\n2 releases in the catalog use it\n  drawing  2 uses\n  inferred  1 use\n" in xref
    for text in (search, provides, xref):
        assert text.splitlines()[-1].startswith(f"From: {slices[0]} (")


def test_releases_beyond_the_limit_are_counted(slices: tuple[Path, Path], catalog: Path) -> None:
    done = oblist("xref", "shapes:area", *with_index(slices[0]), "--with-catalog", "--limit", "1")
    lines = done.stdout.splitlines()
    assert lines[lines.index("2 releases in the catalog use it") + 1 :][:2] == [
        "  drawing  2 uses",
        "... and 1 more: --limit 0",
    ]


# JSON


@names
def test_json_has_the_documented_fields(
    catalog: Path, slices: tuple[Path, Path], command: Sequence[str]
) -> None:
    more = [] if command[0] == "provides" else ["--with-catalog"]
    done = oblist(*command, *with_index(*slices), *more, "--json")
    answer = json.loads(done.stdout)
    kind = {
        "apropos": answers.SeveralAproposAnswer,
        "search": answers.SeveralSearchAnswer,
        "xref": answers.SeveralXrefAnswer,
        "provides": answers.SeveralProvidesAnswer,
        "describe": answers.SeveralDescribeAnswer,
    }[command[0]]
    assert kind.__name__ in answers.__all__
    assert list(answer) == [one.name for one in fields(kind)]
    if command[0] == "describe":
        assert answer["index"] == str(slices[0])
        assert {one["release"] for one in answer["also_in"]} == {"shapes@1.0", "shapes@2.0"}
    else:
        assert list(answer["indexes"])[:2] == [str(one) for one in slices]
        assert answer["catalog"] == str(catalog)


@names
@pytest.mark.parametrize("how", ["--index", "OBLIST_INDEX"])
def test_one_index_answers_as_ever(
    slices: tuple[Path, Path], command: list[str], how: str, tmp_path: Path
) -> None:
    """No field, no line and no key of its own; provides is of the catalog unless an index is given."""
    if command[0] == "provides":
        done = oblist(*command, "--json", environment={"OBLIST_CATALOG": str(libraries().catalog)})
        assert list(json.loads(done.stdout)) == [one.name for one in fields(answers.ProvidesAnswer)]
        return
    given = with_index(slices[0]) if how == "--index" else []
    environment = {"OBLIST_INDEX": str(slices[0]), "OBLIST_CATALOG": str(tmp_path / "none")}
    kind = {
        "apropos": answers.AproposAnswer,
        "search": answers.SearchAnswer,
        "xref": answers.XrefAnswer,
        "describe": answers.DescribeAnswer,
    }[command[0]]
    done = oblist(*command, *given, "--json", environment=environment)
    assert list(json.loads(done.stdout)) == [one.name for one in fields(kind)]
    done = oblist(*command, *given, environment=environment)
    assert "From: " not in done.stdout and str(slices[0]) not in done.stdout


def test_the_default_index_is_asked_beside_the_catalog(catalog: Path, slices: tuple[Path, Path]) -> None:
    done = oblist("apropos", "area", "--with-catalog", "--json", environment={"OBLIST_INDEX": str(slices[0])})
    assert list(json.loads(done.stdout)["indexes"]) == [str(slices[0]), str(catalog)]


def test_a_release_is_asked_beside_the_catalog(catalog: Path, slices: tuple[Path, Path]) -> None:
    done = oblist("describe", "area", "--release", "shapes@1.0", "--with-catalog", "--json")
    assert json.loads(done.stdout)["index"] == str(slices[0])


# Batches


def test_a_batch_of_describe(catalog: Path, slices: tuple[Path, Path]) -> None:
    done = oblist(
        *("describe", "--batch", "-", *with_index(*slices), "--with-catalog"),
        stdin="shapes:area\ndrawing:draw\nnowhere\n",
    )
    area, draw, nowhere = map(json.loads, done.stdout.splitlines())
    assert (area["index"], draw["index"]) == (str(slices[0]), str(slices[1]))
    assert draw["also_in"] == [{"index": str(catalog), "release": "drawing", "written": "drawing:draw"}]
    assert nowhere["error"] == "symbol-not-found"
    assert done.returncode == 1


def test_a_batch_of_xref(slices: tuple[Path, Path]) -> None:
    done = oblist("xref", "--batch", "-", *with_index(*slices), stdin="shapes:area\nshapes::helper\n")
    area, helper = map(json.loads, done.stdout.splitlines())
    assert area["indexes"][str(slices[0])] and area["indexes"][str(slices[1])]
    assert helper["total"] == len(helper["references"]) > 0
    assert done.returncode == 0


# Exit codes


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["apropos", "zyzzyva"], "Found 0 symbols matching 'zyzzyva':\n\nFrom: "),
        (["search", "zyzzyva"], "Found 0 symbols: "),
        (["xref", "zyzzyva"], "Symbol ZYZZYVA not found in package CL-USER (status: NIL)\n"),
        (["xref", "shapes:circumference", "--relation", "binds"], ": shapes:circumference is "),
        (["provides", "zyzzyva"], "Nothing provides zyzzyva\n"),
        (["describe", "zyzzyva"], "Symbol ZYZZYVA not found in package CL-USER (status: NIL)\n"),
        (["apropos", "x", "-p", "zyzzyva"], "Package ZYZZYVA not found\n"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else None,
)
def test_nothing_found_is_code_1(
    slices: tuple[Path, Path], bare_index: Path, command: list[str], said: str
) -> None:
    done = oblist(*command, *with_index(slices[0], bare_index))
    assert done.returncode == 1
    assert said in done.stdout
    assert str(slices[0]) in done.stdout and str(bare_index) in done.stdout


def test_an_invalid_type_is_code_2(slices: tuple[Path, Path]) -> None:
    done = oblist("apropos", "x", "--type", "nonsense", *with_index(*slices))
    alone = oblist("apropos", "x", "--type", "nonsense", *with_index(slices[0]))
    assert (done.returncode, done.stdout) == (alone.returncode, alone.stdout) == (2, alone.stdout)


def test_a_name_that_no_index_has_has_the_hint_of_the_catalog(
    catalog: Path, slices: tuple[Path, Path], bare_index: Path
) -> None:
    done = oblist("describe", "twice", *with_index(slices[0], bare_index))
    assert done.returncode == 1
    assert done.stdout.endswith("Not loaded, but in the catalog: inferred/part:twice in inferred.\n")


@names
def test_an_unusable_index_is_code_3(
    slices: tuple[Path, Path], tmp_path: Path, command: list[str], catalog: Path
) -> None:
    missing, damaged = tmp_path / "missing.db", tmp_path / "damaged.db"
    damaged.write_bytes(slices[0].read_bytes()[:5000])
    for bad in (missing, damaged, catalog):
        for paths in ((slices[0], bad), (bad, slices[0])):
            done = oblist(*command, *with_index(*paths))
            assert (done.returncode, done.stdout) == (3, "")
            assert done.stderr.startswith(f"oblist: {bad}: ") and done.stderr.count("\n") == 1


@pytest.mark.parametrize("command", WITH_CATALOG, ids=lambda command: command[0])
def test_a_missing_catalog_is_code_3(slices: tuple[Path, Path], tmp_path: Path, command: list[str]) -> None:
    none = tmp_path / "none.db"
    for given, environment in (([], {"OBLIST_CATALOG": str(none)}), (["--catalog", str(none)], {})):
        done = oblist(
            *command, *with_index(slices[0]), "--with-catalog", *given, environment=dict(environment)
        )
        assert (done.returncode, done.stdout) == (3, "")
        assert (
            done.stderr
            == f"oblist: {none}: there is no catalog. Build one with: oblist catalog build --all\n"
        )


def test_provides_needs_no_catalog_beside_an_index(slices: tuple[Path, Path], tmp_path: Path) -> None:
    none = tmp_path / "none.db"
    done = oblist("provides", "area", *with_index(slices[0]), environment={"OBLIST_CATALOG": str(none)})
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(f"\nFrom: {slices[0]} (1)\n")
    done = oblist("provides", "area", *with_index(slices[0]), "--catalog", none)
    assert done.returncode == 3, "this one was named"
    assert "there is no catalog" in done.stderr
    done = oblist("provides", "area", environment={"OBLIST_CATALOG": str(none)})
    assert done.returncode == 3


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--release", "shapes"], "Give --index or --release, not both"),
        (["--root", "nowhere=/tmp"], "No index has a root 'nowhere'; the roots are: "),
    ],
)
def test_what_does_not_go_together_is_code_2(
    catalog: Path, slices: tuple[Path, Path], more: list[str], said: str
) -> None:
    for command in WITH_CATALOG:
        done = oblist(*command, *with_index(*slices), *more)
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr


def test_a_tree_is_of_one_index(catalog: Path, slices: tuple[Path, Path]) -> None:
    for given in (with_index(*slices), [*with_index(slices[0]), "--with-catalog"]):
        done = oblist("xref", "shapes:area", "--depth", "2", *given)
        assert (done.returncode, done.stdout) == (2, "")
        assert "A tree (--depth) takes a single index" in done.stderr
    done = oblist("xref", "shapes:area", "--depth", "2", *with_index(slices[1]))
    assert done.stdout.startswith("Callers of shapes:area")


# Notes on stderr


def test_an_index_that_is_out_of_date_is_named(slices: tuple[Path, Path], tmp_path: Path) -> None:
    old = tmp_path / "old.db"
    shutil.copyfile(slices[1], old)
    broken = json.dumps({"message": "shop does not load"})
    with closing(sqlite3.connect(old)) as connection, connection:
        connection.execute("INSERT INTO meta VALUES ('broken', ?)", [broken])
    with open_index(old) as index:
        assert index.broken == "shop does not load"
    done = oblist("apropos", "area", *with_index(slices[0], old))
    assert done.returncode == 0
    assert done.stderr == f"note: {old} is out of date: shop does not load\n"


def test_what_did_not_load_is_said_by_index(catalog: Path, slices: tuple[Path, Path]) -> None:
    broken = _slice(catalog, "broken")
    done = oblist("describe", "zyzzyva", *with_index(slices[0], broken))
    assert done.stderr.startswith(f"note: {broken}: This index is incomplete: ")
    assert str(slices[0]) not in done.stderr
    done = oblist("describe", "shapes:area", *with_index(slices[0], broken))
    assert done.stderr == "", "the first has it"
    done = oblist("describe", "shapes:area", *with_index(broken, slices[0]))
    assert f"{broken}: This index is incomplete" in done.stderr, "the first might have had it"


def test_the_texts_of_refusals_are_those_of_one_answer(slices: tuple[Path, Path], bare_index: Path) -> None:
    done = oblist("describe", "with-opne-file", *with_index(slices[0], bare_index), "--json")
    answer = NotFound(**json.loads(done.stdout))
    assert "common-lisp:with-open-file" in answer.suggestions
    assert oblist("describe", "with-opne-file", *with_index(slices[0], bare_index)).stdout == (
        not_found_text(answer) + "\n"
    )
