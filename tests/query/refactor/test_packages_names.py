"""Symbols are imported or written with their package, and what they mean stays the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from oblist.query.api import Index, open_index
from oblist.query.edit.changes import edited
from oblist.query.refactor.errors import RefactorError
from oblist.query.refactor.packages.defined import DefinedPackage, package_to_edit
from oblist.query.refactor.packages.imports import imported, qualified
from oblist.query.refactor.packages.nicknames import nicknamed, without_nickname
from oblist.query.refactor.packages.unused import without_unused
from oblist.query.refactor.packages.uses import expanded_use
from oblist.query.refactor.plan import EditPlan
from oblist.query.refactor.project.texts import ProjectTexts
from support.editors.bazaar import FILES, LATE, PACKAGES, SHOP, bazaar

Planned = Callable[[ProjectTexts, DefinedPackage], EditPlan]


@pytest.fixture(scope="module")
def index() -> Iterator[Index]:
    with open_index(bazaar() / ".oblist" / "oblist.db") as index:
        yield index


def planned(index: Index, plan: Planned, within: str = "BAZAAR", **texts: str) -> EditPlan:
    """A plan for a package, in texts that are given by the names of their files without type."""
    given = {str(bazaar() / f"{name}.lisp"): text for name, text in texts.items()}
    project = ProjectTexts(index, str(bazaar()), given)
    return plan(project, package_to_edit(project, within))


def after(index: Index, plan: Planned, within: str = "BAZAAR", **texts: str) -> dict[str, str]:
    """The texts that a plan changes, by the names of their files."""
    found = planned(index, plan, within, **texts)
    assert found.unplaced == []
    return {path.rpartition("/")[2]: edited(found.texts[path], edits) for path, edits in found.edits.items()}


def importing(*names: str) -> Planned:
    return lambda project, here: imported(project, here, names)


def qualifying(*names: str) -> Planned:
    return lambda project, here: qualified(project, here, names)


def expanding(package: str) -> Planned:
    return lambda project, here: expanded_use(project, here, package)


def dropping(*names: str, exports: bool = False) -> Planned:
    return lambda project, here: without_unused(project, here, names, exports=exports)


def test_what_is_written_with_its_package_is_imported(index: Index) -> None:
    late = LATE.replace(
        "(bazaar.hats:cap 2)", "(bazaar.hats:cap 2) `(bazaar.hats::cap)\n #-sbcl bazaar.hats:cap"
    )
    changed = after(index, importing("bazaar:total", "bazaar.hats:cap"), "BAZAAR.LATE", late=late)
    assert changed["late.lisp"] == (
        late.replace("bazaar:total", "total")
        .replace("bazaar.hats:cap", "cap")
        .replace("bazaar.hats::cap", "cap")
    )
    assert "(:import-from #:bazaar #:ribbon #:total)" in changed["packages.lisp"]
    assert "(:export #:last-one)\n  (:import-from #:bazaar.hats #:cap))" in changed["packages.lisp"]
    plan = planned(index, importing("bazaar.hats:cap"), "BAZAAR.LATE")
    assert [one.row[2:5] for one in plan.new] == [("imports", "BAZAAR.HATS", "CAP")]


def test_what_is_accessible_is_only_written_without_its_package(index: Index) -> None:
    shop = SHOP.replace("(flatten (list", "(bazaar.tools:flatten (list")
    assert after(index, importing("bazaar.tools:flatten"), shop=shop) == {"shop.lisp": SHOP}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("bazaar.tools:shut", "in bazaar, shut already names another symbol"),
        ("bazaar.hats::brim", "bazaar.hats might not have brim yet"),
        ("bazaar.hats:hut", "no symbol bazaar.hats:hut"),
        ("brim", "must be a symbol with its package"),
        ("sb-bsd-sockets:socket", "no symbol sb-bsd-sockets:socket"),
        ("bazaar:total", "is a symbol of bazaar itself"),
    ],
)
def test_what_would_be_something_else_is_not_imported(index: Index, name: str, why: str) -> None:
    with pytest.raises(RefactorError, match=why):
        planned(index, importing(name))


def test_a_name_that_would_become_another_symbol_is_not_imported(index: Index) -> None:
    late = f"{LATE}#-sbcl (defun cap () 1)\n"
    with pytest.raises(RefactorError, match=r"cap at .*late\.lisp:8:15 would then mean another symbol"):
        planned(index, importing("bazaar.hats:cap"), "BAZAAR.LATE", late=late)


def test_a_string_that_has_the_name_is_told(index: Index) -> None:
    late = f'{LATE}(defun made () (intern "CAP"))\n'
    (place,) = planned(index, importing("bazaar.hats:cap"), "BAZAAR.LATE", late=late).unplaced
    assert (place.line, place.column) == (8, 24) and "this string is its name" in place.why


def test_an_import_becomes_a_local_nickname_before_the_name(index: Index) -> None:
    shop = f"{SHOP}(defun hats () (list 'HAT #'hat `(,hat)))\n"
    assert after(index, qualifying("hat"), shop=shop) == {
        "packages.lisp": PACKAGES.replace("#:cap\n                #:hat)", "#:cap)"),
        "shop.lisp": shop.replace("(hat (", "(h:hat (")
        .replace("'HAT", "'H:HAT")
        .replace("#'hat", "#'h:hat")
        .replace(",hat", ",h:hat"),
    }
    both = after(index, qualifying("hat", "cap"))
    assert ":import-from #:bazaar.hats" not in both["packages.lisp"]


@pytest.mark.parametrize(
    ("name", "why"), [("ribbon", "late imports ribbon from bazaar"), ("flatten", "does not import flatten")]
)
def test_what_others_have_from_there_stays_imported(index: Index, name: str, why: str) -> None:
    packages = PACKAGES.replace(
        "(:import-from #:bazaar.hats #:cap",
        "(:import-from #:bazaar.tools #:ribbon)\n  (:import-from #:bazaar.hats #:cap",
    )
    with pytest.raises(RefactorError, match=why):
        planned(index, qualifying(name), packages=packages)


def test_a_use_becomes_the_imports_of_what_is_used(index: Index) -> None:
    changed = after(index, expanding("BAZAAR.TOOLS"))
    clause = "(:import-from #:bazaar.tools #:*door* #:again #:flatten #:open-door #:ribbon)"
    assert changed == {
        "packages.lisp": PACKAGES.replace("(:use #:cl #:bazaar.tools)", f"(:use #:cl)\n  {clause}")
    }
    plan = planned(index, expanding("BAZAAR.TOOLS"))
    assert len(plan.new) == 5 and not plan.gone


def test_strings_and_calls_that_may_use_a_package_are_told(index: Index) -> None:
    shop = f'{SHOP}(use-package :bazaar.hats)\n(defun spares () (find-symbol "SPARE"))\n'
    plan = planned(index, expanding("BAZAAR.TOOLS"), shop=shop)
    assert [one.line for one in plan.unplaced] == [13, 14]


@pytest.mark.parametrize(
    ("clause", "why"),
    [
        ("(:use #:cl #+sbcl #:bazaar.tools)", "would affect a comment"),
        ("(:use #:cl #.(identity :bazaar.tools))", "is computed at read time"),
        ("(:use #:cl)", "must use bazaar.tools exactly once"),
    ],
)
def test_a_use_that_the_text_does_not_tell_stays(index: Index, clause: str, why: str) -> None:
    packages = PACKAGES.replace("(:use #:cl #:bazaar.tools)", clause)
    with pytest.raises(RefactorError, match=why):
        planned(index, expanding("BAZAAR.TOOLS"), packages=packages)


def test_a_use_that_the_index_does_not_have_stays(index: Index) -> None:
    packages = PACKAGES.replace("(:use #:cl #:bazaar.tools)", "(:use #:cl #:bazaar.hats)")
    with pytest.raises(RefactorError, match="does not know yet that"):
        planned(index, expanding("BAZAAR.HATS"), packages=packages)
    with pytest.raises(RefactorError, match="does not contain the package new yet"):
        planned(index, dropping(), "NEW", packages=f"{PACKAGES}(defpackage #:new (:use #:cl))\n")


def test_a_package_that_has_a_form_for_other_lisps_stays(index: Index) -> None:
    packages = f"{PACKAGES}#-sbcl (defpackage #:bazaar (:use #:cl))\n"
    with pytest.raises(RefactorError, match="also defines bazaar, for other Lisps"):
        planned(index, expanding("BAZAAR.TOOLS"), packages=packages)


def test_a_nickname_comes_and_is_written(index: Index) -> None:
    shop = f"(cl:in-package #:bazaar)\n{SHOP}"
    changed = after(index, lambda one, here: nicknamed(one, here, "tl", "BAZAAR.TOOLS"), shop=shop)
    assert changed == {
        "packages.lisp": PACKAGES.replace("((#:h", "((#:h").replace(
            "#:bazaar.hats))", "#:bazaar.hats) (#:tl #:bazaar.tools))"
        ),
        "shop.lisp": shop.replace("bazaar.tools:", "tl:"),
    }
    with pytest.raises(RefactorError, match=r"h already means bazaar\.hats in bazaar"):
        planned(index, lambda one, here: nicknamed(one, here, "h", "BAZAAR.TOOLS"))


def test_a_nickname_goes_and_its_package_is_written(index: Index) -> None:
    assert after(index, lambda one, here: without_nickname(one, here, "h")) == {
        "packages.lisp": PACKAGES.replace("\n  (:local-nicknames (#:h #:bazaar.hats))", ""),
        "shop.lisp": SHOP.replace("h:cap", "bazaar.hats:cap"),
    }
    shop = f'{SHOP}(defun packages () (list (find-package :h) (format nil "~/h:show/" 1) \'h))\n'
    plan = planned(index, lambda one, here: without_nickname(one, here, "h"), shop=shop)
    assert [one.column for one in plan.unplaced] == [40, 56]


def test_unused_imports_go_and_exports_only_when_asked_for(index: Index) -> None:
    assert after(index, dropping()) == {
        "packages.lisp": PACKAGES.replace(" #:cap\n                #:hat)", "\n                #:hat)")
    }
    plan = planned(index, dropping(exports=True))
    gone = [one.row for one in plan.gone if one.what == "export"]
    assert gone == [("BAZAAR", "AGAIN"), ("BAZAAR", "SHUT"), ("BAZAAR", "UNWANTED")]
    assert "#:total #:shut)" in after(index, dropping("unwanted", "again"))["packages.lisp"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("total", r"total is used: .*late\.lisp:7:38"),
        ("hat", "which bazaar imports, is used"),
        ("x", "neither"),
    ],
)
def test_what_is_used_does_not_go(index: Index, name: str, why: str) -> None:
    with pytest.raises(RefactorError, match=why):
        planned(index, dropping(name))


def test_what_another_package_exports_again_does_not_go(index: Index) -> None:
    with pytest.raises(RefactorError, match=r"fez is used: .*packages\.lisp:18"):
        planned(index, dropping("fez"), "BAZAAR.HATS")


@pytest.mark.parametrize(
    ("call", "places"),
    [
        ("(eval-when (:load-toplevel) (export 'total))", 0),
        ("(export '(total shut))", 0),
        ("(defmacro public (name) `(export ',name))", 1),
        ("(export (list 'total))", 1),
        ("#-sbcl (export 'total)", 1),
    ],
)
def test_a_call_that_may_export_names_is_told(index: Index, call: str, places: int) -> None:
    plan = planned(index, dropping("unwanted"), shop=f"{SHOP}{call}\n")
    assert [one.line for one in plan.unplaced] == [13] * places


def test_what_a_call_exports_does_not_go(index: Index) -> None:
    shop = f"{SHOP}(export 'unwanted)\n"
    with pytest.raises(RefactorError, match=r"unwanted is used: .*shop\.lisp:13"):
        planned(index, dropping("unwanted"), shop=shop)


def test_a_string_keeps_an_import(index: Index) -> None:
    shop = f'{SHOP}(defun late () (intern "CAP"))\n'
    with pytest.raises(RefactorError, match="nothing unused"):
        planned(index, dropping(), shop=shop)
    assert set(FILES) > {"shop.lisp"}
