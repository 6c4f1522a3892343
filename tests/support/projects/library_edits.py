"""Edits of a library with known consequences: alexandria as Debian has it, and one of classes beside it.

Each edit concerns names that no other one does, so that all of them may be made at once.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from oblist.indexer.build.index import build_index
from oblist.indexer.image import ImagePlan
from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl

ALEXANDRIA = Path("/usr/share/common-lisp/source/alexandria")
GALLERY = "gallery"

# The system that the edits of classes, variables and generic functions change.
SOURCE = """
(defpackage :gallery-store-room (:use :common-lisp) (:export #:shelf))
(defpackage :gallery
  (:use :common-lisp)
  (:nicknames :gal :art)
  (:export #:picture #:title #:picture-painter #:frame #:wood #:torn #:exhibit #:show #:hang #:weigh
           #:+walls+ #:+version+ #:+limit+ #:*light* #:*mode* #:*level* #:chamber #:colour #:restore
           #:sketch #:portrait #:canvas #:easel #:make-easel #:easel-height #:legend #:caption
           #:price #:auction #:bid #:guard #:dust #:secret #:lend #:label #:statue #:pose #:clay
           #:wax #:mould #:visitor #:ticket #:with-visit #:open-doors #:banner #:archive #:plinth
           #:choose #:measure #:insure #:print-label #:lock-up #:shape #:glass
           #:item #:relic #:clean #:*item*))
(defpackage :gallery-shop (:use :common-lisp) (:export #:sell))
(defpackage :gallery-cafe (:use :common-lisp :gallery) (:export #:show #:cup))
(defpackage :gallery-attic (:use :common-lisp) (:export #:box) (:documentation "Old things."))
(defpackage :gallery-parts (:use :common-lisp) (:export #:lever))
(defpackage :gallery-tools (:use :common-lisp :gallery-parts) (:export #:hammer #:saw))
(in-package :gallery)

(defclass item () ((age :initarg :age)))
(defclass relic (item) ((owner :initarg :owner :type item)))
(declaim (ftype (function (item) (values item &optional)) clean))
(defun clean (item) item)
(defgeneric date (item))
(defmethod date ((item item)) item)
(declaim (type (or null item) *item*))
(defvar *item* nil)
(defclass thing () ())
(defclass wood (thing) ((grain :initarg :grain)))
(defclass picture (thing)
  ((title :initarg :title :accessor title)
   (painter :initarg :painter :reader picture-painter)
   (notes)))
(defclass frame () ((width :initarg :width :type fixnum)))
(defclass portrait (picture) ((sitter :initarg :sitter :initform nil)))
(defclass sketch (picture) ())
(defclass canvas () ((size :initarg :size)))
(defclass statue (thing) ((pose :initarg :pose :accessor pose :allocation :instance)))
(defclass clay (thing) ((colour :initarg :colour)) (:default-initargs :colour :red))
(defclass wax () ((heat :initarg :heat :type integer)))
(defclass mould (wax) ())
(defstruct easel (height 0) (legs 3))
(defclass glass () ((tint :initarg :tint :initform :clear)))
(define-condition torn (error) ((where :initarg :where)))
(defclass shape () ())

(defgeneric show (thing &key size) (:documentation "Show it."))
(defgeneric hang (thing))
(defmethod hang ((thing picture)) thing)
(defmethod hang ((thing frame)) thing)
(defgeneric weigh (thing))
(defmethod weigh ((thing wood)) thing)
(defmethod weigh ((thing thing)) thing)
(defgeneric restore (thing &optional how))
(defgeneric exhibit (thing))
(defun auction (thing) thing)
(defun bid (thing amount) (list thing amount))
(defun guard (room &optional hours) (list room hours))
(defun dust (thing &rest more) (list thing more))
(defun lend (thing &key until) (list thing until))
(defun label (thing &key (size 1)) (list thing size))
(defmacro with-visit ((visitor &key ticket) &body body) `(let ((,visitor ,ticket)) ,@body))
(defmacro open-doors (&body body) `(progn ,@body))
(defun (setf caption) (value thing) (list value thing))
(defun caption (thing) (list thing))
(declaim (ftype (function (integer) (values integer &optional)) price))
(defun price (n) n)
(declaim (ftype (function (integer) (values integer &optional)) measure))
(defun measure (n) n)
(defun insure (thing) "Insure THING." (list thing))
(defun print-label (a b) (list a b))
(defun lock-up () nil)
(defun choose (&key a b) (list a b))
(defun legend () nil)
(defconstant +walls+ 4)
(defconstant +version+ 7)
(defconstant +limit+ 10)
(defvar *light* t "Whether it is on.")
(defvar *mode* :day)
(declaim (type integer *level*))
(defvar *level* 1)
(deftype chamber () '(integer 1 10))
(deftype colour (&optional n) (declare (ignore n)) 'symbol)
(defun secret () nil)
(defvar banner nil)
(defun archive () nil)
(defclass plinth () ((stone :initarg :stone :reader plinth-stone)))

(in-package :gallery-tools)
(defun hammer () nil)
(defun saw () nil)
(in-package :gallery-shop)
(defun sell () nil)
(in-package :gallery-cafe)
(defun cup () nil)
(in-package :gallery-attic)
(defun box () nil)
"""


@dataclass(frozen=True)
class Edit:
    """A text, its replacement, and the changes that follow: (name, change, step, part)."""

    old: str
    new: str
    changes: frozenset[tuple[str, str, str, str | None]]
    file: str = "gallery.lisp"


def _edit(old: str, new: str, *changes: tuple[str, str, str, str | None], file: str = "gallery.lisp") -> Edit:
    return Edit(old, new, frozenset(changes), file)


def _of_alexandria(file: str, old: str, new: str, name: str, *changes: tuple[str, str, str | None]) -> Edit:
    named = frozenset((f"alexandria:{name}", *change) for change in changes)
    return Edit(old, new, named, f"alexandria/alexandria-1/{file}.lisp")


EDITS = (
    # alexandria: functions and macros that people use
    _of_alexandria(
        "numbers",
        "(defun clamp (number min max)",
        "(defun clamp (number min max &optional wrap)\n  (declare (ignore wrap))",
        "clamp",
        ("optional-added", "minor", "WRAP"),
    ),
    _of_alexandria(
        "numbers",
        "(defun lerp (v a b)",
        "(defun lerp (v b a)",
        "lerp",
        ("arguments-reordered", "major", "A, B"),
    ),
    _of_alexandria(
        "numbers",
        "(defun iota (n &key (start 0) (step 1))",
        "(defun iota (n &key (start 1) (step 1))",
        "iota",
        ("default", "patch", ":START"),
    ),
    _of_alexandria(
        "sequences",
        "(defun rotate (sequence &optional (n 1))",
        "(defun rotate (sequence n)",
        "rotate",
        ("argument-made-required", "major", "N"),
    ),
    _of_alexandria(
        "sequences",
        "(defun shuffle (sequence &key (start 0) end)",
        "(defun shuffle (sequence &key (start 0) end state)\n  (declare (ignore state))",
        "shuffle",
        ("keyword-added", "minor", ":STATE"),
    ),
    _of_alexandria(
        "sequences",
        "(defun extremum (sequence predicate &key key (start 0) end)",
        "(defun extremum (sequence predicate &key key (start 0) &aux end)",
        "extremum",
        ("keyword-removed", "major", ":END"),
    ),
    _of_alexandria(
        "lists",
        "(defun ensure-cons (cons)",
        "(defun ensure-cons (cons other)\n  (declare (ignore other))",
        "ensure-cons",
        ("required-argument-added", "major", "OTHER"),
    ),
    _of_alexandria(
        "lists",
        "(defun setp (object &key (test #'eql) (key #'identity))",
        "(defun setp (object &key (test #'eql) (key #'identity) &allow-other-keys)",
        "setp",
        ("other-keys-allowed", "minor", "&ALLOW-OTHER-KEYS"),
    ),
    _of_alexandria(
        "lists",
        "(defun mappend (function &rest lists)",
        "(defun mappend (function list &rest lists)\n  (declare (ignore list))",
        "mappend",
        ("required-argument-added", "major", "LIST"),
    ),
    _of_alexandria(
        "lists",
        "(defun flatten (tree)",
        "(defun flatten (list &aux (tree list))",
        "flatten",
        ("argument-renamed", "patch", "LIST"),
    ),
    _of_alexandria(
        "hash-tables",
        "(defun maphash-keys (function table)",
        "(defun maphash-keys (function &optional (table (make-hash-table)))",
        "maphash-keys",
        ("argument-made-optional", "minor", "TABLE"),
    ),
    _of_alexandria(
        "macros",
        "(defmacro with-gensyms (names &body forms)",
        "(defmacro with-gensyms (names &rest forms)",
        "with-gensyms",
        ("lambda-list", "patch", None),
    ),
    _of_alexandria(
        "control-flow",
        "(defmacro whichever (&rest possibilities &environment env)",
        "(defmacro whichever (first &rest possibilities &environment env)\n  (declare (ignore first))",
        "whichever",
        ("required-argument-added", "major", "FIRST"),
    ),
    _edit(
        "   #:featurep\n",
        "",
        ("alexandria:featurep", "not-exported", "major", None),
        ("alexandria-2:featurep", "removed", "major", None),
        file="alexandria/alexandria-1/package.lisp",
    ),
    _of_alexandria(
        "functions",
        "(defun disjoin (predicate &rest more-predicates)",
        "(defmacro disjoin (predicate &rest more-predicates)",
        "disjoin",
        ("kind", "major", None),
    ),
    # gallery: packages
    _edit(
        "(:nicknames :gal :art)",
        "(:nicknames :gal :arts)",
        ("gallery", "nickname-removed", "major", "ART"),
        ("gallery", "nickname-added", "minor", "ARTS"),
    ),
    _edit(
        "(defpackage :gallery-shop (",
        "(defpackage :gallery-store (:nicknames :gallery-shop) (",
        ("gallery-store", "package-renamed", "minor", None),
    ),
    _edit(
        '(defpackage :gallery-attic (:use :common-lisp) (:export #:box) (:documentation "Old things."))',
        "(defpackage :gallery-garret (:use :common-lisp) (:export #:box))",
        ("gallery-attic", "package-removed", "major", None),
        ("gallery-garret", "package-added", "minor", None),
    ),
    _edit("(in-package :gallery-attic)", "(in-package :gallery-garret)"),
    _edit(
        "(:export #:hammer #:saw))",
        "(:export #:hammer #:saw #:lever))",
        ("gallery-tools:lever", "added", "minor", None),
    ),
    _edit(
        "(defpackage :gallery-tools (:use :common-lisp :gallery-parts)",
        "(defpackage :gallery-iron (:use :common-lisp) (:export #:saw))\n"
        "(defpackage :gallery-tools (:use :common-lisp :gallery-parts :gallery-iron)",
        ("gallery-iron", "package-added", "minor", None),
        ("gallery-tools:saw", "home", "patch", None),
    ),
    # A class whose symbol has another home: nothing changes for what is made of it.
    _edit(
        "(defpackage :gallery-store-room (:use :common-lisp) (:export #:shelf))",
        "(defpackage :gallery-store-room (:use :common-lisp) (:export #:shelf #:item))",
        ("gallery:item", "home", "patch", None),
        ("gallery-store-room:item", "added", "minor", None),
    ),
    _edit("(:nicknames :gal :arts)", "(:import-from :gallery-store-room #:item)\n  (:nicknames :gal :arts)"),
    # gallery: exports
    _edit("#:lock-up #:shape", "#:lock-up #:unlock #:shape", ("gallery:unlock", "added", "minor", None)),
    _edit("(defun lock-up () nil)", "(defun lock-up () nil)\n(defun unlock (door) door)"),
    _edit("#:dust #:secret", "#:dust", ("gallery:secret", "not-exported", "major", None)),
    _edit("#:banner #:archive", "#:banner", ("gallery:archive", "removed", "major", None)),
    _edit("(defun archive () nil)", ""),
    _edit("(defun legend () nil)", "", ("gallery:legend", "definition-removed", "major", None)),
    _edit(
        "(defvar banner nil)",
        "(defvar banner nil)\n(defun banner () nil)",
        ("gallery:banner", "definition-added", "minor", None),
    ),
    # gallery: functions
    _edit(
        "(defun auction (thing) thing)",
        "(defgeneric auction (thing))",
        ("gallery:auction", "kind", "minor", None),
    ),
    _edit(
        "(defgeneric exhibit (thing))",
        "(defun exhibit (thing) thing)",
        ("gallery:exhibit", "kind", "major", None),
    ),
    _edit(
        "(defun bid (thing amount) (list thing amount))",
        "(defun bid (thing) (list thing thing))",
        ("gallery:bid", "argument-removed", "major", "AMOUNT"),
    ),
    _edit(
        "(defun guard (room &optional hours) (list room hours))",
        "(defun guard (room) (list room room))",
        ("gallery:guard", "optional-removed", "major", "HOURS"),
    ),
    _edit(
        "(defun dust (thing &rest more) (list thing more))",
        "(defun dust (thing &key more) (list thing more))",
        ("gallery:dust", "rest-removed", "major", "&REST"),
        ("gallery:dust", "keyword-added", "minor", ":MORE"),
    ),
    _edit(
        "(defun lend (thing &key until) (list thing until))",
        "(defun lend (thing &optional whom &key until) (list thing whom until))",
        ("gallery:lend", "optional-added", "major", "WHOM"),
    ),
    _edit(
        "(defun label (thing &key (size 1)) (list thing size))",
        "(defun label (thing &rest more) (list thing more))",
        ("gallery:label", "keyword-unnamed", "patch", ":SIZE"),
        ("gallery:label", "rest-added", "minor", "&REST"),
    ),
    _edit(
        "(defmacro with-visit ((visitor &key ticket) &body body)",
        "(defmacro with-visit ((visitor &key ticket guide) &body body)\n  (declare (ignore guide))",
        ("gallery:with-visit", "keyword-added", "minor", ":GUIDE"),
    ),
    _edit(
        "(defmacro open-doors (&body body) `(progn ,@body))",
        "(defun open-doors (&rest body) body)",
        ("gallery:open-doors", "kind", "major", None),
    ),
    _edit(
        "(defun (setf caption) (value thing) (list value thing))",
        "",
        ("(setf gallery:caption)", "definition-removed", "major", None),
    ),
    _edit(
        "(declaim (ftype (function (integer) (values integer &optional)) price))",
        "(declaim (ftype (function (fixnum) (values fixnum &optional)) price))",
        ("gallery:price", "argument-type", "major", "1"),
        ("gallery:price", "result-type", "patch", None),
    ),
    _edit(
        "(declaim (ftype (function (integer) (values integer &optional)) measure))\n(defun measure (n) n)",
        "(declaim (ftype (function (real) (values string &optional)) measure))\n"
        "(defun measure (n) (princ-to-string n))",
        ("gallery:measure", "argument-type", "minor", "1"),
        ("gallery:measure", "result-type", "major", None),
    ),
    _edit(
        '(defun insure (thing) "Insure THING."',
        '(defun insure (thing) "Insure THING well."',
        ("gallery:insure", "documentation", "patch", None),
    ),
    _edit(
        "(defun print-label (a b) (list a b))",
        "(defun print-label (a b) (list a b))\n"
        '(declaim (sb-ext:deprecated :early ("gallery" "2.0") (function print-label :replacement label)))',
        ("gallery:print-label", "deprecated", "minor", "LABEL"),
        ("gallery:print-label", "documentation", "patch", None),
    ),
    _edit(
        "(defun choose (&key a b) (list a b))",
        "(defun choose (&key b a) (list a b))",
        ("gallery:choose", "lambda-list", "patch", None),
    ),
    # gallery: generic functions and methods
    _edit(
        '(defgeneric show (thing &key size) (:documentation "Show it."))',
        '(defgeneric show (thing &key size light) (:documentation "Show it."))',
        ("gallery:show", "keyword-added", "major", ":LIGHT"),
    ),
    _edit(
        "(defgeneric restore (thing &optional how))",
        "(defgeneric restore (thing))",
        ("gallery:restore", "optional-removed", "major", "HOW"),
    ),
    _edit(
        "(defmethod hang ((thing frame)) thing)",
        "(defmethod hang ((thing wood)) thing)",
        ("gallery:hang", "method-removed", "major", "(FRAME)"),
        ("gallery:hang", "method-added", "minor", "(WOOD)"),
    ),
    _edit("(defmethod weigh ((thing wood)) thing)", "(defmethod weigh :before ((thing wood)) thing)"),
    # gallery: variables
    _edit("(defconstant +walls+ 4)", "(defconstant +walls+ 5)", ("gallery:+walls+", "value", "minor", None)),
    _edit(
        "(defconstant +version+ 7)",
        '(defparameter +version+ "7.1")',
        ("gallery:+version+", "kind", "minor", None),
    ),
    _edit(
        "(defconstant +limit+ 10)", "(defconstant +limit+ :none)", ("gallery:+limit+", "value", "major", None)
    ),
    _edit(
        '(defvar *light* t "Whether it is on.")',
        "(defvar *light* t)",
        ("gallery:*light*", "documentation", "patch", None),
    ),
    _edit(
        "(defvar *mode* :day)", "(define-symbol-macro *mode* :day)", ("gallery:*mode*", "kind", "major", None)
    ),
    _edit(
        "(declaim (type integer *level*))",
        "(declaim (type real *level*))",
        ("gallery:*level*", "type", "minor", None),
    ),
    # gallery: types and classes
    _edit(
        "(deftype chamber () '(integer 1 10))",
        "(deftype chamber (most) `(integer 1 ,most))",
        ("gallery:chamber", "required-argument-added", "major", "MOST"),
    ),
    _edit(
        "(deftype colour (&optional n) (declare (ignore n)) 'symbol)",
        "(defclass colour () ())",
        ("gallery:colour", "kind", "major", None),
    ),
    _edit(
        "   (painter :initarg :painter :reader picture-painter)",
        "   (painter :initarg :by :reader picture-painter)",
        ("gallery:picture", "initarg-removed", "major", ":PAINTER"),
        ("gallery:picture", "initarg-added", "minor", ":BY"),
    ),
    _edit("   (notes)))", "))", ("gallery:picture", "slot-removed", "patch", "NOTES")),
    _edit(
        "((width :initarg :width :type fixnum))",
        "((width :initarg :width :type string))",
        ("gallery:frame", "slot-type", "major", "WIDTH"),
    ),
    _edit(
        "(defclass sketch (picture) ())",
        "(defclass sketch (thing) ())",
        ("gallery:sketch", "superclass-removed", "major", "GALLERY::PICTURE"),
        ("gallery:sketch", "initarg-removed", "major", ":TITLE"),
    ),
    _edit(
        "((sitter :initarg :sitter :initform nil))",
        "((sitter :initarg :sitter))",
        ("gallery:portrait", "initform-removed", "major", "SITTER"),
    ),
    _edit(
        "(defclass canvas () ((size :initarg :size)))",
        "(defstruct canvas size)",
        ("gallery:canvas", "kind", "major", None),
    ),
    _edit(
        ":accessor pose :allocation :instance)",
        ":accessor pose :allocation :class)",
        ("gallery:statue", "slot-allocation", "major", "POSE"),
    ),
    _edit(
        "(:default-initargs :colour :red)",
        "(:default-initargs :colour :blue)",
        ("gallery:clay", "default-initarg", "patch", ":COLOUR"),
    ),
    _edit(
        "(defclass wax () ((heat :initarg :heat :type integer)))",
        "(defclass wax () ((heat :initarg :heat :type real) (wick :initarg :wick)))",
        ("gallery:wax", "slot-type", "minor", "HEAT"),
        ("gallery:wax", "slot-added", "minor", "WICK"),
        ("gallery:wax", "initarg-added", "minor", ":WICK"),
    ),
    _edit(
        "(defstruct easel (height 0) (legs 3))",
        "(defstruct easel (height 0))",
        ("gallery:make-easel", "keyword-removed", "major", ":LEGS"),
        ("gallery:easel", "slot-removed", "patch", "LEGS"),
    ),
    _edit(
        "(define-condition torn (error) ((where :initarg :where)))",
        "(define-condition torn (warning) ((where :initarg :where)))",
        ("gallery:torn", "superclass-removed", "major", "ERROR"),
        ("gallery:torn", "superclass-added", "minor", "WARNING"),
    ),
    _edit(
        "(defclass shape () ())",
        '(defclass shape () () (:documentation "A form."))',
        ("gallery:shape", "documentation", "patch", None),
    ),
    _edit(
        "((tint :initarg :tint :initform :clear))",
        "((tint :initarg :tint :initform :green))",
        ("gallery:glass", "initform", "patch", "TINT"),
    ),
    _edit(
        "(defclass plinth () ((stone :initarg :stone :reader plinth-stone)))",
        "(defclass base () ((stone :initarg :stone :reader plinth-stone)))\n(defclass plinth (base) ())",
        ("gallery:plinth", "superclass-added", "patch", "GALLERY::BASE"),
    ),
)


def write_library(folder: Path, *, edited: bool) -> None:
    """The two systems in ``folder``: as they are, or with all edits made."""
    shutil.copytree(ALEXANDRIA, folder / "alexandria")
    version = "2.0.0" if edited else "1.4.2"
    (folder / "gallery.asd").write_text(
        f'(asdf:defsystem "gallery" :version "{version}" :depends-on ("alexandria")'
        ' :components ((:file "gallery")))\n'
    )
    (folder / "gallery.lisp").write_text(SOURCE)
    for edit in EDITS if edited else ():
        path = folder / edit.file
        text = path.read_text(encoding="utf-8")
        assert text.count(edit.old) == 1, edit.old
        path.write_text(text.replace(edit.old, edit.new), encoding="utf-8")


def library() -> Path:
    """The index of the library before all edits."""
    return kept("library", lambda folder: _build(folder, edited=False)) / "oblist.db"


def edited_library() -> Path:
    """The index of the library after all edits."""
    return kept("edited-library", lambda folder: _build(folder, edited=True)) / "oblist.db"


def _build(folder: Path, *, edited: bool) -> None:
    write_library(folder / "sources", edited=edited)
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("CL_SOURCE_REGISTRY", f"{folder / 'sources'}//:")
        environment.setenv("ASDF_OUTPUT_TRANSLATIONS", f"/:{folder / 'compiled'}/")
        plan = ImagePlan(small_sbcl(), ("alexandria", GALLERY))
        summary = build_index(folder / "oblist.db", plan, command="tests")
    assert summary.not_loaded == []
