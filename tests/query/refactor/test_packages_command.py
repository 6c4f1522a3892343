"""The commands that edit packages: they show, prove and write, or refuse and change nothing."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from support.command_line import run_main
from support.editors.bazaar import FILES, LATE, PACKAGES, SHOP, bazaar


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the project, which the index finds by its root."""
    folder = tmp_path / "bazaar"
    shutil.copytree(bazaar(), folder, ignore=shutil.ignore_patterns(".oblist"))
    return folder


def refactored(folder: Path, *arguments: str) -> tuple[int, str, str]:
    index = bazaar() / ".oblist" / "oblist.db"
    root = f"project={folder}"
    return run_main("refactor", *arguments, "--index", str(index), "--project", str(folder), "--root", root)


def texts(folder: Path) -> dict[str, str]:
    return {name: (folder / name).read_text() for name in FILES}


def test_an_import_is_shown_and_written(project: Path) -> None:
    asked = ("import", "bazaar.hats:cap", "--in", "bazaar.late")
    status, shown, said = refactored(project, *asked)
    assert status == 0 and "+  (:import-from #:bazaar.hats #:cap)" in shown and "--write would change" in said
    assert texts(project) == FILES
    status, shown, said = refactored(project, *asked, "--write", "--json")
    assert status == 0 and json.loads(shown)["written"] and "changed 2 places in 2 files" in said
    assert texts(project)["late.lisp"] == LATE.replace("bazaar.hats:cap", "cap")


def test_other_edits_are_written(project: Path) -> None:
    for asked in (
        ("qualify", "hat", "--in", "bazaar"),
        ("drop-unused", "--in", "bazaar"),
        ("drop-nickname", "h", "--in", "bazaar"),
        ("nickname", "hats", "bazaar.hats", "--in", "bazaar"),
        ("expand-use", "bazaar.tools", "--in", "bazaar"),
    ):
        status, _, said = refactored(project, *asked, "--write")
        assert status == 0, said
    assert "(hats:cap wares) (hats::brim 1)" in texts(project)["shop.lisp"]
    assert "(:use #:cl)\n  (:import-from #:bazaar.tools #:*door*" in texts(project)["packages.lisp"]


@pytest.mark.parametrize(
    "asked",
    [
        ("drop-unused", "--exports", "--in", "bazaar"),
        ("move", "bazaar::shut", "late.lisp"),
    ],
)
def test_what_an_edit_takes_away_is_all_that_a_proof_misses(project: Path, asked: tuple[str, ...]) -> None:
    arguments = [str(project / one) if one.endswith(".lisp") else one for one in asked]
    status, _, said = refactored(project, *arguments, "--prove", "--write")
    assert status == 0 and "the project is the same" in said, said
    assert texts(project) != FILES


def test_a_proof_that_finds_a_difference_writes_nothing(project: Path) -> None:
    shop = project / "shop.lisp"
    made = '(eval-when (:compile-toplevel :load-toplevel :execute) (export (intern "UNWANTED")))\n'
    shop.write_text(f"{SHOP}{made}")
    asked = ("drop-unused", "unwanted", "--in", "bazaar", "--write")
    status, _, said = refactored(project, *asked)
    assert status == 1 and "unwanted is used" in said
    shop.write_text(
        f"{SHOP}{made.replace('UNWANTED', 'unwanted').replace('intern', 'intern (string-upcase')})"
    )
    status, _, said = refactored(project, *asked)
    assert status == 1 and "it may export names" in said
    assert texts(project)["packages.lisp"] == PACKAGES


@pytest.mark.parametrize(
    ("asked", "status", "said"),
    [
        (("import", "bazaar.hats:cap"), 2, "Missing option '--in'"),
        (("import", "bazaar.hats:cap", "--in", "nowhere"), 1, "the index has no package nowhere"),
        (("import", "cap", "--in", "bazaar"), 1, "must be a symbol with its package"),
        (("expand-use", "cl", "--in", "bazaar"), 1, "common-lisp is the language"),
        (("drop-nickname", "x", "--in", "bazaar"), 1, "has no nickname x"),
        (("nickname", "a:b", "bazaar.hats", "--in", "bazaar"), 1, "cannot be a nickname of a package"),
        (("qualify", "cap", "--in", "cl"), 1, "no form in"),
        (("move", "bazaar:total", "nowhere.lisp"), 1, "cannot be read"),
        (("mov", "bazaar:total", "late.lisp"), 2, "Did you mean 'move'?"),
    ],
)
def test_bad_input_is_told(asked: tuple[str, ...], status: int, said: str) -> None:
    code, shown, errors = refactored(bazaar(), *asked)
    assert (code, shown) == (status, "") and said in errors and "Traceback" not in errors
