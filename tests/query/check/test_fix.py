"""``check --fix``: names that are certainly misspelt are shown corrected, and corrected with --write."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from oblist.query.check.findings import SourceFinding
from oblist.query.check.fixes import certain_correction
from support.command_line import run_main

SOURCE = """(defpackage :fixed (:use :cl))
(in-package :fixed)
(defun f (list)                       ; lenght
  (mapcra #'car list)
  (find 1 list :tset #'eql)
  (SB-EXT:RUN-PROGRM "ls" nil)
  (make-condition 'file-eror))
(defun g (x) (car x x) (strng x) (no-such-function-anywhere x) (sb-mpo:slot-names x))
"""
CORRECTED = {
    ("mapcra", "mapcar"),
    (":tset", ":test"),
    ("SB-EXT:RUN-PROGRM", "SB-EXT:RUN-PROGRAM"),
    ("file-eror", "file-error"),
    ("strng", "string"),
}


def fixed(*arguments: str | Path, index: Path) -> tuple[int, str, str]:
    status, text, errors = run_main("check", "--fix", *map(str, arguments), "--index", str(index))
    return status, text, errors


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "fixed.lisp"
    path.write_text(SOURCE)
    return path


def test_corrections_are_shown_as_a_diff_that_applies(source: Path, bare_index: Path) -> None:
    status, text, errors = fixed(source, index=bare_index)
    assert status == 1 and source.read_text() == SOURCE
    assert "--write would correct 5 findings in 1 file; " in errors
    subprocess.run(["patch", "-p0", "-s", "-d", "/"], input=text, text=True, check=True)
    assert source.read_text() == corrected()


def corrected() -> str:
    text = SOURCE
    for old, new in CORRECTED:
        text = text.replace(old, new)
    return text


def test_write_corrects_them_and_a_second_run_finds_the_rest(source: Path, bare_index: Path) -> None:
    status, text, errors = fixed(source, "--write", index=bare_index)
    assert (status, text) == (1, "") and "corrected 5 findings in 1 file; " in errors
    assert source.read_text() == corrected()
    status, text, errors = fixed(source, "--write", index=bare_index)
    assert (status, text) == (1, "") and errors.startswith("oblist: no certain corrections; ")
    assert source.read_text() == corrected()
    source.write_text("(defpackage :fixed (:use :cl))\n(in-package :fixed)\n(defun f (x) (lenght x))\n")
    status, text, errors = fixed(source, "--write", index=bare_index)
    assert (status, text, errors) == (0, "", "oblist: corrected 1 finding in 1 file\n")


def test_they_come_as_json(source: Path, bare_index: Path) -> None:
    status, text, _ = fixed(source, "--json", index=bare_index)
    answer = json.loads(text)
    assert status == 1 and {(one["old"], one["new"]) for one in answer["corrections"]} == CORRECTED
    for one in answer["corrections"]:
        line = SOURCE.split("\n")[one["line"] - 1]
        assert line[one["column"] - 1 :].startswith(one["old"])
    assert answer["written"] is False and answer["left"] > len(CORRECTED)


def test_only_what_is_certain_is_corrected() -> None:
    def correction(written: str, *suggestions: str, rule: str = "undefined-function") -> str | None:
        return certain_correction(
            SourceFinding("x.lisp", 1, 1, rule, "", written=written, suggestions=suggestions)
        )

    assert correction("lenght", "length") == "length"
    assert correction("LENGHT", "length") == "LENGTH"
    assert correction("a:lenght", "a:length") == "a:length"
    assert correction("string-upcsae", "string-upcase", "nstring-upcase") == "string-upcase"
    for written, *suggestions in (
        ("cra", "car"),  # too short
        ("steq", "setq"),
        ("vec3", "vec2"),  # another thing
        ("make-vec4", "make-vec"),
        ("caddr1", "caddr"),
        ("test-on", "test-one", "test-of"),  # two are as near
        ("lengthened", "length"),  # too far
        ("lenght",),
    ):
        assert correction(written, *suggestions) is None, written
    assert correction("lenght", "length", rule="unused-export") is None


@pytest.mark.parametrize(
    "arguments",
    [["--write"], ["--fix", "--format", "sarif"], ["--fix", "--write-baseline", "b"], ["--fix", "-"]],
)
def test_what_does_not_go_together(source: Path, bare_index: Path, arguments: list[str]) -> None:
    status, _, errors = run_main("check", str(source), *arguments, "--index", str(bare_index))
    assert status == 2 and "--fix" in errors
    assert source.read_text() == SOURCE
