"""An index of a small project that has more than it needs; marks say what, and on which list it is."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl
from support.builds.system_builds import build_with_system
from support.command import write_system

# A mark names the list; a question mark says that the finding is uncertain.
SOURCE = r"""
(defpackage :audit-sample                 ;@import
  (:use :common-lisp :audit-library :audit-unused)
  (:import-from :audit-imported #:needed
                #:not-needed)             ;@import
  (:export #:documented #:area #:shape
           #:undocumented
           #:no-such-thing                ;@empty-export
           #:word #:side #:open-below))
(in-package :audit-sample)

(defmacro with-once ((x) &body body) `(let ((,x ,x)) ,@body)) ;@used-once
(defun documented () "Has documentation." (helper 1) (needed) (library-function) (rule-names))
(defun undocumented () (documented))      ;@undocumented

(defun helper (x) (with-once (x) x))
(defun never (x) (if x (never (rest x)) x)) ;@unused
(defun (setf helper) (new x) (list new x)) ;@unused
(defvar *never* 1)                        ;@unused
(defparameter *seen* 1)
(defconstant +never+ 1)                   ;@unused
(deftype never-type () 'integer)          ;@unused
(defmacro never-macro (x) x)              ;@unused
(defstruct never-structure a)             ;@unused
(defun used-as-data () 'named-only)
(defun named-only () (used-as-data) *seen*)
(defun main () (named-only))              ; the definition of the system names it, and
(defun tested () (main))                  ; looks this up;
(defun looked-up () 1)                    ; another file looks it up, but
(defun audit-again () 1)                  ;@unused
(defun hidden () 1)                       ;@unused?
#+no-such-feature (hidden)

(deftype used-type () 'integer)
(defun print-it (stream x &rest more)     ; a directive calls it
  (declare (type used-type x) (ignore more))
  (directive stream x))
(defun directive (stream x) (format stream "~a ~2:/audit-sample::print-it/" 1 x))

(defmacro with-twice (x) x)
(defun twice () (with-twice 1) (with-twice 2) (list 'twice 'word (make-shape)))

(defgeneric area (shape)
  (:documentation "The area."))
(defgeneric nobody (shape))               ;@unused
(defmethod nobody ((shape string)) shape)
(defgeneric lonely (shape))               ;@no-methods
(defclass shape ()
  ((side :initarg :side :initarg :length
         :accessor side :documentation "The side."))
  (:documentation "A shape."))
(defmethod area ((shape shape)) (lonely shape) (side shape))
(defclass never-made () ())               ;@never-made
(defmethod area ((shape never-made)) 1)
(defclass never-read () ((it :accessor never-read-it))) ;@unused
(defclass made-below () ())
(defclass open-above ()                   ; others may make what is below
  ((corner :initarg :corner :reader corner)))
(defclass open-below (open-above) () (:documentation "A shape with corners."))
(defmethod area ((shape open-above)) (corner shape))
(defclass below (made-below)              ;@initarg?
  ((edge :initarg :edge :initform 1 :reader edge)))
(defun edges (one) (if (edge one) (edges one) (caller)))
(defmethod area ((shape made-below)) (apply #'make-instance 'shape :side 1 nil) (make-instance 'below))
(defun make-shape () (list (make-instance 'shape :side 2) (twice)))

(define-condition signalled (error) ())
(define-condition never-signalled (error) ()) ;@never-signalled
(defun signals () (handler-case (error 'signalled) (never-signalled () (signals) (undocumented))))
(defun caller () (signals) (again) (edges 1) (look))

(defun again () (caller) 1)               ;@duplicate

(defmacro define-rule (name &rest parts)
  `(setf (get ',name :rule) ',parts))
(define-rule digit 0)
(define-rule number digit)
(define-rule sum number number)
(define-rule product sum)
(define-rule orphan digit)                ;@never-named
(define-rule top product)
(defun rule-names () (get 'top :rule))

(defmacro define-check (name) `(setf (get ',name :check) t))
(define-check one) (define-check two)
(define-check three)
(define-check four)
(define-check five)
"""
LIBRARIES = r"""
(defpackage :audit-library (:use :common-lisp) (:export #:library-function))
(defpackage :audit-unused (:use :common-lisp) (:export #:unused-function))
(defpackage :audit-imported (:use :common-lisp) (:export #:needed #:not-needed))
(defun audit-library:library-function () 1)
(defun audit-unused:unused-function () 1)
(defun audit-imported:needed () 1)
(defun audit-imported:not-needed () 1)
"""
DEFINITION = """
(asdf:defsystem "audit-sample/library" :components ((:file "audit-library")))
(asdf:defsystem "audit-sample/idle" :components ((:file "audit-idle")))
(asdf:defsystem "audit-sample/all" :depends-on ("audit-sample/library" "audit-sample/shell"))
(asdf:defsystem "audit-sample/shell" :depends-on ("audit-sample/library") :components ((:file "audit-shell")))
(asdf:defsystem "audit-sample/imported" :components ((:file "audit-carried")))
(asdf:defsystem "audit-sample" :depends-on ("audit-sample/library" "audit-sample/idle" "audit-sample/shell"
               "audit-sample/all" "audit-sample/imported")
  :entry-point "audit-sample::main"
  :components ((:file "audit-sample") (:file "audit-again"))
  :perform (asdf:test-op (o c) (uiop:symbol-call :audit-sample '#:tested)))
"""
AGAIN = r"""
(in-package :audit-sample)
(defun again () (caller) 2)
(defun look () (find-symbol "LOOKED-UP" :audit-sample))
(macrolet ((package (name from) `(defpackage ,name (:use) (:import-from ,from "CARRIED"))))
  (package :audit-computed :audit-carried))
"""
CARRIED = "(defpackage :audit-carried (:use) (:export #:carried))\n(cl:defun audit-carried:carried () 1)\n"
IDLE = "(defpackage :audit-idle (:use :common-lisp))\n(in-package :audit-idle)\n(defun idle () 1)\n"
SHELL = """
(defpackage :audit-shell (:import-from :audit-library #:library-function) (:export #:library-function))
"""
_MARK = re.compile(r";@([\w-]+\??)")


def marked_findings() -> Counter[tuple[int, str]]:
    """The lines with findings, each with its list, and a question mark if that is uncertain."""
    lines = enumerate(SOURCE.split("\n"), 1)
    return Counter((number, one) for number, line in lines for one in _MARK.findall(line))


def audit_sample() -> tuple[Path, Path]:
    """The index, and the source file."""
    folder = kept("audit sample", _build)
    return folder / "oblist.db", folder / "sources" / "audit-sample.lisp"


def _build(folder: Path) -> None:
    sources = folder / "sources"
    write_system(sources, "audit-sample", SOURCE)
    (sources / "audit-sample.asd").write_text(DEFINITION)
    (sources / "audit-library.lisp").write_text(LIBRARIES)
    (sources / "audit-idle.lisp").write_text(IDLE)
    (sources / "audit-shell.lisp").write_text(SHELL)
    (sources / "audit-again.lisp").write_text(AGAIN)
    (sources / "audit-carried.lisp").write_text(CARRIED)
    build_with_system("audit-sample", sources, folder / "oblist.db", small_sbcl())
