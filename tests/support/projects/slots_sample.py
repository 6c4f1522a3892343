"""An index of a small system whose slots are reached in all the ways there are; marks say where and how."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl
from support.builds.system_builds import build_with_system
from support.command import write_system

# A mark names a slot and what its line does with it; a question mark says that the class is not certain.
SOURCE = r"""
(defpackage :slots-sample (:use :common-lisp))
(in-package :slots-sample)

(defclass person ()
  ((name :initarg :name                 ;@name defines
         :accessor person-name          ;@name defines
         :reader called)                ;@name defines
   (age :initarg :age :initform 0)))    ;@age defines

(defclass dog ()
  ((name :initarg :name :reader called)))

(defclass employee (person)
  ((name :initform "nobody")            ;@name overrides
   (boss :initarg :boss))
  (:default-initargs :name "new"        ;@name initializes
                     :age 18))          ;@age initializes

(defun make (class)
  (list (make-instance 'person :name "a") ;@name initializes
        (make-instance 'employee :age 3 :boss nil) ;@age initializes
        (make-instance 'dog :name "rex")
        (make-instance class :name "who"))) ;@name initializes?

(defmethod older ((one person))
  (incf (slot-value one 'age))          ;@age changes
  (setf (slot-value one 'age) 3)        ;@age writes
  (when (slot-boundp one 'age)          ;@age tests
    (slot-makunbound one 'age)))        ;@age writes

(defmethod older ((one dog))
  (slot-value one 'name))

(defun unknown (one)
  (list (slot-value one 'name)          ;@name reads?
        (slot-value one 'boss)
        (called one)))                  ;@name reads?

(defun accessed (one)
  (setf (person-name one) "b")          ;@name writes
  (push 1 (person-name one))            ;@name changes
  (mapcar #'person-name (list one))     ;@name reads
  (funcall 'person-name one)            ;@name reads
  (funcall #'(setf person-name) 1 one)  ;@name writes
  (person-name (make-instance 'person))) ;@name reads

(defmethod bound ((one employee) (other dog))
  (with-slots (name) other (print name))
  (with-slots (name (how-old age)) one  ;@name binds ;@age binds
    (setf name (list name               ;@name writes reads
                     how-old)))         ;@age reads
  (with-accessors ((n person-name)) one ;@name binds
    (list n)                            ;@name reads
    (setq n 3)))                        ;@name writes

(defmethod person-name :around ((one employee)) ;@name specializes
  (call-next-method))
(defmethod called :before ((one dog)) (print one))

(defmacro naming (one) `(person-name ,one)) ;@name reads
(defun expanded (one)
  (naming one))                         ;@name reads

(let ((name 3)) (print name))

(defstruct (point (:conc-name pt-)
                  (:constructor make-pt (x &optional y)) ;@x initializes
                  (:constructor new-point))
  (x 0)                                 ;@x defines
  y)
(defstruct (spot (:include point (x 7))) ;@x overrides
  colour)

(defun points (p s)
  (list (make-pt 1 2)                   ;@x initializes
        (new-point :x 1 :y 2)           ;@x initializes
        (make-spot :x 1 :colour :red)   ;@x initializes
        (pt-x p)                        ;@x reads
        (spot-x s)                      ;@x reads
        (incf (pt-x p))                 ;@x changes
        (setf (spot-x s) 3)             ;@x writes
        (with-slots (x) p x)))          ;@x binds reads

(define-condition torn (error)
  ((page :initarg :page :reader torn-page)) ;@page defines
  (:report (lambda (c s) (format s "~A" (torn-page c))))) ;@page reads

(defun tear ()
  (handler-case (error 'torn :page 3)   ;@page initializes
    (torn (c) (torn-page c)))           ;@page reads
  (signal (make-condition 'torn :page 4))) ;@page initializes

(defun tear-with (stream condition &rest arguments)
  (format stream "tearing")
  (apply #'error condition arguments))

(defun tear-later (stream)
  (tear-with stream 'torn :page 5)      ;@page initializes?
  (tear-with stream :page 'torn))
"""

SLOTS = {"name": "person", "age": "person", "x": "point", "page": "torn"}
"""The slots that are marked, each with its class."""
_MARK = re.compile(r";@(\w+)((?: \w+\??)+)")


def marked(slot: str) -> Counter[tuple[int, str]]:
    """The lines that have to do with a slot, each with what it does, once for each time that it does."""
    found: Counter[tuple[int, str]] = Counter()
    for number, line in enumerate(SOURCE.split("\n"), 1):
        for name, relations in _MARK.findall(line):
            found.update((number, one) for one in relations.split() if name == slot)
    return found


def slots_sample() -> tuple[Path, Path]:
    """The index, and the source file."""
    folder = kept("slots sample", _build)
    return folder / "oblist.db", folder / "sources" / "slots-sample.lisp"


def _build(folder: Path) -> None:
    write_system(folder / "sources", "slots-sample", SOURCE)
    build_with_system("slots-sample", folder / "sources", folder / "oblist.db", small_sbcl())
