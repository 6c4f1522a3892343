"""A project, a library that it uses, and the next version of that library, which breaks it in all known ways.

The files of the library have names that files of the project have, too.

A comment such as ``;! gone`` at the end of a line of the project says what a forecast must find there, and
``;? deprecated`` what it must only note; there is nothing to find on other lines.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from support.builds.build_cache import kept
from support.command import oblist

_OLD_PACKAGE = """\
(defpackage :carrier (:use :cl) (:nicknames :post :mail-carrier)
  (:export #:fetch #:store #:old-only #:*limit* #:*label* #:with-parcel #:parcel #:parcel-name #:parcel-size
           #:carrier-error #:lost-error #:kindly #:size-of #:render #:+most+ #:handle #:opts #:make-opts
           #:weigh #:stamp #:once #:hidden-soon
           #:sealed #:moved #:bag #:announce #:told #:quiet #:grid #:box #:fit))
(defpackage :carrier.extra (:use :cl) (:export #:spare))
(defpackage :carrier.1 (:use :cl) (:nicknames :versioned) (:export #:kept))
"""
_OLD = """\
(in-package :carrier)
(defvar *limit* 10 "Limit.")
(defvar *label* "none")
(defconstant +most+ 5)
(defun fetch (url &key timeout foo) "Fetch." (list url timeout foo))
(defun store (x &optional y) "Store." (list x y))
(defun old-only (x) x)
(defun told (x) x)
(defun quiet (x) "Says nothing." x)
(defun hidden-soon (x) x)
(defun internal (x) x)
(defun moved (x) x)
(defmacro with-parcel ((var &key size) &body body) `(let ((,var ,size)) ,@body))
(defmacro once (form) form)
(define-condition carrier-error (error) ())
(define-condition lost-error (carrier-error) ())
(defclass parcel ()
  ((name :initarg :name :accessor parcel-name)
   (size :initarg :size :accessor parcel-size)
   (seal :initarg stamp)))
(defclass bag () ())
(defun kindly (x) x)
(defun size-of (x) x)
(defun grid () (make-array 3))
(declaim (ftype (function () (simple-array single-float (3))) box))
(defun box () (make-array 3 :element-type 'single-float :initial-element 1f0))
(defun fit (x) x)
(defgeneric render (parcel stream))
(defgeneric handle (parcel &key a b))
(defgeneric weigh (parcel))
(defgeneric announce (parcel))
(defstruct opts (a 1) b)
(in-package :carrier.extra)
(defun spare (x) x)
(in-package :versioned)
(defun kept (x) x)
"""
_NEW_PACKAGE = """\
(defpackage :carrier.impl (:use :cl) (:export #:moved))
(defpackage :carrier (:use :cl) (:nicknames :mail-carrier) (:import-from :carrier.impl #:moved)
  (:shadow #:formatter)
  (:export #:fetch #:store #:*limit* #:*label* #:with-parcel #:parcel #:parcel-name
           #:carrier-error #:lost-error #:kindly #:size-of #:render #:+most+ #:shiny #:handle #:opts #:stamp
           #:once #:sealed #:moved #:bag #:told #:quiet #:grid #:box #:fit #:letter #:formatter))
(defpackage :carrier.2 (:use :cl) (:nicknames :versioned) (:export #:kept #:parked))
"""
_NEW = """\
(in-package :versioned)
(defun kept (x) x)
(in-package :carrier.impl)
(defun moved (x) x)
(in-package :carrier)
(defvar *limit* 10 "Limit.")
(defconstant *label* 1)
(defconstant +most+ 5)
(defun fetch (url &key timeout) "Fetch." (list url timeout))
(defun store (x y) "Store." (list x y))
(defun told (x) (warn "told is deprecated. Use fetch instead.") x)
(defun quiet (x) "Says something else." x)
(defun hidden-soon (x) x)
(defun internal (x y) (list x y))
(defmacro with-parcel ((var size) &body body) `(let ((,var ,size)) ,@body))
(defun once (form) form)
(define-condition carrier-error (error) ())
(define-condition lost-error (error) ())
(defclass parcel () ((name :initarg :name :accessor parcel-name)))
(defstruct bag)
(defmacro kindly (x) x)
(declaim (ftype (function (string) t) size-of))
(defun size-of (x) (length x))
(defun grid () (make-array 3))
(declaim (ftype (function () (simple-array single-float (3))) box))
(defun box () (make-array 3 :element-type 'single-float :initial-element 1f0))
(declaim (ftype (function ((simple-array single-float (4))) t) fit))
(defun fit (x) x)
(defgeneric render (parcel stream colour))
(defgeneric handle (parcel &key a c))
(defgeneric announce (parcel &rest more))
(defclass opts () ((a :initform 1) b))
(defun shiny (x) x)
(defun letter (x) x)
"""
_MINE = {
    "package.lisp": """\
(defpackage :shop
  (:use :cl
        :carrier) ;! conflict
  (:shadow #:letter)
  (:export #:main))
(defpackage :shop.names
  (:use :cl :versioned)
  (:import-from :carrier
                #:old-only ;! unknown-symbol
                #:store)
  (:local-nicknames (:c :carrier)
                    (:p :post))) ;! unknown-package
""",
    "calls.lisp": """\
(in-package :shop)

(defun main (x)
  (fetch x :timeout 1)
  (fetch x
         :foo 1) ;! unknown-keyword
  (store x 1)
  (carrier:store x) ;! wrong-number-of-arguments
  (mail-carrier:store x 1)
  (post:fetch x) ;! unknown-package
  (apply #'fetch x ())
  (carrier::internal x) ;! wrong-number-of-arguments
  (moved x)
  (carrier:moved x)
  (quiet x)
  (list *limit* +most+ *label* :store "old-only" 'fetch))

(defun old (x)
  (old-only x) ;! gone
  (mapcar #'old-only x) ;! gone
  (hidden-soon x) ;! gone
  (funcall #'hidden-soon x) ;! gone
  (told x) ;? deprecated
  (carrier.extra:spare x)) ;! unknown-package

(defun macros (x)
  (with-parcel (y :size 3) y) ;! wrong-number-of-arguments
  (once (list x)) ;! kind
  (mapcar #'kindly x) ;! kind
  (kindly x))

(defun variables (x)
  (let ((*label* x)) ;! kind
    (setf *limit* 3)
    *label*))

(defun types (x)
  (list (size-of "a")
        (size-of 12) ;! type
        (fit (grid))
        (fit (box)) ;! type
        (size-of x)))

(defun local (old-only) (list old-only))
(defun shiny (x) (main x)) ;! conflict
(defun letter (x) x)
""",
    "classes.lisp": """\
(in-package :shop)

(defclass crate (parcel) ;! initarg
  ((weight :initarg :weight))
  (:default-initargs :size 1))
(defclass sack (bag) ()) ;! kind
(defstruct (more-opts (:include opts)) c) ;! kind

(defun made ()
  (list (make-instance 'parcel :name 1)
        (make-instance 'parcel :size 2) ;! unknown-initarg
        (make-instance 'crate :weight 2 :size 1) ;! unknown-initarg
        (make-instance 'parcel 'carrier:stamp 1) ;! initarg
        (make-opts))) ;! gone

(defun read-slots (x)
  (list (parcel-name x)
        (parcel-size x) ;! gone
        (slot-value x 'carrier::name)
        (slot-value x 'carrier::size))) ;! slot

(defun written (x)
  (setf (parcel-name x) 1)
  (setf (parcel-size x) 1)) ;! gone

(defun handled (x)
  (handler-case (fetch x)
    (lost-error (e) e)
    (carrier-error (e) e))) ;! superclass

(defmethod render ((one crate) stream) ;! method
  (list one stream))
(defmethod handle ((one crate) &key a b) ;! method
  (list a b))
(defmethod weigh ((one crate)) 1) ;! method
(defmethod announce ((one crate)) 1) ;! method
(defmethod parcel-name :around ((one crate)) (call-next-method))
""",
    "carrier.lisp": """\
(in-package :shop.names)

(defun other (x)
  (store x 1)
  (c:fetch x)
  (p:fetch x)
  (kept x)
  (versioned:kept x)
  (parked x)
  (old-only x)) ;! gone
(defun parked (x) x) ;! conflict
""",
}
_MARK = re.compile(r";([!?]) (\S+)$")


class Marked(NamedTuple):
    """What is to be found on a line."""

    file: str
    line: int
    sort: str
    breaking: bool


def marked() -> set[Marked]:
    """All that is to be found."""
    return {
        Marked(file, number, found[2], found[1] == "!")
        for file, text in _MINE.items()
        for number, line in enumerate(text.splitlines(), 1)
        if (found := _MARK.search(line)) is not None
    }


class UpgradeSample(NamedTuple):
    """The project, whose index is in it, the folders of both versions, and the index of the new one."""

    project: Path
    old: Path
    new: Path
    newer: Path


def upgrade() -> UpgradeSample:
    """The sample, indexed."""

    def build(folder: Path) -> None:
        sample = _sample(folder)
        _write_library(sample.old, "1.0", _OLD_PACKAGE, _OLD)
        _write_library(sample.new, "2.0", _NEW_PACKAGE, _NEW)
        files = " ".join(f'(:file "{Path(name).stem}")' for name in _MINE)
        system = f'(defsystem "shop" :depends-on ("carrier") :serial t :components ({files}))\n'
        _write(sample.project, {"shop.asd": system, **_MINE})
        _index(sample.project, sample.old)
        _index(sample.new, sample.new, "--output", sample.newer)

    return _sample(kept("upgrade", build, parts=[_OLD, _OLD_PACKAGE, _NEW, _NEW_PACKAGE, *_MINE.values()]))


def _sample(folder: Path) -> UpgradeSample:
    return UpgradeSample(folder / "shop", folder / "old", folder / "new", folder / "newer.db")


def _write_library(folder: Path, version: str, packages: str, code: str) -> None:
    files = '(:file "package") (:file "carrier")'
    system = f'(defsystem "carrier" :version "{version}" :serial t :components ({files}))\n'
    _write(folder, {"carrier.asd": system, "package.lisp": packages, "carrier.lisp": code})


def _write(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)


def _index(project: Path, library: Path, *options: str | Path) -> None:
    environment = {"CL_SOURCE_REGISTRY": f"{library}:"}
    done = oblist("index", "--project", project, "--no-snapshot", *options, environment=environment)
    assert done.returncode == 0, done.stderr
