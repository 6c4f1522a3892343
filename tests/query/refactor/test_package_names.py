"""A package gets another name wherever it is named, and nothing that has its name besides does."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from oblist.query.api import Index, open_index
from oblist.query.edit.changes import edited
from oblist.query.refactor.errors import RefactorError
from oblist.query.refactor.project.texts import ProjectTexts
from oblist.query.refactor.rename.package_names import renamed_package
from support.editors.atelier import FILES, SHOP, atelier


@pytest.fixture(scope="module")
def index() -> Iterator[Index]:
    with open_index(atelier() / ".oblist" / "oblist.db") as index:
        yield index


def project_with(index: Index, text: str) -> ProjectTexts:
    return ProjectTexts(index, str(atelier()), {str(atelier() / "shop.lisp"): f"{SHOP}{text}"})


NAMING = """
(in-package "ATELIER.CLOTH")
(in-package :atelier)
(defpackage #:later (:use #:cl atelier.cloth) (:import-from #.(string '#:x) #:y)
  (:import-from :atelier.cloth #:sew) (:local-nicknames (#:c "ATELIER.CLOTH")))
(find-symbol "SEW" '#:atelier.cloth)
(uiop:symbol-call :atelier.cloth '#:sew nil)
(do-symbols (s :atelier.cloth) (print s))
#-sbcl (list 'atelier.cloth::cut (find-package :atelier.cloth))
(use-package '(:atelier.cloth) :atelier)
(loop for s being the external-symbols of :atelier.cloth collect s)
(named-in 'x :atelier.cloth)
(cloth:sew 1)
"""


@pytest.mark.parametrize("new", ["atelier.fabric", "|Fabric|"])
def test_all_that_names_it(index: Index, new: str) -> None:
    plan = renamed_package(project_with(index, NAMING), "atelier.cloth", new)
    exact = new[1:-1] if new.startswith("|") else new.upper()
    changed = {path.rpartition("/")[2]: edited(plan.texts[path], edits) for path, edits in plan.edits.items()}
    expected = {
        name: re.sub("atelier[.]cloth", new, text.replace("ATELIER.CLOTH", exact))
        for name, text in {**FILES, "shop.lisp": f"{SHOP}{NAMING}"}.items()
        if "atelier.cloth" in text
    }
    assert (changed, plan.unplaced) == (expected, [])


def test_what_has_its_name_besides_is_told_but_a_system_is_not(index: Index) -> None:
    text = """(list :atelier.cloth "ATELIER.CLOTH" 'atelier.cloth)\n(asdf:load-system :atelier.cloth)\n
    (pushnew :atelier.cloth *features*)\n"""
    plan = renamed_package(project_with(index, text), "atelier.cloth", "fabric")
    line = SHOP.count("\n") + 1
    assert [(one.line, one.column) for one in plan.unplaced] == [(line, 7), (line, 22)]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("cl-nowhere", "x", "not found"),
        ("cl", "x", "does not tell where the package common-lisp is defined"),
        ("atelier", "cl-user", "is already in use: the package"),
        ("atelier", "cloth", "is a local nickname in the package atelier"),
        ("atelier", "fabric", "shop.lisp:21 contains fabric::x"),
        ("atelier", "a b", "must be the name of a symbol"),
    ],
)
def test_what_cannot_be_is_refused(index: Index, old: str, new: str, why: str) -> None:
    with pytest.raises(RefactorError, match=re.escape(why)):
        renamed_package(project_with(index, "#+nil (fabric::x)\n"), old, new)
