;; 😀 This line is new, and so is the next, which is empty.
;@ was:

;@ was:
(defpackage "EDITED" (:use "CL"))
(in-package "EDITED")

(defun stays (x) x)
;@     ^ hover in full:
;=   (edited::stays X)
;=   **function** in EDITED, internal
;=   Type: `(FUNCTION (T) (VALUES T &OPTIONAL))`
;=   - `function` edited.lisp «(defun stays (x) x)» (edited)
;@     ^ uses:
;=   uses.lisp: (list («stays» 1) (total 2) (moved 3) (removed) (tally 4)))
;=   (defun added () («stays» 2))
(defun tally (x) x)
;@ was: (defun total (x) x)
;@     ^ hover: `tally` is defined in an open document; the index does not have it yet.
;@     ^ definition: (defun «tally» (x) x)
;@     ^ uses: uses.lisp: (list (stays 1) (total 2) (moved 3) (removed) («tally» 4)))
(defun moved (a b) (list b a (added)))
;@ was:
;=   (defun moved (a) (list a))
;=   (defun removed () 1)
;@     ^ hover: (edited::moved A) | **function** in EDITED, internal
;@                       ^ definition: (defun moved (a «b») (list b a (added)))
;@                            ^ definition: (defun «added» () (stays 2))
;@                            ^ hover: `added` is defined in an open document; the index does not have it yet.
(defun added () (stays 2))
;@ was:
;@               ^ references:
;=   (defun «stays» (x) x)
;=   uses.lisp: (list («stays» 1) (total 2) (moved 3) (removed) (tally 4)))
;=   (defun added () («stays» 2))
(defclass kept () (one two))
;@ was: (defclass kept () (one))
;@        ^ definition: (defclass «kept» () (one two))
