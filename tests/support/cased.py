"""An index of a system whose names show how the reader changes case: letters outside ASCII."""

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


def cased_and_sources() -> tuple[Path, Path]:
    """The index, and the folder of the sources."""
    folder = kept("cased", _build)
    return folder / "oblist.db", folder / "sources"


def _build(folder: Path) -> None:
    sources = folder / "sources"
    write_system(sources, "cased", SOURCE)
    build_with_system("cased", sources, folder / "oblist.db", small_sbcl())
