"""audit --prove: what is unused is deleted in a copy, and what is certain can be deleted."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from oblist.query.check.audit.answer import AuditFinding
from oblist.query.edit.changes import edited
from oblist.query.refactor.proof.built import copied
from oblist.query.refactor.unused.deletion import Deletion, joined, removal
from oblist.query.refactor.unused.proved import DeletableSearch
from oblist.query.refactor.unused.trial import OutOfTimeError
from oblist.query.syntax.format_control import literal_pieces
from support.builds.tested_version import since
from support.command_line import run_main
from support.editors.attic import FILES, copied_attic, marked


@pytest.fixture(scope="module")
def attic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied_attic(tmp_path_factory.mktemp("proved") / "attic")


def audited(attic: Path, *arguments: str) -> tuple[int, str, str]:
    return run_main("audit", *arguments, "--index", str(attic / ".oblist" / "oblist.db"))


def texts(attic: Path) -> dict[str, str]:
    return {name: (attic / name).read_text() for name in FILES}


@pytest.mark.skipif(
    not since("2.2"), reason="SBCL 2.0 has a definition for (declaim (inline count-boxes)), too"
)
def test_each_definition_goes_or_stays_for_a_reason_and_those_that_go_are_deleted(attic: Path) -> None:
    status, shown, _ = audited(attic, "--prove", "--exported", "--write", "--json")
    answer = json.loads(shown)
    expected = marked()
    assert len(expected) > 15
    assert status == 1 and answer["written"]  # something is left
    found = {(Path(one["path"]).name, one["line"]): one for one in answer["findings"]}
    assert {place for place, one in found.items() if one["certain"]} == {
        place for place, why in expected.items() if why is None
    }
    for place, why in expected.items():
        assert why is None or why in found[place]["reason"]
    assert found.keys() == expected.keys()
    assert answer["builds"] < 6
    now = texts(attic)
    assert now["packages.lisp"] == ("(defpackage #:attic\n  (:use #:cl)\n  (:export #:open-chest))\n")
    assert now["boxes.lisp"] == ("(in-package #:attic)\n\n;;; Boxes\n\n(defparameter *shelves* 3)\n")
    assert "creaking" not in now["chests.lisp"] and "#+sbcl" not in now["chests.lisp"]
    assert "(eval-when (:compile-toplevel :load-toplevel :execute)\n  (defun oiled" in now["chests.lisp"]

    status, shown, _ = audited(attic, "--prove")
    changed = "has changed since the index was built: build it again"
    assert status == 1 and changed in shown and "0 of" in shown


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--write",), "give --prove, too"),
        (("--prove", "--list", "import"), "--prove works only with --list unused"),
        (("--prove", "--format", "sarif"), "--prove works only with --list unused"),
        (("--test", "--baseline", "old"), "--prove works only with --list unused"),
        (("--prove", "--most", "0"), "--most"),
    ],
)
def test_what_no_proof_can_do_is_refused(attic: Path, arguments: Sequence[str], why: str) -> None:
    status, _, said = audited(attic, *arguments)
    assert status == 2 and why in said


def test_a_copy_is_removed_when_a_proof_is_interrupted(attic: Path) -> None:
    copies: list[Path] = []
    with pytest.raises(KeyboardInterrupt), copied(attic) as copy:
        copies.append(copy)
        assert (copy / "boxes.lisp").is_file() and not (copy / ".oblist").exists()
        raise KeyboardInterrupt
    assert not copies[0].parent.exists()


def deletion(name: str) -> Deletion:
    finding = AuditFinding("unused", name, "function", "nothing uses it", None, None, None, None)
    return Deletion(finding, frozenset(), (), {}, frozenset())


ALL = [deletion(name) for name in "abcdefghij"]


@pytest.mark.parametrize("kept", ["", "a", "j", "cd", "aej", "abcdefghij"])
def test_what_does_not_go_is_found_in_few_tries(kept: str) -> None:
    tries: list[str] = []

    def differences(deletions: Sequence[Deletion]) -> list[str]:
        tried = "".join(one.finding.written for one in deletions)
        tries.append(tried)
        return [f"gone {name}" for name in tried if name in kept]

    search = DeletableSearch(differences)
    certain = search.settled([], ALL)
    assert [one for one in ALL if one.finding.written not in kept] == sorted(certain, key=ALL.index)
    assert {one.finding.written: why for one, why in search.reasons.items()} == {
        name: f"gone {name}" for name in kept
    }
    assert len(tries) <= 1 + 2 * len(kept) * 4
    if len(kept) < len(ALL):  # what is certain was tried as one
        assert set(tries) & {"".join(one.finding.written for one in certain)}


def test_what_there_is_no_time_for_is_not_certain() -> None:
    tries: list[int] = []

    def differences(deletions: Sequence[Deletion]) -> list[str]:
        tries.append(len(deletions))
        if len(tries) > 2:
            raise OutOfTimeError("the time limit was reached first")
        return ["it differs"] if len(tries) == 1 else []

    search = DeletableSearch(differences)
    assert search.settled([], ALL) == ALL[:5]
    assert set(search.reasons.values()) == {"the time limit was reached first"}
    assert [*search.reasons] == ALL[5:]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("(a)\n\n(x)\n\n(b)\n", "(a)\n\n(b)\n"),
        ("(a)\n(x)\n(b)\n", "(a)\n(b)\n"),
        ("(a)\n\n(x)\n", "(a)\n"),
        ("(a)\n\n(x)\n\n(x)\n\n\n(b)\n", "(a)\n\n\n(b)\n"),
        ("(a)\n\n(x)\n\n(x)\n", "(a)\n"),
        ("(a) (x) (b)\n", "(a)  (b)\n"),
    ],
)
def test_the_wider_gap_is_left_around_what_goes(text: str, left: str) -> None:
    forms = [match.span() for match in re.finditer(r"\(x\)\n?", text)]
    assert edited(text, [removal(text, *one) for one in joined(text, forms)]) == left


@pytest.mark.parametrize(
    ("control", "pieces"),
    [
        ("~A-HANDLER", ["-HANDLER"]),
        ("MAKE-~:@(~A~)-~2,'0D", ["MAKE-", "-"]),
        ("~A", []),
        ("a name", ["a", "name"]),
        ("it ends in ~", ["it", "ends", "in"]),
    ],
)
def test_the_pieces_of_a_control_string_are_what_it_writes_itself(control: str, pieces: list[str]) -> None:
    assert literal_pieces(control) == pieces
