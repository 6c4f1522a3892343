"""An index of an image with a small system that has the difficult cases of definition and xref."""

from __future__ import annotations

from pathlib import Path

from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl
from support.builds.system_builds import build_with_system
from support.command import write_system

SHELF = "SHELF"

# Every line that a test asks for is found by its text, never by its number.
SOURCE = r"""
(defpackage :shelf
  (:use :common-lisp)
  (:export #:open-book #:book #:title #:with-book #:+pages+ #:*shelf* #:read-aloud))

(in-package :shelf)

;; Multi-byte text before a definition: äöü 日本語 𝄞.
(defvar *shelf* '() "Where the books are — all of them.")

(defconstant +pages+ 42)

(deftype page-number () '(integer 1 1000))

(defclass book ()
  ((title :accessor title :initarg :title)
   (pages :reader pages :initform +pages+)))

(defstruct spine colour)

(define-condition torn-page (error) ((page :reader torn-page-page)))

(defgeneric read-aloud (book &key voice)
  (:documentation "Read BOOK aloud."))

(defmethod read-aloud ((book book) &key voice)
  (list "ü日𝄞" voice (title book)))

(defmethod read-aloud :after ((book book) &key voice)
  (declare (ignore voice))
  (push book *shelf*))

(defmethod read-aloud ((book (eql :none)) &key voice)
  (declare (ignore voice)))

(defun page (book number) (list book number))

(defun (setf page) (value book number)
  (list value book number))

(defmacro with-book ((name) &body body)
  `(let ((,name (make-instance 'book :title "none")))
     ,@body))

(defun fenced ()
  "Has ```` backticks ``` in it."
  ``(a ,,@'(b)))

(defun open-book (title)
  (with-book (book)
    (setf (title book) title)
    (setf (page book 1) title)
    (read-aloud book :voice #'page)))

(defun caller-of-two ()
  (open-book "a") (open-book "b"))

(defun even-odd (n)
  (if (zerop n) t (odd-even (1- n))))

(defun odd-even (n)
  (if (zerop n) nil (even-odd (1- n))))

(defun top () (caller-of-two) (even-odd 2))

(defun binder ()
  (let ((*shelf* '())) (setf *shelf* (list 1)) *shelf*))

(defmacro define-tool (name)
  `(progn (defvar ,(intern (format nil "*~A*" name)) nil)
          (defun ,name () ',name)))

(define-tool hammer)

(defun |odd, Name| () #\( #| ( |# :key)

(defclass page-mark () ())
(defmethod turn ((mark page-mark)) mark)

(defpackage :shelf-2 (:use :common-lisp))
(defclass shelf-2::page-mark () ())
(defmethod shelf-2::turn ((mark shelf-2::page-mark)) mark)

(intern "NOTHING" :shelf)
"""

WINDOWS = ";; Lines end as on Windows.\n(in-package :shelf)\n\n(defun windows (x)\n  (page x 1)\n  x)\n"


def shelf_and_sources() -> tuple[Path, Path]:
    """The index, and the folder of the sources."""
    folder = kept("shelf", _build)
    return folder / "oblist.db", folder / "sources"


def _build(folder: Path) -> None:
    sources = folder / "sources"
    write_system(sources, "shelf", SOURCE)
    (sources / "windows.lisp").write_bytes(WINDOWS.replace("\n", "\r\n").encode())
    (sources / "shelf.asd").write_text(
        '(asdf:defsystem "shelf" :version "1.2.3" :serial t\n'
        '  :components ((:file "shelf") (:file "windows")))\n'
    )
    build_with_system("shelf", sources, folder / "oblist.db", small_sbcl())


def line_of(text: str, source: str = SOURCE) -> int:
    """The number of the line that ``text`` begins in."""
    assert source.count(text) == 1, text
    return source[: source.index(text)].count("\n") + 1
