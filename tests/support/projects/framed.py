"""A small project whose tests are made by macros like those of frameworks that Debian does not have."""

from __future__ import annotations

from pathlib import Path

from support.editors.kept_project import kept_project

FILES = {
    "framed.asd": """\
(defsystem "framed" :serial t :components ((:file "frameworks") (:file "code") (:file "tests")))
""",
    "frameworks.lisp": """\
(defpackage :1am (:use :cl) (:export #:test))
(defpackage :org.example.parachute (:use :cl) (:nicknames :parachute) (:export #:define-test))
(defpackage :rove/core/test (:use :cl) (:export #:deftest))
(in-package :1am)
(defvar *tests* '())
(defmacro test (name &body body)
  `(progn (defun ,name () ,@body) (pushnew ',name *tests*)))
(in-package :parachute)
(defvar *tests* (make-hash-table :test 'equal))
(defmacro define-test (name &body body)
  `(setf (gethash ',name *tests*) (lambda () ,@body)))
(in-package :rove/core/test)
(defmacro deftest (name &body body)
  `(setf (get ',name 'test) (lambda () ,@body)))
""",
    "code.lisp": """\
(defpackage :framed (:use :cl))
(in-package :framed)
(defun one () 1)
(defun two () 2)
(defun three () 3)
""",
    "tests.lisp": """\
(in-package :framed)

(1am:test ones (assert (= (one) 1)))
(1am:test both (ones) (assert (= (two) 2)))
(defmacro check (name form) `(1am:test ,(intern (format nil "CHECK-~a" name)) (assert ,form)))
(check threes (= (three) 3))
(defun not-a-test () (eval '(1am:test made (one))))

(parachute:define-test (parent child) (assert (= (two) 2)))
(let ((number 3))
  (rove/core/test:deftest three-first (assert (= (three) number)))
  (rove/core/test:deftest three-second (assert (= (three) number))))
""",
}


def framed() -> Path:
    """The folder of the project, with its index."""
    return kept_project("framed", FILES)
