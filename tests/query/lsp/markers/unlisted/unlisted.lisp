;;;; A project with a file that its system does not have.

(defpackage "UNLISTED" (:use "CL"))
(in-package "UNLISTED")

(defun listed (x) x)
;@     ^ uses: scratch.lisp: (defun unlisted (x) («listed» x) (unlisted 1 2) (unknown-here))
