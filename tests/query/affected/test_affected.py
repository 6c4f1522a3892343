"""What a change reaches: for each way in which code uses other code, a change and the tests that may fail."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.query.affected.answer import AffectedAnswer
from oblist.query.affected.ask import TextPair, affected
from oblist.query.index.reading import Reading
from support.command_line import run_main
from support.projects.ledger import FILES, TESTS, ledger
from support.projects.repositories import git


@pytest.fixture(scope="module")
def index() -> Iterator[Reading]:
    with Reading(ledger() / ".oblist" / "oblist.db") as opened:
        yield opened


def changed(index: Reading, file: str, old: str, new: str) -> AffectedAnswer:
    """What is affected if a text of the project is written otherwise."""
    text = FILES[file]
    assert text.count(old) == 1, old
    folder = str(ledger())
    pairs = {f"{folder}/{file}": TextPair(text, text.replace(old, new))}
    return affected(index, folder, pairs)


def names(answer: AffectedAnswer) -> set[str]:
    """The tests that are selected for sure, without package and number."""
    return {
        name.rpartition(":")[2].removesuffix(".1") for one in answer.tests if one.sure for name in one.runs
    }


CHANGES = [
    (
        "a function",
        "amounts.lisp",
        "(round amount +cents+)",
        "(floor amount +cents+)",
        "rounded converted made once inner inside",
    ),
    (
        "a constant",
        "amounts.lisp",
        "+cents+ 100",
        "+cents+ 10",
        "rounded converted made once inner inside",
    ),
    ("a variable", "amounts.lisp", "*rate* 2", "*rate* 3", "converted inner inside"),
    ("a variable that others bind", "amounts.lisp", "*mode* :plain", "*mode* :x", "mode"),
    ("a proclamation", "amounts.lisp", "(function (integer) list)", "(function (string) list)", "listed"),
    ("a macro", "amounts.lisp", "(list ,form ,form)", "(list ,form)", "twice"),
    ("a type", "amounts.lisp", "(integer 0 1000)", "(integer 0 4)", "amountp kind.amount kind.integer"),
    ("nothing that is used", "amounts.lisp", "unrelated (amount) (list", "unrelated (amount) (cons", ""),
    ("a method", "accounts.lisp", "((one savings)) 0", "((one savings)) 2", "fee"),
    ("a method for objects that few make", "accounts.lisp", "((one loan)) 3", "((one loan)) 4", "loan"),
    (
        "a method for the objects of all",
        "accounts.lisp",
        "((one account)) 1)",
        "((one account)) 2)",
        "fee loan",
    ),
    ("what a method is for", "accounts.lisp", "((one loan)) 3", "((one t)) 3", "fee loan"),
    ("a class", "accounts.lisp", ":initform 0", ":initform 1", "fee printed balance limit loan"),
    ("a class that few use", "accounts.lisp", "loan (account) ()", "loan (account) (x)", "loan"),
    ("a method of the standard's", "accounts.lisp", '"<~a>"', '"<~s>"', "fee printed balance limit loan"),
    (
        "a method that makes objects",
        "accounts.lisp",
        "(balance one) 5",
        "(balance one) 6",
        "fee printed balance limit",
    ),
    ("a setf function", "accounts.lisp", "(setf (balance one) new)", "(setf (balance one) 1)", "limit"),
    ("a structure", "accounts.lisp", "(sum 3)", "(sum 4)", "entry"),
    ("what is registered", "commands.lisp", "(lambda () (hello))", "(lambda () 1)", "run"),
    ("what that calls", "commands.lisp", "(defun hello () :hello)", "(defun hello () :x)", "run"),
    ("what a macro of the project defines", "commands.lisp", '"hi"', '"ho"', "word"),
    ("a macro that makes tests", "commands.lisp", ",form ,form) t)", ",form 1) t)", "made"),
    ("a test", "tests.lisp", "(list 1) (1))", "(list 2) (2))", "nothing"),
]


@pytest.mark.parametrize(("what", "file", "old", "new", "wanted"), CHANGES, ids=[one[0] for one in CHANGES])
def test_the_tests_that_a_change_can_reach(
    what: str, file: str, old: str, new: str, wanted: str, index: Reading
) -> None:
    answer = changed(index, file, old, new)
    assert names(answer) == set(wanted.split()), what
    assert answer.tests_total == len(TESTS) and not answer.everything
    unsure = {name for one in answer.tests if not one.sure for name in one.runs}
    assert unsure == {"ledger::by-name.1"}


def test_code_that_looks_names_up_may_use_anything(index: Reading) -> None:
    answer = changed(index, "commands.lisp", ":hello)\n(register", ":x)\n(register")
    assert answer.looked_up == ["commands.lisp:9: defun by-name"]
    (perhaps,) = [one for one in answer.tests if not one.sure]
    assert perhaps.runs == ["ledger::by-name.1"]
    assert perhaps.why == ["defun by-name (commands.lisp:9)"]


def test_the_way_is_told_from_the_test_to_the_change(index: Reading) -> None:
    answer = changed(index, "amounts.lisp", "(round amount +cents+)", "(floor amount +cents+)")
    (converted,) = [one for one in answer.tests if "converted" in one.name]
    assert converted.distance == 2
    assert converted.why == ["defun converted (amounts.lisp:10)", "defun rounded (amounts.lisp:9)"]
    assert [one.distance for one in answer.tests] == sorted(one.distance for one in answer.tests)


def test_documentation_is_a_change_that_reaches_no_test(index: Reading) -> None:
    answer = changed(index, "amounts.lisp", "A list of AMOUNT.", "AMOUNT in a list.")
    assert [one.names for one in answer.changed] == [["listed"]] and answer.tests == []


def test_comments_and_layout_are_no_change(index: Reading) -> None:
    answer = changed(
        index, "amounts.lisp", "(defun rounded (amount)", ";; new\n\n(defun  rounded\n  (amount)"
    )
    assert answer.changed == [] and answer.tests == []


@pytest.mark.parametrize(
    ("file", "old", "new", "why"),
    [
        ("package.lisp", "#:run", "#:run #:hello", "package.lisp:1: a package is defined in another way"),
        ("ledger.asd", ":serial t", "", "ledger.asd:1: a system is defined in another way"),
        (
            "amounts.lisp",
            "(in-package :ledger)",
            "(in-package :cl)",
            "amounts.lisp:1: text is read in another",
        ),
        (
            "commands.lisp",
            "(debug 1)",
            "(debug 2)",
            "commands.lisp:2: code may be compiled differently",
        ),
    ],
)
def test_what_may_change_everything_selects_all_tests(
    file: str, old: str, new: str, why: str, index: Reading
) -> None:
    answer = changed(index, file, old, new)
    assert answer.everything[0].startswith(why)
    assert len(answer.tests) == len(TESTS)


def test_a_new_file_changes_nothing_that_is_there(index: Reading) -> None:
    folder = str(ledger())
    text = "(in-package :ledger)\n\n(defun fresh () (rounded 1))\n(defmethod fee ((one (eql 1))) 1)\n"
    answer = affected(index, folder, {f"{folder}/fresh.lisp": TextPair(None, text)})
    assert answer.everything == [] and names(answer) == {"fee", "loan"}


def test_a_file_that_the_build_left_out_is_new_if_it_came_later(copy: Path) -> None:
    asked = ["affected", "--index", str(ledger() / ".oblist" / "oblist.db"), "--json"]
    asked += ["--root", f"project={copy}", "--project", str(copy)]
    notes = copy / "notes.lisp"
    notes.write_text("(defun note () 1)\n")
    assert [one["names"] for one in json.loads(run_main(*asked).output)["changed"]] == [["note"]]
    os.utime(notes, (0, 0))
    assert json.loads(run_main(*asked).output)["changed"] == []


def test_page_separators_are_blanks(copy: Path) -> None:
    asked = ["affected", "--index", str(ledger() / ".oblist" / "oblist.db")]
    asked += ["--root", f"project={copy}", "--project", str(copy)]
    (copy / "amounts.lisp").write_text(FILES["amounts.lisp"].replace("\n\n", "\n\f\n"))
    assert run_main(*asked).output == "Nothing has changed.\n"


def test_new_and_removed_forms(index: Reading) -> None:
    gone = changed(index, "amounts.lisp", "(defun rounded (amount) (* +cents+ (round amount +cents+)))\n", "")
    assert [(one.what, one.names) for one in gone.changed] == [("removed", ["rounded"])]
    assert names(gone) == {"rounded", "converted", "made", "once", "inner", "inside"}
    method = "(defmethod fee ((one account)) 1)\n"
    added = changed(index, "accounts.lisp", method, f"{method}(defmethod fee ((one (eql 1))) 1)\n")
    assert [(one.what, one.names) for one in added.changed] == [("added", ["fee"])]
    assert names(added) == {"fee", "loan"}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The project in a repository of git, its index built from what is committed."""
    folder = tmp_path / "ledger"
    shutil.copytree(ledger(), folder)
    return folder


def test_the_command_compares_with_git(copy: Path) -> None:
    # The index of the copy names the files of the original; what git says is of the copy.
    git(copy, "init", "-q")
    git(copy, "add", ".")
    git(copy, "commit", "-qm", "first")
    index = ledger() / ".oblist" / "oblist.db"
    (copy / "amounts.lisp").write_text(FILES["amounts.lisp"].replace("*rate* 2", "*rate* 3"))
    asked = ["affected", "--index", str(index), "--root", f"project={copy}", "--project", str(copy)]
    run = run_main(*asked, "--since", "HEAD", "--json")
    assert run.code == 0, run.errors
    assert [one["names"] for one in json.loads(run.output)["changed"]] == [["*rate*"]]
    wrong = run_main(*asked, "--since", "nothing")
    assert (wrong.code, wrong.errors) == (
        2,
        f"oblist: The Git repository of {copy} has no revision 'nothing'.\n",
    )
    hostile = run_main(*asked, "--since", "--output=x")
    assert hostile.code == 2 and not Path("x").exists()


def test_a_folder_without_git_is_told(index: Reading, tmp_path: Path) -> None:
    run = run_main("affected", "--index", str(index.path), "--project", str(tmp_path), "--since", "HEAD")
    assert (run.code, run.errors) == (2, f"oblist: {tmp_path} is not in a Git repository.\n")


def test_nothing_has_changed(index: Reading) -> None:
    run = run_main("affected", "--index", str(index.path))
    assert (run.code, run.output) == (0, "Nothing has changed.\n")
    assert run_main("affected", "--index", str(index.path), "--tests").output == ""
    two = run_main("affected", str(index.path), str(index.path))
    assert (two.code, two.output) == (0, "Nothing has changed.\n")
    assert run_main("affected", str(index.path)).code == 2


def test_macros_that_define_tests_by_themselves_are_named_in_the_settings(copy: Path) -> None:
    index = str(ledger() / ".oblist" / "oblist.db")
    asked = ["affected", "--index", index, "--root", f"project={copy}", "--project", str(copy), "--json"]
    total = json.loads(run_main(*asked).output)["tests_total"]
    assert total == len(TESTS)
    (copy / "oblist.toml").write_text('[affected]\ntests = ["ledger::register"]\n')
    assert json.loads(run_main(*asked).output)["tests_total"] == total + 1
    for text, words in (
        ('[affected]\ntests = ["ledger::nothing"]\n', "[affected] tests: "),
        ("[affected]\nx = 1\n", "[affected] has only one setting: tests, a list of macro names."),
        ("[affected]\ntests = 1\n", "tests"),
        ("affected = 1\n", "[affected] has only one setting"),
        ("[other]\n", "unknown table [other]; settings go in [check] and [affected]."),
    ):
        (copy / "oblist.toml").write_text(text)
        run = run_main(*asked)
        assert run.code == 2 and words in run.errors and str(copy / "oblist.toml") in run.errors
