"""A small project of two packages, of which one imports from the other, and its index."""

from __future__ import annotations

from pathlib import Path

from support.editors.kept_project import kept_project

SYSTEM = """\
(defsystem "haberdashery"
  :depends-on ("asdf")
  :serial t
  :components ((:file "packages") (:file "tools") (:file "shop")))
"""
PACKAGES = """\
(defpackage #:haberdashery.tools
  (:use #:cl)
  (:intern #:needle)
  (:export #:flatten #:ribbon #:gone))
(defpackage #:haberdashery
  (:use #:cl)
  (:import-from #:haberdashery.tools #:ribbon)
  (:import-from #:haberdashery.tools #:needle)
  (:export #:wares #:total))
"""
TOOLS = """\
(in-package #:haberdashery.tools)
(defun flatten (tree) (if (listp tree) (mapcan #'flatten tree) (list tree)))
(defun ribbon (x) x)
(defun thread (x) x)
(defun needle (x) x)
"""
SHOP = """\
(in-package #:haberdashery)
(defun total (wares) (reduce #'+ (haberdashery.tools:flatten (ribbon wares))))
(defun wares () (list (ribbon 1) (haberdashery.tools:flatten '(2 "ribbon"))))
(defun cheap () (total (wares)))
(defun pin () (needle 1))
"""
FILES = {"haberdashery.asd": SYSTEM, "packages.lisp": PACKAGES, "tools.lisp": TOOLS, "shop.lisp": SHOP}


def haberdashery() -> Path:
    """The folder of the project, with its index in it."""
    return kept_project("haberdashery", FILES)
