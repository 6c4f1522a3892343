"""The commands on a catalog, and what the others do with one: --release, and what an index does not have."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from oblist.indexer.checksums import append_checksums
from support.catalogs.libraries import libraries
from support.command_line import run_main

_HINT = "Not loaded, but in the catalog: shapes:circumference in shapes@1.0."


@pytest.fixture
def catalog(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The catalog, which the commands find."""
    monkeypatch.setenv("OBLIST_CATALOG", str(libraries().catalog))
    return libraries().catalog


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["catalog", "search", "paint", "canvas"], "  drawing:draw [FUNCTION]  drawing\n"),
        (["catalog", "search", "area"], "[GENERIC-FUNCTION]  shapes@2.0, also shapes@1.0\n"),
        (["catalog", "releases", "shapes"], "  shapes@2.0  Plane figures and their sizes\n"),
        (["catalog", "releases", "--state", "failed"], "  broken [failed]\n"),
        (["catalog", "show", "shapes"], "  drawing  3 uses\n"),
        (["catalog", "show", "drawing-extras"], "  no-such-library  not in the catalog\n"),
        (["provides", "shapes:area"], "  shapes:area [GENERIC-FUNCTION]  shapes@1.0"),
        (["provides", "helper"], "  shapes::helper [FUNCTION, internal]  shapes@2.0\n"),
        (["provides", "on-broken/more"], "  system on-broken/more, failed  on-broken\n"),
    ],
)
def test_commands_answer(catalog: Path, command: list[str], said: str) -> None:
    done = run_main(*command)
    assert (done.code, done.errors) == (0, "")
    assert said in done.output


@pytest.mark.parametrize(
    ("command", "field"),
    [
        (["catalog", "search", "paint"], "matches"),
        (["catalog", "releases"], "releases"),
        (["catalog", "show", "shapes"], "dependents"),
        (["provides", "area"], "providers"),
    ],
)
def test_answers_are_json_too(catalog: Path, command: list[str], field: str) -> None:
    done = run_main(*command, "--json")
    assert done.code == 0
    assert json.loads(done.output)[field]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["catalog", "search", "zyzzyva"], "Found 0 symbols"),
        (["catalog", "releases", "zyzzyva"], "Found 0 releases"),
        (["catalog", "show", "shaps"], "Did you mean: shapes"),
        (["provides", "zyzzyva"], "No release provides zyzzyva"),
        (["describe", "area", "--release", "shapes@7"], "Release shapes@7 not found"),
    ],
)
def test_what_is_not_found_is_code_1(catalog: Path, command: list[str], said: str) -> None:
    done = run_main(*command)
    assert done.code == 1
    assert said in done.output + done.errors


@pytest.mark.parametrize(
    "command",
    [
        ["catalog", "search", "x"],
        ["catalog", "releases"],
        ["catalog", "show", "x"],
        ["provides", "x"],
        ["describe", "x", "--release", "y"],
        ["diff", "x@1", "x@2"],
    ],
)
def test_without_a_catalog_a_command_says_how_to_make_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.setenv("OBLIST_CATALOG", str(tmp_path / "none.db"))
    done = run_main(*command)
    assert (done.code, done.output) == (3, "")
    assert "there is no catalog. Build one with: oblist catalog build" in done.errors


def test_check_index_takes_a_catalog(catalog: Path, bare_index: Path, tmp_path: Path) -> None:
    done = run_main("check-index", str(catalog))
    assert (done.code, done.output) == (0, f"{catalog} is sound\n"), done.errors
    broken = tmp_path / "broken.db"
    shutil.copy(catalog, broken)
    with closing(sqlite3.connect(broken)) as connection, connection:
        connection.execute("DELETE FROM meta WHERE name = 'complete'")
    assert "the table meta has been changed" in run_main("check-index", str(broken)).output
    append_checksums(broken)
    done = run_main("check-index", str(broken))
    assert done.code == 1 and "the build did not finish" in done.output
    done = run_main("check-index", str(catalog), "--same-as", str(bare_index))
    assert done.code == 2 and f"compares indexes, but {catalog} is a catalog" in done.errors
    done = run_main("check-index", str(catalog), "--index", str(bare_index))
    assert done.code == 2 and f"not both: {catalog} and --index {bare_index} were given" in done.errors


def test_a_catalog_is_no_index_and_an_index_no_catalog(catalog: Path, bare_index: Path) -> None:
    done = run_main("describe", "car", f"--index={catalog}")
    assert done.code == 3
    assert "an SQLite database, but not an oblist index" in done.errors
    done = run_main("provides", "car", f"--catalog={bare_index}")
    assert done.code == 3
    assert "an SQLite database, but not a catalog" in done.errors.replace("a oblist", "a")


def test_options_may_stand_on_the_command(
    catalog: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "other.db"
    elsewhere.write_bytes(catalog.read_bytes())
    monkeypatch.setenv("OBLIST_CATALOG", "/none")
    done = run_main("provides", "area", f"--catalog={elsewhere}")
    assert done.code == 0


# Slices


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["describe", "circumference"], "The length around SHAPE."),
        (["definition", "circumference"], "(* 4 (side shape))"),
        (["apropos", "circumference"], "CIRCUMFERENCE"),
        (["xref", "side"], "circumference"),
        (["search", "length", "around"], "shapes:circumference"),
        (["package", "shapes"], "AREA"),
        (["class", "square"], "side"),
        (["info"], "shapes"),
        (["problems"], ""),
    ],
)
def test_questions_are_asked_of_a_release(catalog: Path, command: list[str], said: str) -> None:
    done = run_main(*command, "--release", "shapes@1.0")
    assert done.code == 0, done.errors
    assert said in done.output


def test_of_a_release_only_what_it_brings_is_checked(catalog: Path, tmp_path: Path) -> None:
    source = tmp_path / "uses.lisp"
    source.write_text(
        "(in-package :drawing)\n(defun f (x) (subseq (shapes:perimeter x) (no-package:name)))\n"
        "(defun g (x) (list (draw x) (drawing:drow x)))\n(defun h () (draw))\n"
    )
    done = run_main("check", str(source), "--release", "drawing")
    assert done.code == 1, done.errors
    assert "drawing has no symbol drow" in done.output
    assert "uses.lisp:4:" in done.output, "a call with too few arguments"
    assert "uses.lisp:2:" not in done.output, "what the slice does not know is not checked"


def test_a_release_and_an_index_exclude_each_other(catalog: Path, bare_index: Path) -> None:
    done = run_main("describe", "area", "--release", "shapes", f"--index={bare_index}")
    assert done.code == 2
    assert "Give --index or --release, not both" in done.errors


def test_two_releases_are_compared(catalog: Path) -> None:
    done = run_main("diff", "shapes@1.0", "shapes@2.0")
    assert done.code == 1
    assert "shapes:circumference             the function is gone" in done.output
    assert "shapes:around                    a new function" in done.output
    assert "shapes: 1.0 -> 2.0 is high enough (major)" in done.output


def test_a_release_that_is_not_there_cannot_be_compared(catalog: Path) -> None:
    done = run_main("diff", "shapes@1.0", "shapes@7")
    assert done.code != 0
    assert "Release shapes@7 not found" in done.errors + done.output


# What an index does not have


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["describe", "circumference"], _HINT),
        (["definition", "circumference"], _HINT),
        (["xref", "circumference"], _HINT),
        (["examples", "circumference"], _HINT),
        (["class", "drawing:circle"], "the release drawing defines it."),
        (["package", "drawing"], "the release drawing defines it."),
    ],
)
def test_a_name_that_the_index_lacks_is_looked_for_in_the_catalog(
    catalog: Path, bare_index: Path, command: list[str], said: str
) -> None:
    done = run_main(*command, f"--index={bare_index}")
    assert done.code == 1
    assert said in done.output + done.errors
    answer = json.loads(run_main(*command, f"--index={bare_index}", "--json").output)
    assert said in (answer[0] if isinstance(answer, list) else answer)["elsewhere"]


def test_a_damaged_catalog_does_not_disturb_a_question(
    tmp_path: Path, bare_index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged = tmp_path / "catalog.db"
    damaged.write_bytes(libraries().catalog.read_bytes()[:5000])
    monkeypatch.setenv("OBLIST_CATALOG", str(damaged))
    done = run_main("describe", "circumference", f"--index={bare_index}")
    assert done.code == 1
    assert "not found" in done.output
    assert "catalog" not in done.output + done.errors


def test_check_says_what_would_bring_an_unknown_package(
    catalog: Path, bare_index: Path, tmp_path: Path
) -> None:
    source = tmp_path / "uses.lisp"
    source.write_text("(defpackage :mine (:use :cl))\n(in-package :mine)\n(defun f (x) (drawing:draw x))\n")
    done = run_main("check", str(source), f"--index={bare_index}")
    assert done.code == 1
    assert "there is no package drawing; in the catalog, the release drawing defines it" in done.output
