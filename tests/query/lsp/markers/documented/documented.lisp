;;;; Names in comments and in documentation strings.

(defpackage "DOCUMENTED" (:use "CL"))
(in-package "DOCUMENTED")

(defvar *scale* 2 "By how much SCALE scales.")
;@                             ^ hover:
;=   (documented::scale X)
;=   **function** in DOCUMENTED, internal
;=   Multiply X with *SCALE*; see also `shrink', (shrink 1), and DOCUMENTED::SHRINK.

(defun scale (x)
  "Multiply X with *SCALE*; see also `shrink', (shrink 1), and DOCUMENTED::SHRINK.
;@                 ^ hover:
;=   documented::*scale*
;=   **variable** in DOCUMENTED, internal
;=   By how much SCALE scales.
;@                                    ^ definition: (defun «shrink» (x) (/ x *scale*))
;@                                              ^ definition: (defun «shrink» (x) (/ x *scale*))
;@                                                             ^ definition:
;=   (defun «shrink» (x) (/ x *scale*))

The second paragraph."
  ;; Unlike shrink, this makes things larger. And *scale* is not ours.
;@          ^ definition: (defun «shrink» (x) (/ x *scale*))
;@                                                ^ hover:
;=   documented::*scale*
;=   **variable** in DOCUMENTED, internal
;=   By how much SCALE scales.
  (* x *scale*)) ; shrink divides
;@                 ^ hover: (documented::shrink X) | **function** in DOCUMENTED, internal

(defun shrink (x) (/ x *scale*))

#|
A block of comments about shrink.
;@                        ^ definition: (defun «shrink» (x) (/ x *scale*))
|#
'("shrink" "see shrink.")
;@   ^ hover: (documented::shrink X) | **function** in DOCUMENTED, internal
'(:scale scale)
;@^ hover: :scale | **constant** in KEYWORD, exported from KEYWORD | Value: `:SCALE`
;@       ^ hover in full:
;=   (documented::scale X)
;=   **function** in DOCUMENTED, internal
;=   Type: `(FUNCTION (T) (VALUES NUMBER &OPTIONAL))`
;=   Multiply X with *SCALE*; see also `shrink', (shrink 1), and DOCUMENTED::SHRINK.
;=
;=   The second paragraph.
;=   - `function` documented.lisp «(defun scale (x)» (documented)
'nothing-known
;@ "nothing-known" hover: nothing
;@ "nothing-known" definition: nothing
'()
;@ "(" hover: nothing
;@ symbols "shrink":
;=   function documented::shrink: (defun «shrink» (x) (/ x *scale*))
;=   function documented::scale: (defun «scale» (x)
;@ symbols "zzyzx": nothing
