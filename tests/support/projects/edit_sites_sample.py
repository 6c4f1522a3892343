"""An index of a small system whose functions are used in all the ways there are; marks say where and how."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl
from support.builds.system_builds import build_with_system
from support.command import write_system

SOURCE = r"""
(defpackage :sites-sample (:use :common-lisp)
  (:export #:area))                       ;@area export
(in-package :sites-sample)

(declaim (ftype function area))           ;@area declaration
(defgeneric area (shape scale)            ;@area definition
  (:documentation "The area."))
(defclass shape () ())
(defclass square (shape) ())

(defmethod area ((shape shape) scale)     ;@area method
  scale)
(defmethod area ((shape square) scale)    ;@area method
  (if (plusp scale)
      (call-next-method shape (* 2 scale)) ;@area next-method
      (call-next-method)))
(defmethod area :around ((shape square) scale) ;@area method
  (call-next-method))

(defmethod other ((shape square) scale)
  (call-next-method shape scale))

(defun uses (shapes)
  "Calls AREA."                           ; the definition is two lines above
  (list (area (first shapes) 1)           ;@area call
        (mapcar #'area shapes '(1))       ;@area function
        (apply #'area shapes)             ;@area apply
        (funcall 'area (first shapes) 1)  ;@area apply
        (flet ((area (x) x)) (area 1))
        (reduce (function area) shapes))) ;@area function

(defmacro with-area ((name shape) &body body)
  `(let ((,name (area ,shape 1)))         ;@area template
     ,@body))
(defun expanded (shape)
  (with-area (a shape) a))                ;@area expansion ;@with-area call

(defun helper (one &optional two)         ;@helper definition
  (list one two))
(define-compiler-macro helper (&whole form one &optional two) ;@helper definition
  (declare (ignore one two))
  form)
(defun helped ()
  (helper 1)                              ;@helper call
  (let ((helper 3)) helper))

(defun (setf helper) (new one) (list new one))

(defclass plot ()
  ((area :initform 1)))                   ;@area mention
(defun plots (plot symbol)
  "Has :AREA."
  (list (slot-value plot 'area)           ;@area mention
        (get symbol 'area)                ;@area mention
        (make-instance 'plot
                       :area 'area)       ;@area function
        (eq symbol #'area)))              ;@area function
"""

TESTS = "(in-package :sites-sample)\n(defun test-area () (list (area 1 2) (area 3 4)))\n"
DEFINITION = """
(asdf:defsystem "sites-sample" :components ((:file "sites-sample")))
(asdf:defsystem "sites-sample/tests" :depends-on ("sites-sample") :components ((:file "checks")))
"""
NAMES = ("area", "helper")
"""The names that are marked."""
_MARK = re.compile(r";@([\w-]+)((?: [\w-]+)+)")


def marked_sites(name: str) -> Counter[tuple[int, str]]:
    """The lines to touch if the lambda list of ``name`` changes, each with what it has."""
    found: Counter[tuple[int, str]] = Counter()
    for number, line in enumerate(SOURCE.split("\n"), 1):
        for marked, sorts in _MARK.findall(line):
            found.update((number, one) for one in sorts.split() if marked == name)
    return found


def edit_sites_sample() -> tuple[Path, Path]:
    """The index, and the source file; checks.lisp beside it belongs to a system of tests."""
    folder = kept("edit sites sample", _build)
    return folder / "oblist.db", folder / "sources" / "sites-sample.lisp"


def _build(folder: Path) -> None:
    sources = folder / "sources"
    write_system(sources, "sites-sample", SOURCE)
    (sources / "sites-sample.asd").write_text(DEFINITION)
    (sources / "checks.lisp").write_text(TESTS)
    build_with_system("sites-sample/tests", sources, folder / "oblist.db", small_sbcl())
