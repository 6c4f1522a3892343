"""A system gets another name in definitions and in what depends on it, and its file does, too."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from oblist.query.api import Index, open_index
from oblist.query.edit.changes import edited
from oblist.query.edit.writing import write_changes
from oblist.query.refactor.errors import RefactorError
from oblist.query.refactor.project.texts import ProjectTexts
from oblist.query.refactor.rename.systems import renamed_system
from support.editors.atelier import SHOP, SYSTEM, atelier

MORE = """
(defsystem #:atelier/tests :depends-on ("atelier" (:version "atelier" "1") #+sbcl :atelier)
  :in-order-to ((test-op (load-op :atelier)))
  :perform (test-op (o c) (symbol-call :atelier '#:run)))
"""
LOADING = """(asdf:load-system :atelier) (asdf:load-system "atelier/tests") (in-package :atelier)\n"""


@pytest.fixture(scope="module")
def index() -> Iterator[Index]:
    with open_index(atelier() / ".oblist" / "oblist.db") as index:
        yield index


def project_with(index: Index, **texts: str) -> ProjectTexts:
    given = {str(atelier() / name.replace("_", ".")): text for name, text in texts.items()}
    return ProjectTexts(index, str(atelier()), given)


def test_all_that_names_it(index: Index) -> None:
    project = project_with(index, atelier_asd=f"{SYSTEM}{MORE}", shop_lisp=f"{SHOP}{LOADING}")
    plan = renamed_system(project, "atelier", "studio")
    changed = {path.rpartition("/")[2]: edited(plan.texts[path], edits) for path, edits in plan.edits.items()}
    named = re.sub("atelier(?! '#:run)", "studio", f"{SYSTEM}{MORE}")
    loading = LOADING.replace("load-system :atelier", "load-system :studio").replace('"atelier/', '"studio/')
    assert changed == {"atelier.asd": named, "shop.lisp": f"{SHOP}{loading}"}
    assert plan.unplaced == []
    assert plan.moved == {str(atelier() / "atelier.asd"): str(atelier() / "studio.asd")}


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("nowhere", "x", "the index has no system nowhere"),
        ("atelier", "asdf", "the index has a system of that name"),
        ("atelier", "a b", "cannot be the name of this system"),
        ("atelier", "atelier/x", "cannot be the name of this system"),
        ("asdf", "x", "system asdf"),
    ],
)
def test_what_cannot_be_is_refused(index: Index, old: str, new: str, why: str) -> None:
    with pytest.raises(RefactorError, match=why):
        renamed_system(project_with(index), old, new)


def test_a_string_elsewhere_is_told(index: Index) -> None:
    project = project_with(index, shop_lisp=f'{SHOP}(print "atelier")\n')
    (place,) = renamed_system(project, "atelier", "studio").unplaced
    assert place.line == SHOP.count("\n") + 1


def test_the_file_moves(index: Index, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("moved")
    (folder / "atelier.asd").write_text(SYSTEM)
    plan = renamed_system(project_with(index), "atelier", "studio")
    changes = plan.changes_in(lambda path: str(folder / path.rpartition("/")[2]))
    assert "+++ b/studio.asd" in next(iter(changes.values())).difference("atelier.asd")
    write_changes([*changes.values()])
    assert [one.name for one in folder.iterdir()] == ["studio.asd"]
    assert (folder / "studio.asd").read_text() == SYSTEM.replace('"atelier"', '"studio"')
