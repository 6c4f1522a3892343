"""A small project with definitions that nothing uses: some can be deleted, and some only seem so."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from support.command import oblist
from support.editors.kept_project import kept_project

SYSTEM = """\
(defsystem "attic" :serial t
  :components ((:file "packages") (:file "boxes") (:file "chests") (:file "names")))
"""
PACKAGES = """\
(defpackage #:attic
  (:use #:cl)
  (:export #:open-chest #:lend
           #:sell))
"""
# A comment after a form says whether it can be deleted: "goes", or why it stays.
BOXES = """\
(in-package #:attic)

;;; Boxes

;; Nobody asks how many.
(declaim (inline count-boxes))
(defun count-boxes (boxes)              ; goes
  "See DUST."
  (if boxes (1+ (count-boxes (rest boxes))) 0))
(defun dust () (list 'dust))            ; goes

(defmacro with-lid ((box) &body body) `(progn ,box ,@body)) ; goes
(defvar *lids* (make-hash-table))       ; goes
(defparameter *shelves* 3)
(defconstant +corners+ 8)               ; goes
(deftype corner () 'integer)            ; goes
(defstruct crate lid (sides 6))         ; goes
(defclass trunk () ((key :initarg :key :accessor trunk-key))) ; goes
(define-condition too-full (error) ())  ; goes
(defun (setf label) (new box) (list new box)) ; goes

(defgeneric weigh (thing)               ; goes
  (:method ((thing string)) (length thing)))
(defmethod weigh ((thing symbol)) 0)
"""
CHESTS = """\
(in-package #:attic)

(eval-when (:compile-toplevel :load-toplevel :execute)
  (defun rusty (chest) (list chest))    ; goes
  (defun oiled (chest) (list chest)))
#+sbcl
(defun creaking (chest) (list chest))   ; goes
(defun squeaking (chest) (list chest))  ; stays: names it in code that this build does not read
#+no-such-lisp (squeaking 1)
(defun locked (chest) (list chest))     ; stays: is its name, so code may make
(defmacro oil (chest) `(oiled ,chest))
(defun open-chest (chest) (list (oil chest) *shelves* "LOCKED" "the DUST of years"))
(defun opened () (mapcar #'open-chest (list (opened-all))))
(defun opened-all () (opened))
(defun lend (chest) (list chest))       ; goes
(defun sell (chest) (list chest))       ; goes
"""
NAMES = """\
(in-package #:attic)

(defun drawer-top (chest) (list chest)) ; stays: this may be one of them
(defun drawer (name) (funcall (find-symbol (format nil "DRAWER-~a" name) '#:attic) name))
(defun all-drawers () (list (drawer "TOP") (all-drawers))) ; goes
(defun bottom () 1)                     ; stays: no longer loads
(unless (loop for symbol being the present-symbols of '#:attic
              thereis (and (fboundp symbol) (eql 0 (search "BOT" (symbol-name symbol)))))
  (error "No, BOTTOM is gone."))
"""
FILES = {
    "attic.asd": SYSTEM,
    "packages.lisp": PACKAGES,
    "boxes.lisp": BOXES,
    "chests.lisp": CHESTS,
    "names.lisp": NAMES,
}
_MARK = re.compile(r"; (goes|stays: (.+))$")


def copied_attic(folder: Path) -> Path:
    """A copy of the project in a new folder, with an index of its own."""
    shutil.copytree(kept_project("attic", FILES), folder, ignore=shutil.ignore_patterns(".oblist"))
    done = oblist("index", "--project", folder, "--no-snapshot")
    assert done.returncode == 0, done.stderr
    return folder


def marked() -> dict[tuple[str, int], str | None]:
    """The lines of unused definitions that do not go, and those that do, each with a part of the reason."""
    return {
        (name, number): match[2]
        for name, text in FILES.items()
        for number, line in enumerate(text.splitlines(), 1)
        if (match := _MARK.search(line))
    }
