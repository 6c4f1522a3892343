"""A small project with packages that use, import and name one another in many ways, and its index."""

from __future__ import annotations

from pathlib import Path

from support.editors.kept_project import kept_project

SYSTEM = """\
(defsystem "bazaar" :serial t
  :components ((:file "packages") (:file "tools") (:file "shop") (:file "late")))
"""
PACKAGES = """\
(defpackage #:bazaar.tools
  (:use #:cl)
  (:export #:flatten #:ribbon #:shut #:open-door #:with-door #:*door* #:spare #:again))
(defpackage #:bazaar.hats
  (:use #:cl)
  (:export #:hat #:cap #:fez))
(defpackage #:bazaar
  (:use #:cl #:bazaar.tools)
  (:shadow #:shut)
  (:local-nicknames (#:h #:bazaar.hats))
  (:import-from #:bazaar.hats #:cap
                #:hat)
  (:export #:total #:again #:shut #:unwanted))
(defpackage #:bazaar.late
  (:use #:cl)
  (:import-from #:bazaar #:ribbon)
  (:export #:last-one))
(defpackage #:bazaar.all
  (:use #:cl #:bazaar.hats)
  (:export . #.(let (all) (do-external-symbols (one '#:bazaar.hats all) (push (symbol-name one) all)))))
"""
TOOLS = """\
(in-package #:bazaar.tools)
(defvar *door* nil)
(defmacro with-door (&body body) `(let ((*door* t)) ,@body))
(defun flatten (tree) (if (listp tree) (mapcan #'flatten tree) (list tree)))
(defun ribbon (x) x)
(defun shut (x) x)
(defun open-door () (with-door (flatten '(1))))
(defun spare () 1)
(defun again () 2)
(defun secret (x) x)
"""
SHOP = """\
(in-package #:bazaar)

;; How a door is shut here.
(defun shut (x) (bazaar.tools:shut x))

(defmacro with-total ((name) &body body)
  `(let ((,name (flatten (list ,@body)))) ,name))

(defun total (wares)
  (with-total (sum) (h:cap wares) (bazaar.hats::brim 1) 'open-door))
#-sbcl (defun door () *door*)
(defun tally (x) (hat (bazaar.tools::secret x)))
"""
LATE = """\
(in-package #:bazaar.hats)
(defun cap (x) x)
(defun hat (x) x)
(defun brim (x) x)

(in-package #:bazaar.late)
(defun last-one () (list (ribbon 1) (bazaar:total '()) (bazaar.hats:cap 2)))
"""
FILES = {
    "bazaar.asd": SYSTEM,
    "packages.lisp": PACKAGES,
    "tools.lisp": TOOLS,
    "shop.lisp": SHOP,
    "late.lisp": LATE,
}


def bazaar() -> Path:
    """The folder of the project, with its index in it."""
    return kept_project("bazaar", FILES)
