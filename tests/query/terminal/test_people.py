"""What people see at a terminal: names as one writes them, places as one opens them, lines that fit."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from oblist.query import open_index
from oblist.query.answers import DescribeAnswer, PackageAnswer
from oblist.query.questions.describe.people import describe_people
from oblist.query.questions.view import View
from oblist.query.terminal.wrapping import wrapped_text
from support.builds.tested_version import since
from support.command_line import run_main
from support.contract_sample import SAMPLE, contract_sample
from support.starts.terminals import shown

ENDLESS = 60_000
ONE = [
    *(f"describe {name} --no-live" for name in ("mapcar", "print-object", "cl-ppcre:scan", "setf", "string")),
    *(f"describe {name}" for name in ("alexandria:array-index", "and", "sb-ext:timeout", "float")),
    *("apropos flatten", "apropos with- -p alexandria", "apropos '' -p cl-ppcre --scope present"),
    *("definition alexandria:flatten", "definition cl-ppcre:scan print-object --max-length 30000"),
    *("xref alexandria:ensure-list", "xref cl:mapcar --limit 60", "xref cl-ppcre:scan --callees"),
    *("xref alexandria:ensure-list --depth 2", "search hash keys", "search ':: string -> pathname'"),
    *("package alexandria", "package cl-ppcre", "package sb-ext --limit 100"),
    *("class standard-object", "class cl-ppcre::repetition --inherited", "class error", "class pathname"),
    *("methods print-object --on cl-ppcre::str t", "examples alexandria:when-let", "examples mapcar"),
    *("problems --all", "info", "provides flatten", "check {faults} --statistics", "describe no-such-name"),
    *("diff {bare} {index} -p alexandria", "diff {bare} {index} -p sb-ext"),
]
SEVERAL = [
    *("describe mapcar --no-live", "apropos flatten", "xref mapcar --limit 20", "search hash keys"),
    "provides flatten",
]
FAULTS = """(defpackage "FAULTY" (:use "CL"))
(in-package "FAULTY")
(defun f (x) (mapcarr #'car x) (alexandria:flattenn x) (car x x x))
"""


def words(command: str, bare: Path, index: Path, faults: Path) -> list[str]:
    """The words of a command, with the index that it asks."""
    parts = [part.strip("'") for part in command.split(" ")]
    if "::" in parts[1:2]:
        parts = ["search", ":: string -> pathname"]
    parts = [
        part.replace("{bare}", str(bare)).replace("{index}", str(index)).replace("{faults}", str(faults))
        for part in parts
    ]
    return parts if parts[0] == "diff" else [*parts, "--index", str(index)]


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sources") / "faults.lisp"
    path.write_text(FAULTS)
    return path


def assert_fits(arguments: list[str], least: int) -> None:
    """Assert that a command's lines fit terminals of all widths, with all words whole."""
    unbroken = shown(*arguments, width=ENDLESS)
    assert len(unbroken.output.split()) >= least, unbroken.output
    assert "\x1b" not in unbroken.output
    for width in (20, 36, 80, 160):
        found = shown(*arguments, width=width)
        assert found.code == unbroken.code
        assert found.output.split() == unbroken.output.split()
        assert [one for one in found.lines if len(one) > width and " " in one.strip()] == []


@pytest.mark.parametrize("command", ONE)
def test_lines_fit_and_words_stay_whole(
    command: str, bare_index: Path, libraries_index: Path, faults: Path
) -> None:
    assert_fits(words(command, bare_index, libraries_index, faults), 8)


def test_the_descriptions_of_many_symbols_fit(libraries_index: Path) -> None:
    seen = 0
    with open_index(libraries_index) as index:
        for package in ("CL-PPCRE", "ALEXANDRIA", "SB-MOP", "SB-EXT"):
            exports = index.package(package)
            assert isinstance(exports, PackageAnswer)
            for one in exports.exports:
                answer = index.describe(f"{package}:|{one.name}|")
                assert isinstance(answer, DescribeAnswer)
                lines = describe_people(answer, View(Path("/usr"), index.upcase))
                words = wrapped_text(lines, ENDLESS).split()
                for width in (20, 36, 80, 160):
                    rows = wrapped_text(lines, width)
                    assert rows.split() == words
                    assert [row for row in rows.split("\n") if len(row) > width and " " in row.strip()] == []
                seen += 1
    assert seen > 500


@pytest.mark.parametrize("command", SEVERAL)
def test_lines_from_several_indexes_fit(
    command: str, bare_index: Path, libraries_index: Path, faults: Path
) -> None:
    arguments = [*words(command, bare_index, libraries_index, faults), "--index", str(bare_index)]
    assert_fits(arguments, 8)
    assert f"{libraries_index}" in shown(*arguments, width=ENDLESS).output


@pytest.mark.parametrize("command", ONE)
def test_a_pipe_has_the_same_text_whatever_the_options_for_people(
    command: str, bare_index: Path, libraries_index: Path, faults: Path
) -> None:
    arguments = words(command, bare_index, libraries_index, faults)
    piped = run_main(*arguments)
    assert piped.output
    assert run_main(*arguments, "--no-pager", "--color", "never") == piped
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "20")
        patch.setenv("TERM", "xterm-256color")
        assert run_main(*arguments) == piped


def test_names_are_as_one_writes_them_and_places_as_one_opens_them(monkeypatch: pytest.MonkeyPatch) -> None:
    path, source = contract_sample()
    monkeypatch.chdir(source.parent)
    found = shown("describe", "open-door", "-p", SAMPLE, "--index", path, width=80)
    assert found.lines[:5] == [
        "contract-sample:open-door  function, exported",
        "  (open-door door &optional (width 2) &key ((:colour paint) :red) |lower|)",
        "",
        "    Open DOOR.",
        "",
    ]
    assert f"  {source.name}:10:1" in found.lines
    monkeypatch.chdir("/")
    found = shown("describe", "open-door", "-p", SAMPLE, "--index", path, width=80)
    assert f"  {str(source).removeprefix('/')}:10:1" in found.lines


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("apropos open-door", "  contract-sample:open-door  function"),
        ("apropos no-arguments -p CONTRACT-SAMPLE", "  contract-sample::no-arguments  function, internal"),
        ("apropos Name -p CONTRACT-SAMPLE", "  contract-sample::|odd Name|  function, internal"),
        ("definition contract-sample:area", "contract-sample:area  2 definitions"),
        ("search with door", "  contract-sample:with-door  macro  Run BODY with DOOR."),
        ("package contract-sample", "    contract-sample:with-door ((door &body options) &body body)  macro"),
        ("class contract-sample:shape", "contract-sample:shape  class"),
        ("class contract-sample:shape", "  1 method on it"),
        ("methods contract-sample:area --on contract-sample:shape", "  Arglist: (shape)"),
        ("xref contract-sample:open-door", "1 reference to contract-sample:open-door"),
    ],
)
def test_every_command_writes_names_alike(command: str, expected: str) -> None:
    path, _ = contract_sample()
    found = shown(*command.split(), "--index", path, width=160)
    assert found.code == 0
    assert [one for one in found.lines if one.startswith(expected)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mapcar", "mapcar  function, exported"),
        ("mapcar", "  Exported from: "),
        ("alexandria:array-index", "  type: (array-index &optional (length (1- array-dimension-limit)))"),
        ("alexandria:array-index", "alexandria:array-index  type, exported"),
        ("sb-pcl:+slot-unbound+", "  Stands for: (make-unbound-marker)"),
        ("sb-pcl:+slot-unbound+", "sb-pcl:+slot-unbound+  symbol-macro, exported"),
        *(
            [("cl:and", "  method-combination: (and &optional (order :most-specific-first))")]
            if since("2.1.2")
            else []
        ),
        ("cl:and", "  (and &rest forms)"),
        ("sb-ext:timeout", "sb-ext:timeout  condition, exported"),
        ("sb-ext:timeout", "  Slots and methods: oblist class sb-ext:timeout"),
        ("cl:random-state", "random-state  structure, exported"),
        ("(setf gethash)", "  (setf (gethash key table &optional default) new-value)"),
        ("cl:setf", "setf  macro, exported"),
        ("cl:car", "  Used: "),
    ],
)
def test_every_kind_of_thing_is_said_with_its_lambda_list(
    name: str, expected: str, libraries_index: Path
) -> None:
    found = shown("describe", name, "--no-live", "--index", libraries_index, width=200)
    assert [one for one in found.lines if one.startswith(expected)], found.output


def test_a_class_has_its_own_methods_first_and_distant_ones_on_request(libraries_index: Path) -> None:
    arguments = ("class", "cl-ppcre::repetition", "--index", libraries_index)
    brief, whole = (shown(*arguments, *more, width=160).lines for more in ([], ["--inherited"]))
    headings = [one.strip() for one in brief if one.startswith("  ") and not one.startswith("   ")]
    assert headings.index("Slots") < next(n for n, one in enumerate(headings) if one.endswith("on it"))
    (counts,) = [one for one in brief if one.endswith("(--inherited lists them)")]
    assert " on standard-object, " in counts
    assert "(--inherited" not in "\n".join(whole)
    assert len(whole) > len(brief)
    listed = {one.strip() for one in whole} - {one.strip() for one in brief}
    assert [one for one in listed if "(standard-object)" in one or "(slot-object" in one]
    assert run_main(*map(str, arguments)) == run_main(*map(str, arguments), "--inherited")


def test_control_characters_of_others_do_not_reach_the_terminal(libraries_index: Path) -> None:
    path, _ = contract_sample()
    found = shown("apropos", "escape", "-p", SAMPLE, "--scope", "present", "--index", path, width=80)
    assert "\\x1B" in found.output and "\\x09" in found.output
    assert not {"\x1b", "\t"} & set(found.output)


def test_a_folder_that_is_gone_hides_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, source = contract_sample()
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    found = shown("describe", "open-door", "-p", SAMPLE, "--index", path, width=160)
    os.chdir(tmp_path)
    assert f"  {source}:10:1" in found.lines
