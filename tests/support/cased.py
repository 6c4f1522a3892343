"""An index of a system whose names show how the reader changes case.

One file has letters outside ASCII. Others are read with another READTABLE-CASE, which a file sets itself, or
the system definition around its compilation. In one, IN-PACKAGE is another symbol than the standard's.
"""

from __future__ import annotations

from pathlib import Path

from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl
from support.builds.system_builds import build_with_system
from support.command import write_system

SOURCE = """
(defpackage :größe (:use :cl) (:export #:größe #:ünï #:straße #:länge))
(in-package :größe)

(defun größe (&key ünï) ünï)
(defun ünï (größe) (größe :ünï größe))
(defclass straße () ((länge :initarg :länge :accessor länge)))
(defmethod größter ((one straße) other) (list one other))

;; The reader reads wide letters as their ASCII counterparts.
(defun ｗｉｄｅ () (ünï 1))
(defun caller () (list (wide) (ｗｉｄｅ) #'ünï))
"""

INVERTED = """
(defpackage :mixed (:use :cl) (:export #:plain))
(in-package :mixed)

(defun plain (x) x)
(defmacro upper-before (x) `(PLAIN ,X))

(eval-when (:compile-toplevel :load-toplevel :execute)
  (setf *readtable* (copy-readtable nil)
        (readtable-case *readtable*) :invert))

(defun fooBar (fooArg) (plain fooArg))
(defun FOO (x) (upper-before (fooBar x)))
(defclass someClass () ((oneSlot :initarg :oneSlot :accessor oneSlot)))
(defvar *someVar* (FOO 1))
(export '(fooBar someClass))
(defmethod oneOf ((object someClass) otherArg) (list *someVar* (oneSlot object) otherArg))

(eval-when (:compile-toplevel :load-toplevel :execute)
  (setf *readtable* (copy-readtable nil)))

(DEFUN UPPER-AGAIN () (LIST (|fooBar| 1) (PLAIN 2)))
"""
AROUND = """
(in-package :mixed)
(defun usesThem () (list (fooBar 1) (mixed::FOO 2) (plain 3) (make-instance 'someClass :oneSlot *someVar*)))
"""
PRESERVED = """
(IN-PACKAGE :MIXED)
(EVAL-WHEN (:COMPILE-TOPLEVEL :LOAD-TOPLEVEL :EXECUTE)
  (SETF *READTABLE* (COPY-READTABLE NIL) (READTABLE-CASE *READTABLE*) :PRESERVE))
(DEFUN keepCase (X) (LIST (fooBar X) (foo X) (PLAIN X)))
"""
DOWNCASED = """
(in-package :mixed)
(eval-when (:compile-toplevel :load-toplevel :execute)
  (setf *readtable* (copy-readtable nil) (readtable-case *readtable*) :downcase))
(|DEFUN| LOWERED (x) (|LIST| x (FOO x) (|fooBar| x)))
"""
# A macro of its own called IN-PACKAGE, which changes nothing.
HIDING = """
(defpackage :hiding (:use :cl) (:shadow #:in-package))
(in-package :hiding)
(defmacro in-package (name) `',name)
(in-package :mixed)
(defun hidden () (list 'plain))
(cl:in-package :mixed)
(defun shown () (hiding::hidden))
"""
FILES = {
    "inverted": INVERTED,
    "around": AROUND,
    "preserved": PRESERVED,
    "downcased": DOWNCASED,
    "hiding": HIDING,
}

_AROUND = """(:file "around" :around-compile
  (lambda (compile)
    (let ((*readtable* (copy-readtable nil)))
      (setf (readtable-case *readtable*) :invert)
      (funcall compile))))"""


def cased_and_sources() -> tuple[Path, Path]:
    """The index, and the folder of the sources."""
    folder = kept("cased", _build)
    return folder / "oblist.db", folder / "sources"


def _build(folder: Path) -> None:
    sources = folder / "sources"
    write_system(sources, "cased", SOURCE)
    for name, text in FILES.items():
        (sources / f"{name}.lisp").write_text(text, encoding="utf-8")
    (sources / "cased.asd").write_text(
        '(asdf:defsystem "cased" :serial t :components ((:file "cased") (:file "inverted") '
        f'{_AROUND} (:file "preserved") (:file "downcased") (:file "hiding")))\n'
    )
    build_with_system("cased", sources, folder / "oblist.db", small_sbcl())
