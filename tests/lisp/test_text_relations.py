"""What the text alone tells: each relation of an occurrence, and the names that are local."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.query import Index, open_index
from oblist.query.answers import ReferenceAnswer, XrefAnswer
from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl
from support.builds.system_builds import build_with_system

SHOP = r"""
(defpackage :shop
  (:use :cl)
  (:export #:item "PRICE" :out-of-stock)
  (:export #:sell #:*till*))
(in-package :shop)

(deftype small () '(integer 0 99))
(define-condition out-of-stock (error) ((item :initarg :item)))
(defclass thing () ())
(defclass item (thing)
  ((price :initarg :price :accessor price :type small)
   (label :initform "none")))
(defstruct box (size 0 :type small))
(defstruct (crate (:include box)) weight)
(defvar *till* 0)
(declaim (type small *till*)
         (inline plus-tax)
         (ftype (function (item) small) sell))

(defun plus-tax (price)
  (declare (type small price))
  (* 2 price))
(defun sell (item)
  (check-type item item)
  (unless (typep item 'item)
    (error 'out-of-stock :item item))
  (incf *till* (plus-tax (price item))))
(defmethod describe-thing ((thing item) (where t))
  (with-slots (price (name label)) thing
    (list price name)))
(defun cheap (item)
  (handler-case (sell item)
    (out-of-stock (condition) (signal condition)))
  (handler-bind ((out-of-stock #'print)) (sell item))
  (the small (price item)))
(defun new-item ()
  (let ((new (make-instance 'item :price 3)))
    (setf (price new) 4)
    (etypecase new (item 'item) (box (box-size new)))))
(defun prices (items)
  (mapcar #'price items))
(defun totals (items)
  (with-accessors ((cost price)) (first items)
    (+ cost cost)))
(defmacro selling (&rest items)
  `(list 'sell ',items))
(defun hidden (price sell)
  (flet ((cheap (price) (+ price sell)))
    (block price (return-from price (cheap price)))))
(defparameter *words* '(price (sell)))
(defun looped (list)
  (loop for price in list
        when price collect (price price) into sell
        finally (return sell)))
(selling price (cheap 1))
(defun subtyped () (subtypep 'box '(or item small)))
(defun bound () (let ((*till* 1)) *till*))
(defun never-used () nil)
#+(or) (never-used)
"""
ASD = '(asdf:defsystem "shop" :components ((:file "shop")))\n'


@pytest.fixture(scope="module")
def shop() -> Iterator[Index]:
    """An index of a small system in which names are used in every way."""
    with open_index(kept("shop", _build) / "oblist.db") as opened:
        yield opened


def _build(folder: Path) -> None:
    (folder / "shop.asd").write_text(ASD)
    (folder / "shop.lisp").write_text(SHOP)
    build_with_system("shop", folder, folder / "oblist.db", small_sbcl())


def uses(index: Index, name: str, relation: str | None = None) -> list[ReferenceAnswer]:
    answer = index.xref(name, "SHOP", relation=relation)
    assert isinstance(answer, XrefAnswer), answer
    return answer.references


def offset(use: ReferenceAnswer) -> int:
    """The offset of a use in the text."""
    assert use.line is not None and use.column is not None, use
    return sum(len(line) + 1 for line in SHOP.split("\n")[: use.line - 1]) + use.column - 1


def places(index: Index, name: str, relation: str | None = None) -> list[int]:
    return sorted(offset(use) for use in uses(index, name, relation) if use.column)


def at(*contexts: str) -> list[int]:
    """The offset of ``|`` in each context, which is in the text without it, once."""
    found = []
    for context in contexts:
        before, after = context.split("|")
        assert SHOP.count(before + after) == 1, context
        found.append(SHOP.index(before + after) + len(before))
    return sorted(found)


@pytest.mark.parametrize(
    ("name", "relation", "contexts"),
    [
        ("item", "instantiates", ["make-instance '|item"]),
        ("out-of-stock", "instantiates", ["(error '|out-of-stock"]),
        ("out-of-stock", "handles", ["(|out-of-stock (condition)", "((|out-of-stock #'print"]),
        (
            "item",
            "tests",
            ["check-type item |item", "typep item '|item", "(|item 'item)", "(or |item small)"],
        ),
        ("small", "tests", ["(the |small", "(or item |small)"]),
        ("box", "tests", ["(|box (box-size", "subtypep '|box"]),
        (
            "small",
            "declares",
            [
                *("accessor price :type |small", "(size 0 :type |small", "(type |small *"),
                *("(item) |small)", "(type |small p"),
            ],
        ),
        ("item", "declares", ["(function (|item)"]),
        ("plus-tax", "declares", ["(inline |plus-tax"]),
        ("sell", "declares", ["small) |sell)"]),
        ("*till*", "declares", ["(type small |*till*)"]),
        ("thing", "inherits", ["(defclass item (|thing)"]),
        ("box", "inherits", ["(:include |box)"]),
        ("item", "specializes", ["((thing |item)"]),
        ("item", "exports", ["(:export |#:item"]),
        ("price", "exports", ['|"PRICE"']),
        ("out-of-stock", "exports", ["|:out-of-stock)"]),
        ("sell", "names", ["`(list '|sell"]),
        ("item", "names", ["(item '|item)", "(error) ((|item"]),
        (
            "price",
            "names",
            ["((|price :initarg", "with-slots (|price"],
        ),
        ("(setf price)", "calls", ["(setf (|price new)"]),
        ("cl:declare", "declares", ["(|declare (type small price)"]),
        (":price", "names", [":initarg |:price", "'item |:price"]),
        ("price", "mentions", ["'(|price (sell", "(selling |price"]),
        ("sell", "mentions", ["(price (|sell))"]),
        ("*till*", "binds", ["(let ((|*till* 1"]),
        ("selling", "macroexpands", ["(|selling price"]),
        ("price", "defines", [":accessor |price"]),
        ("box-size", "calls", ["(box (|box-size"]),
    ],
)  # fmt: skip
def test_each_relation_is_told_at_its_place(
    shop: Index, name: str, relation: str, contexts: list[str]
) -> None:
    found = places(shop, name, relation)
    expected = at(*contexts)
    assert found == expected, [(SHOP[one - 20 : one + 20]) for one in {*found} ^ {*expected}]


def test_what_sbcl_records_inside_a_form_gets_the_column_of_the_text(shop: Index) -> None:
    calls = {offset(use): use for use in uses(shop, "price", "calls") if use.column}
    (named,) = at("#'|price items")
    (accessor,) = at("((cost |price))")
    assert calls[named].told_by == calls[accessor].told_by == "sbcl"
    assert calls[named].in_expansion_of is calls[accessor].in_expansion_of is None
    assert {use.caller for use in (calls[named], calls[accessor])} == {"shop::prices", "shop::totals"}


def test_local_names_are_no_uses(shop: Index) -> None:
    start, end = SHOP.index("(defun hidden"), SHOP.index("(defparameter *words*")
    for name in ("price", "sell", "cheap"):
        assert not [one for one in places(shop, name) if start <= one < end], name
    (loop_call,) = at("collect (|price price)")
    start, end = SHOP.index("(defun looped"), SHOP.index("(selling price")
    assert [one for one in places(shop, "price") if start <= one < end] == [loop_call]


def test_what_is_never_used_says_what_was_looked_at(shop: Index) -> None:
    answer = shop.xref("never-used", "SHOP")
    assert isinstance(answer, XrefAnswer)
    assert answer.reason is not None
    assert "is not used anywhere in the code or text of the" in answer.reason
    assert answer.total == 0


def test_a_use_in_text_tells_its_caller_and_length(shop: Index) -> None:
    (use,) = uses(shop, "out-of-stock", "instantiates")
    assert (use.caller, use.caller_kind, use.length, use.told_by) == ("shop:sell", "function", 12, "text")
    (exported,) = uses(shop, "price", "exports")
    assert (exported.caller, exported.length) == ("toplevel form", len('"PRICE"'))


def test_uses_come_by_relation_with_counts(shop: Index) -> None:
    answer = shop.xref("item", "SHOP")
    assert isinstance(answer, XrefAnswer)
    relations = [use.relation for use in answer.references]
    assert relations == sorted(relations, key=[*answer.relations].index)
    assert answer.relations == {relation: relations.count(relation) for relation in relations}
    assert answer.total == len(answer.references)
