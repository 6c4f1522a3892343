"""What is judged: the files that the index has loaded; the rest is counted, with the reason."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from oblist.query.check.findings import CheckOutcome
from oblist.query.check.run import Check
from oblist.query.check.settings import Settings
from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl
from support.command import check as check_command
from support.command_line import oblist

WRONG = "(defun wrong () (car 1 2))\n"
FILES = {
    "shop.asd": """
(asdf:defsystem "shop"
  :components ((:file "package") (:file "till") (:file "cmucl" :if-feature :cmucl)
               (:module "parts" :if-feature (:or :cmucl :abcl) :components ((:file "extra")))))
(asdf:defsystem "shop/shelf" :depends-on ("shop" "no-such-library") :components ((:file "shelf")))
(asdf:defsystem "shop/tests" :depends-on ("shop" "test-framework") :components ((:file "tests")))
(asdf:defsystem "shop/loader" :depends-on ("shop") :components ((:file "loader")))
""",
    "package.lisp": "(defpackage :shop (:use :cl) (:export #:sell #:with-till))\n",
    "till.lisp": "(in-package :shop)\n(defmacro with-till (&body body) `(progn ,@body))\n"
    "(defun sell (item) item)\n(defun busy () (with-till (sell 1) (list 'sell)))\n",
    "cmucl.lisp": f"(in-package :shop)\n(ext:no-such)\n{WRONG}",
    "parts/extra.lisp": WRONG,
    "shelf.lisp": "(defpackage :shelf (:use :cl :no-such-library))\n(in-package :shelf)\n"
    f"(alexandira:flatten)\n{WRONG}",
    "tests.lisp": "(defpackage :shop-tests (:use :cl :test-framework))\n(in-package :shop-tests)\n"
    f"(test-framework:is 1)\n(test-framework:is 2)\n(unheard-of:x)\n{WRONG}",
    "loader.lisp": """(in-package :shop)
(eval-when (:load-toplevel :execute)
  (load (merge-pathnames "loaded.lisp" (or *compile-file-truename* (asdf:system-source-file "shop")))))
""",
    "loaded.lisp": f"(in-package :shop)\n(defun loaded () 1)\n{WRONG}",
    "scratch.lisp": f"(in-package :nowhere)\n{WRONG}",
    "README.md": "Call `shop:sel` or `shop::sell`, in tests `test-framework:is`.\n",
    "CHANGELOG.md": "`shop:sel` is gone.\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """An index of a project, and the project, whose files are loaded in every way or not at all."""
    folder = kept("chosen", _build)
    project = tmp_path_factory.mktemp("moved") / "shop"
    shutil.copytree(folder / "shop", project)
    return folder / "oblist.db", project


def _build(folder: Path) -> None:
    project = folder / "shop"
    for name, text in FILES.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    arguments = ("index", "--project", str(project), "--output", str(folder / "oblist.db"), "--no-snapshot")
    oblist(*arguments, "--sbcl", str(small_sbcl().path), "--no-userinit", "--quiet")


def judged(
    shop: tuple[Path, Path],
    *paths: Path,
    all_files: bool = False,
    texts: Mapping[str, str] = {},
) -> tuple[CheckOutcome, list[str]]:
    """The outcome, and the findings as file and rule."""
    index, project = shop
    run = Check(index, Settings(project), 1, lambda *_: None, all_files=all_files, texts=dict(texts))
    outcome = run.run([str(path) for path in paths or (project,)])
    return outcome, [
        f"{Path(one.path).name} {one.rule}" for one in outcome.findings if one.severity != "info"
    ]


def test_what_is_loaded_is_judged_wherever_the_project_is_now(shop: tuple[Path, Path]) -> None:
    outcome, found = judged(shop)
    assert found == ["README.md unknown-symbol", "loaded.lisp wrong-number-of-arguments"]
    reasons = {one.reason: {Path(path).name for path in one.files} for one in outcome.not_checked}
    assert reasons == {
        "no-system-loads": {"cmucl.lisp", "extra.lisp", "scratch.lisp"},
        "did-not-load": {"shelf.lisp"},
        "not-to-be-loaded": {"tests.lisp"},
    }
    said = {one.reason: one.message for one in outcome.not_checked}
    assert (
        "1 file of 1 system that did not load (shop/shelf: no system no-such-library)" in said["did-not-load"]
    )


def test_a_copy_may_lack_what_was_not_loaded(shop: tuple[Path, Path], tmp_path: Path) -> None:
    index, project = shop
    copy = tmp_path / "shop"
    copy.mkdir()
    for name in ("shop.asd", "package.lisp", "loader.lisp", "till.lisp"):
        shutil.copy(project / name, copy)
    (copy / "till.lisp").write_text(FILES["till.lisp"].replace("(sell 1)", "(sell)"))
    outcome = Check(index, Settings(copy), 1, lambda *_: None).run([str(copy)])
    # Only who knows which file of the index this is knows that the macro's argument was compiled as a call.
    found = [one.rule for one in outcome.findings if one.severity != "info"]
    assert found == ["wrong-number-of-arguments"]
    assert outcome.not_checked == []


def test_all_files_are_judged_if_asked_for(shop: tuple[Path, Path]) -> None:
    outcome, found = judged(shop, all_files=True)
    assert outcome.not_checked == []
    assert {one for one in found if "wrong-number" in one} == {
        f"{name}.lisp wrong-number-of-arguments" for name in ("cmucl", "extra", "shelf", "tests", "loaded")
    }
    # A missing package is reported once per file, with the system that was not loaded if that is known.
    missing = {one.message for one in outcome.findings if one.rule == "missing-system" and not one.prose}
    assert missing == {
        "there is no package alexandira",
        "there is no package ext",
        "there is no package nowhere",
        "there is no package unheard-of",
        "there is no package no-such-library: the system no-such-library was not found",
        "there is no package test-framework: the system test-framework is not in the index"
        " (3 names in this file)",
    }


def test_a_file_that_is_named_is_judged(shop: tuple[Path, Path]) -> None:
    _, found = judged(shop, shop[1] / "cmucl.lisp", shop[1] / "shelf.lisp")
    # Of a system that did not load, only what needs no knowledge of it.
    assert found == ["cmucl.lisp missing-system", "cmucl.lisp wrong-number-of-arguments"]


def test_a_new_file_is_judged_when_a_definition_names_it(shop: tuple[Path, Path], tmp_path: Path) -> None:
    project = tmp_path / "shop"
    shutil.copytree(shop[1], project)
    (project / "fresh.lisp").write_text(f"(in-package :shop)\n{WRONG}")
    (project / "later.lisp").write_text(f"(in-package :shop)\n{WRONG}")
    outcome, found = judged((shop[0], project))
    assert not any(one.startswith(("fresh", "later")) for one in found)
    definition = project / "shop.asd"
    definition.write_text(
        definition.read_text().replace(
            '(:file "package")', '(:file "package") (:file "fresh") (:file "later" :if-feature :cmucl)'
        )
    )
    outcome, found = judged((shop[0], project))
    assert "fresh.lisp wrong-number-of-arguments" in found
    assert any("later.lisp" in path for one in outcome.not_checked for path in one.files)


def test_a_new_file_of_a_package_inferred_system_is_judged(tmp_path: Path) -> None:
    project = tmp_path / "inferred"
    (project / "parts").mkdir(parents=True)
    (project / "inferred.asd").write_text(
        '(asdf:defsystem "inferred" :class :package-inferred-system :depends-on ("inferred/parts/old"))\n'
    )
    for name in ("old", "tests"):
        (project / "parts" / f"{name}.lisp").write_text(f"(defpackage :inferred/parts/{name} (:use :cl))\n")
    index = tmp_path / "oblist.db"
    arguments = ("index", "--project", str(project), "--output", str(index), "--no-snapshot")
    oblist(*arguments, "--sbcl", str(small_sbcl().path), "--no-userinit", "--quiet")
    for name in ("new", "tests"):
        with (project / "parts" / f"{name}.lisp").open("a") as file:
            file.write(
                f"(defpackage :inferred/parts/{name} (:use :cl))\n(in-package :inferred/parts/{name})\n"
            )
            file.write(WRONG)
    # The definition need not be among what is checked.
    outcome, found = judged((index, project), project / "parts")
    assert found == ["new.lisp wrong-number-of-arguments"]
    assert [Path(path).name for one in outcome.not_checked for path in one.files] == ["tests.lisp"]


def test_inside_a_macro_a_call_is_judged_where_the_compiler_recorded_one(
    shop: tuple[Path, Path], tmp_path: Path
) -> None:
    path = str(shop[1] / "till.lisp")
    text = FILES["till.lisp"]
    for old, new, rules in (
        ("(sell 1)", "(sell 1 2)", ["wrong-number-of-arguments"]),
        ("(sell 1)", "(sel 1)", ["undefined-function"]),
        # The macro's definition tells that it evaluates this.
        ("(sell 1)", "(sell 1) (sell 1 2)", ["wrong-number-of-arguments"]),
        ("'sell", "'(sell 1 2)", []),
    ):
        assert text.count(old) == 1
        outcome, _ = judged(
            shop,
            texts={path: text.replace(old, new)},
        )
        assert [one.rule for one in outcome.findings if one.path == path] == rules, new


def test_the_reports_say_what_was_not_checked(shop: tuple[Path, Path]) -> None:
    index, project = shop
    code, out, _ = check_command(index, project)
    assert code == 1
    lines = out.splitlines()
    assert sum(line.startswith("not checked: ") for line in lines) == 3
    assert lines[-1] == "2 errors in 6 files"
    assert "More about a rule: oblist check --explain unknown-symbol" in lines
    found = json.loads(check_command(index, "--json", project)[1])
    assert {one["reason"] for one in found["not_checked"]} == {
        *("no-system-loads", "did-not-load", "not-to-be-loaded"),
    }
    assert {one["section"] for one in found["findings"]} == {
        *("docs/check.md#unknown-symbol", "docs/check.md#wrong-number-of-arguments"),
    }
    assert found["by_rule"] == {"unknown-symbol": 1, "wrong-number-of-arguments": 1}
    sarif = json.loads(check_command(index, "--format", "sarif", project)[1])
    notes = sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert sum("not checked" in one["message"]["text"] for one in notes) == 3
    junit = check_command(index, "--format", "junit", project)[1]
    assert junit.count("<skipped") == 3 and 'skipped="3"' in junit
    statistics = check_command(index, "--statistics", project)[1]
    assert "files not checked" in statistics and "calls" in statistics


# Systems of which a file does not compile or load

BROKEN = {
    "kiosk.asd": """
(asdf:defsystem "kiosk" :serial t
  :components ((:file "package") (:file "good") (:file "unreadable") (:file "later")))
(asdf:defsystem "kiosk/needs" :depends-on ("kiosk") :components ((:file "needs")))
(asdf:defsystem "kiosk/warned" :components ((:file "warned")))
(asdf:defsystem "kiosk/stopped" :components ((:file "stopped")))
(asdf:defsystem "kiosk/lacking" :depends-on ("no-such-library") :components ((:file "lacking")))
""",
    "package.lisp": "(defpackage :kiosk (:use :cl) (:export #:good #:bad #:later))\n",
    "good.lisp": "(in-package :kiosk)\n(defun good (x) (car x))\n",
    "unreadable.lisp": "(in-package :kiosk)\n"
    '(defmacro defother (n) `(defun ,(intern (format nil "~A-OTHER" n)) () 1))\n'
    "(defun bad (x) (car x 1))\n"  # found
    "(defother made)\n"
    "(defun worse (x) (no-such-package:foo x))\n",  # found: why it does not compile
    "later.lisp": "(in-package :kiosk)\n"
    "(defun later ()\n (good 1 2)\n (bad)\n (string-upcase))\n"  # found: lines 3 to 5
    "(defun more () (made-other) (defined-nowhere) (kiosk::another) (kiosk:unknown))\n",
    "needs.lisp": "(defpackage :kiosk/needs (:use :cl :kiosk))\n(in-package :kiosk/needs)\n"
    "(defun needs ()\n (good 1 2)\n (later 1)\n (unheard-of))\n",  # found: lines 4 and 5
    "warned.lisp": "(defpackage :kiosk/warned (:use :cl))\n(in-package :kiosk/warned)\n"
    "(defun warned () (cons 1))\n",
    "stopped.lisp": "(defpackage :kiosk/stopped (:use :cl))\n(in-package :kiosk/stopped)\n"
    '(error "Not here.")\n(defun stopped () (elt 1))\n',
    "lacking.lisp": f"(defpackage :kiosk/lacking (:use :cl :no-such-library))\n{WRONG}",
}


@pytest.fixture(scope="module")
def kiosk(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """An index of a project of which some systems do not load, and the project."""
    folder = kept("chosen broken", _build_broken)
    return folder / "oblist.db", folder / "kiosk"


def _build_broken(folder: Path) -> None:
    project = folder / "kiosk"
    project.mkdir()
    for name, text in BROKEN.items():
        (project / name).write_text(text)
    arguments = ("index", "--project", str(project), "--output", str(folder / "oblist.db"), "--no-snapshot")
    oblist(*arguments, "--sbcl", str(small_sbcl().path), "--no-userinit", "--quiet")


def test_what_did_not_load_is_judged_but_for_what_it_would_define(kiosk: tuple[Path, Path]) -> None:
    wrong = "wrong-number-of-arguments"
    outcome, _ = judged(kiosk)
    found = {(Path(one.path).name, one.line, one.rule) for one in outcome.findings if one.severity != "info"}
    assert found == {
        ("unreadable.lisp", 3, wrong),
        ("unreadable.lisp", 5, "missing-system"),
        *(("later.lisp", line, wrong) for line in (3, 4, 5)),
        *(("needs.lisp", line, wrong) for line in (4, 5)),
        ("warned.lisp", 3, wrong),
        ("stopped.lisp", 4, wrong),
    }
    assert not outcome.project_failed
    # A library that is missing is another thing: its names are in the code.
    reasons = {one.reason: {Path(path).name for path in one.files} for one in outcome.not_checked}
    assert reasons == {"did-not-load": {"lacking.lisp"}, "checked-in-part": set()}
    (said,) = (one.message for one in outcome.not_checked if one.reason == "checked-in-part")
    assert said.startswith("further definitions in 7 files of 4 systems that did not load (kiosk: ")


def test_a_named_file_of_it_is_judged_with_what_the_others_define(
    kiosk: tuple[Path, Path], tmp_path: Path
) -> None:
    project = tmp_path / "kiosk"
    shutil.copytree(kiosk[1], project)
    outcome, _ = judged((kiosk[0], project), project / "later.lisp")
    assert [one.line for one in outcome.findings] == [3, 4, 5]
