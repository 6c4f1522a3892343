"""The command rename: it shows, proves and writes, or refuses and changes nothing."""

from __future__ import annotations

import json
import tempfile
from hashlib import sha256
from pathlib import Path

import pytest

from oblist.indexer.format import user_cache_folder
from oblist.query.edit.writing import JOURNAL
from oblist.query.refactor.proof.built import copied
from support.command_line import run_main
from support.editors.atelier import FILES, atelier, copied_atelier, restored


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied_atelier(tmp_path_factory.mktemp("renamed") / "atelier")


@pytest.fixture
def project(copy: Path) -> Path:
    return restored(copy)


def renamed(project: Path, *arguments: str) -> tuple[int, str, str]:
    return run_main("rename", *arguments, "--index", str(project / ".oblist" / "oblist.db"))


def texts(project: Path) -> dict[str, str]:
    return {name: (project / name).read_text() for name in FILES}


def test_it_shows_proves_and_writes(project: Path) -> None:
    status, shown, said = renamed(project, "atelier.cloth:cut", "trim")
    assert status == 0 and "+(defun trim (bolt &key (length 1))" in shown
    assert "--write would change" in said and "comments and documentation name it, too" in said
    assert texts(project) == FILES

    status, shown, said = renamed(project, "atelier.cloth:cut", "trim", "--prove", "--write")
    assert (status, shown) == (0, "")
    assert "changed" in said and "the project is the same but for the names" in said
    assert "(defun trim (bolt" in texts(project)["cloth.lisp"]


def test_nothing_is_proved_of_what_does_not_load(project: Path) -> None:
    shop = project / "shop.lisp"
    shop.write_text(f'{shop.read_text()}(error "It is closed.")\n')
    before = texts(project)
    status, shown, said = renamed(project, "atelier.cloth:cut", "trim", "--prove", "--write")
    assert (status, shown) == (1, "")
    assert "the project does not load even without the change, so nothing can be proved: system " in said
    assert "system atelier" in said
    assert "It is closed." in said and "oblist-proof" not in said
    assert texts(project) == before


def test_nothing_of_a_copy_is_left(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the copy, nor what ASDF has compiled of it, even of one that was killed."""
    compiled = user_cache_folder().with_name("common-lisp") / "some-sbcl" / str(tmp_path)[1:]
    killed = compiled / "oblist-proof-1-killed" / "atelier"
    killed.mkdir(parents=True)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with copied(project) as copy:
        own = compiled / str(copy.relative_to(tmp_path))
        own.mkdir(parents=True)
        assert (copy / "shop.lisp").exists() and killed.exists()
    assert list(tmp_path.iterdir()) == [] == list(compiled.iterdir())


def test_what_is_not_the_same_is_not_written(project: Path) -> None:
    shop = project / "shop.lisp"
    shop.write_text(f'{shop.read_text()}(defun late () (funcall (intern "CUT" :atelier.cloth) 1))\n')
    before = texts(project)
    status, shown, said = renamed(project, "atelier.cloth:cut", "trim", "--write")
    assert (status, shown) == (1, "") and "this string is its name" in said
    assert texts(project) == before
    assert renamed(project, "atelier.cloth:cut", "trim", "--leave-unplaced")[0] == 0


TESTED = """
(defun tested ()
  (format t "~&checked ~a of 1~%" (if (fboundp (find-symbol "CUT" '#:atelier.cloth)) 1 0)))
"""


def test_the_projects_tests_have_to_say_the_same(project: Path) -> None:
    shop, system = project / "shop.lisp", project / "atelier.asd"
    shop.write_text(f"{shop.read_text()}{TESTED}")
    perform = "  :perform (test-op (o c) (symbol-call :atelier :tested))"
    system.write_text(system.read_text().rstrip().removesuffix(")") + f"\n{perform})\n")
    before = texts(project)
    arguments = ("atelier.cloth:cut", "trim", "--test", "--leave-unplaced", "--write")
    status, _, said = renamed(project, *arguments)
    assert status == 1 and texts(project) == before
    assert "gone from the test output of atelier: checked 1 of 1" in said
    assert "new in the test output of atelier: checked 0 of 1" in said


def test_only_writing_finishes_an_interrupted_change(project: Path) -> None:
    shop, beside = project / "shop.lisp", project / ".shop.lisp.1.oblist-edit"
    new = f"{FILES['shop.lisp']};; finished\n"
    beside.write_text(new)
    renames = [[beside.name, shop.name, sha256(shop.read_bytes()).hexdigest()]]
    (project / JOURNAL).write_text(json.dumps(renames))
    assert renamed(project, "atelier.cloth:cut", "trim")[0] == 0
    assert shop.read_text() == FILES["shop.lisp"] and beside.exists()

    status, _, said = renamed(project, "atelier.cloth:cut", "trim", "--write")
    assert status == 1 and "has been completed: build the index again" in said
    assert shop.read_text() == new and "(defun cut (bolt" in texts(project)["cloth.lisp"]
    assert not beside.exists() and not (project / JOURNAL).exists()


def test_a_local_name_and_json(project: Path) -> None:
    place = f"{project / 'shop.lisp'}:4:10"
    status, shown, _ = renamed(project, place, "span", "--write", "--json")
    answer = json.loads(shown)
    assert status == 0 and answer["written"] and answer["renamed"] == {"length": "span"}
    text = (project / "shop.lisp").read_text()
    assert "(let ((span 3) (cut 1))" in text and "(cut bolt :length span)" in text


def test_nothing_outside_of_the_project_is_written(project: Path, tmp_path: Path) -> None:
    outside = tmp_path / "late.lisp"
    outside.write_text("(in-package #:atelier)\n(defun late () (cut 1))\n")
    link = project / "late.lisp"
    link.symlink_to(outside)
    try:
        before = outside.read_text()
        status, _, said = renamed(project, "atelier.cloth:cut", "trim", "--write")
        assert status == 1 and "a link to a file outside the project" in said
        assert renamed(project, "atelier.cloth:cut", "trim", "--write", "--leave-unplaced")[0] == 0
        assert outside.read_text() == before and "(trim 1)" in (project / "cloth.lisp").read_text()
    finally:
        link.unlink()


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("atelier.cloth:cutt", "trim"), 1, "not found"),
        (("atelier.cloth:cut", "car"), 1, "is already in use"),
        (("shop.lisp:9999:1", "trim"), 1, "there is no such file"),
        (("atelier.cloth:cut", "trim", "--project", "/nowhere/at/all"), 1, "no such folder"),
    ],
)
def test_bad_input_is_told(arguments: tuple[str, ...], status: int, said: str) -> None:
    code, shown, errors = renamed(atelier(), *arguments)
    assert (code, shown) == (status, "") and said in errors and "Traceback" not in errors
