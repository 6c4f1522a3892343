;;;; What folds, and what a selection grows to.
;;;;
;;;; A comment of several lines folds as well.

(defpackage "SHAPES" (:use "CL"))
(in-package "SHAPES")

(defun area (shape)
  "A text
of two lines."
  (let ((width (first shape))
        (height (second shape)))
    ;; A single line of comment does not fold.
    (* width height)))
;@           ^ selection:
;=   height
;=   * width height
;=   (* width height)
;=   let ((width (first shape)) (height  ... t fold. (* width height)
;=   (let ((width (first shape)) (height ...  fold. (* width height))
;=   defun area (shape) "A text of two l ...  fold. (* width height))
;=   (defun area (shape) "A text of two  ... fold. (* width height)))
;=   the whole file

;; Two of them
;; do.
(defun quoted () '(a (b "c d") #(e f)))
;@                    ^ selection:
;=   b
;=   b "c d"
;=   (b "c d")
;=   a (b "c d") #(e f)
;=   (a (b "c d") #(e f))
;=   '(a (b "c d") #(e f))
;=   defun quoted () '(a (b "c d") #(e f))
;=   (defun quoted () '(a (b "c d") #(e f)))
;=   the whole file
;@                      ^ selection:
;=   "c d"
;=   b "c d"
;=   (b "c d")
;=   a (b "c d") #(e f)
;=   (a (b "c d") #(e f))
;=   '(a (b "c d") #(e f))
;=   defun quoted () '(a (b "c d") #(e f))
;=   (defun quoted () '(a (b "c d") #(e f)))
;=   the whole file
;@                                 ^ selection:
;=   f
;=   e f
;=   #(e f)
;=   a (b "c d") #(e f)
;=   (a (b "c d") #(e f))
;=   '(a (b "c d") #(e f))
;=   defun quoted () '(a (b "c d") #(e f))
;=   (defun quoted () '(a (b "c d") #(e f)))
;=   the whole file
(defvar *x* #'area) (defvar *y* 2)
;@            ^ selection:
;=   area
;=   #'area
;=   defvar *x* #'area
;=   (defvar *x* #'area)
;=   the whole file
;@ folding:
;=   form: (defun area (shape) ... (* width height)))
;=   form: (let ((width (first shape)) ... (* width height)))
;=   comment: ;;;; What folds, and what a selection grows to. ... ;;;; A comment of several lines folds as well.
;=   comment: ;; Two of them ... ;; do.
