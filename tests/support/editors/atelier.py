"""A small project with names of many kinds to rename, and its index."""

from __future__ import annotations

import shutil
from pathlib import Path

from support.command import oblist
from support.editors.kept_project import kept_project

SYSTEM = """\
(defsystem "atelier" :serial t
  :components ((:file "packages") (:file "cloth") (:file "shop") (:file "labels")
               (:file "boxes") (:file "calls") (:file "garments") (:file "macros")))
"""
PACKAGES = """\
(defpackage #:atelier.cloth
  (:use #:cl)
  (:export #:cut "SEW" :bolt #:bolt-p #:make-bolt #:bolt-length #:with-scissors #:*thread* #:weight))
(defpackage #:atelier
  (:use #:cl)
  (:local-nicknames (#:cloth #:atelier.cloth))
  (:import-from #:atelier.cloth #:cut #:weight)
  (:export #:coat))
"""
CLOTH = """\
(in-package #:atelier.cloth)

;; CUT comes before SEW; one may cut twice.
(defvar *thread* "red" "What SEW sews with.")

(defstruct bolt (length 0) colour)

(defun cut (bolt &key (length 1))
  "Take LENGTH from BOLT: the function CUT."
  (decf (bolt-length bolt) length)
  (when (minusp (bolt-length bolt))
    (return-from cut nil))
  (copy-bolt bolt))

(defun (setf cut) (new bolt) (setf (bolt-length bolt) new))

(defun sew (parts) (list 'sew *thread* parts))

(defmacro with-scissors ((bolt) &body body)
  `(let ((*thread* nil)) (cut ,bolt) ,@body))

(defgeneric weight (thing))
(defmethod weight ((thing bolt)) (* 2 (bolt-length thing)))
#+nil (defmethod weight ((thing string)) (cut thing))
#-sbcl (cut 1)
"""
SHOP = """\
(in-package #:atelier)

(defun coat (bolt &aux (cut-list '()))
  (let ((length 3) (cut 1))
    (push (cut bolt :length length) cut-list)
    (setf (cut bolt) (+ cut length))
    (cloth:with-scissors (bolt)
      (mapcar #'cut (list bolt))
      (weight bolt))))

(defun pieces (bolt &key (count 2) deep)
  (loop for piece from 1 to count collect (funcall 'atelier.cloth::cut bolt) finally (return deep)))

(defclass button () ((holes :initarg :holes :accessor holes)))
(defun sewn (button)
  (with-slots (holes) button
    (flet ((twice (holes) (* 2 holes)))
      (+ holes (twice holes)))))
(defun |odd name| (x) x)
(defun odd () (|odd name| 1))
"""
LABELS = """\
(in-package #:atelier)
(eval-when (:compile-toplevel :load-toplevel :execute)
  (setf *readtable* (copy-readtable) (readtable-case *readtable*) :invert))

(defun pin () 1)
(defun Pin () (list 'Pin (pin) (atelier::Pin) (|PIN|)))
(defun pins () (Pin))
"""
BOXES = """\
(in-package #:atelier)

(defstruct (box (:constructor make-box) (:constructor box-of (width &key (height 1) &aux (colour 'red))))
  width (height 1) colour)
(defstruct (crate (:include box (height 2)) (:conc-name crate/)) lid)
(defstruct (jar (:conc-name jar-)) height)

(defun volume (box)
  (* (box-width box) (box-height box)))
(defun (setf volume) (new box)
  (with-slots (width) box
    (setf width new (slot-value box 'width) new)))
(defun boxes ()
  (list (make-box :width 1 :height 2) (make-crate :height 3) (box-of 1 :height 4) (crate/height (make-crate))
        (make-jar :height 1) (mapcar #'box-width '())))
(defmethod make-load-form ((box box) &optional environment)
  (make-load-form-saving-slots box :environment environment))
#-sbcl (box-width (make-box :width 1))
"""
CALLS = """\
(in-package #:atelier)

(defvar *box* #S(box :width 1 :height 1))
(declaim (ftype (function (t &key (:side t) (:count t)) t) paint))
(defun paint (box &key side (count 1 countp) &allow-other-keys)
  (declare (ignorable side))
  (list box side count countp))
(defgeneric stack (box &key onto)
  (:method ((box box) &key (onto nil)) (list box onto)))
(defmethod stack ((box crate) &key ((:onto floor) nil)) floor)
(defmethod stack ((box jar) &key onto) (let ((below 1)) (list onto below)))
(defmacro with-paint (box &key side) `(progn (paint ,box :side ,side)))
(defun painted (box)
  (list (with-paint box :side :left)
    (funcall #'paint box :count 1 :side :side))
  (apply #'paint box '(:side 1))
  (stack box :onto (stack box :onto nil)))
"""
MACROS = """\
(in-package #:atelier)

(defmacro unless-idle ((&optional (test t)) &body body)
  (let ((idle (gensym)))
    `(let ((,idle (not ,test))) (unless ,idle ,@body))))
(defmacro with-name ((name value) &body body) `(let ((,name ,value)) ,@body))
(defmacro with-it (value &body body) `(let ((it ,value)) ,@body))
(defmacro through (&body body) `(unless-idle () (call-through (lambda () ,@body))))
(defmacro twice-named (name &body body) `(progn (list ',name) ,@body))
(defmacro looked-at (form) (if (consp form) form `(list ,form)))
(defmacro all-of (names &body body) `(multiple-value-bind (,@(reverse names)) (values 1 2) ,@body))
(defmacro with-needle (&body body) `(list needle (let ((thimble 1)) thimble) ,@body))
(defmacro with-pattern () (subst 1 2 '(block needle (return-from needle (list pattern 2)))))
(defgeneric needle (thing))
(defun named-in (name &optional (package *package*)) (find-symbol (string name) package))
(defun call-through (function) (funcall function))
"""
GARMENTS = """\
(in-package #:atelier)

(defclass garment () ((size :initarg :size :initarg :fit :reader size) (hue :initarg :hue)))
(defclass dress (garment) () (:default-initargs :size 36))
(define-condition unsold (error) ((garment :initarg :garment) (size :initarg :size)))
(defmethod initialize-instance :after ((garment dress) &rest all &key (size 38))
  (apply #'call-next-method garment :size (1+ size) all))
(defclass shelf () ((hue :initarg :hue)))
(defmethod hue-of ((garment garment)) (slot-value garment 'hue))
(defmethod hue-of ((dress dress)) (with-slots (hue) dress hue))
(defmethod hue-of ((shelf shelf)) (with-slots (hue) shelf (setf (slot-value shelf 'hue) hue)))
(defun dressed (class)
  (list (make-instance 'garment :size 40 :hue :size) (apply #'make-instance 'dress :size 2 '(:hue 1))
        (change-class class 'dress :size 1) (make-condition 'unsold :size 1)))
"""
NOTES = "Use `CUT` first; then one may cut again.\n"
FILES = {
    "atelier.asd": SYSTEM,
    "packages.lisp": PACKAGES,
    "cloth.lisp": CLOTH,
    "shop.lisp": SHOP,
    "labels.lisp": LABELS,
    "boxes.lisp": BOXES,
    "calls.lisp": CALLS,
    "garments.lisp": GARMENTS,
    "macros.lisp": MACROS,
    "notes.md": NOTES,
}


def atelier() -> Path:
    """The folder of the project, with its index in it."""
    return kept_project("atelier", FILES)


def copied_atelier(folder: Path) -> Path:
    """A copy of the project in a new folder, with an index of its own."""
    shutil.copytree(atelier(), folder, ignore=shutil.ignore_patterns(".oblist"))
    done = oblist("index", "--project", folder, "--no-snapshot")
    assert done.returncode == 0, done.stderr
    return folder


def restored(copy: Path) -> Path:
    """A copy of the project with the texts that it had when it was indexed."""
    for name, text in FILES.items():
        (copy / name).unlink(missing_ok=True)
        (copy / name).write_text(text)
    return copy
