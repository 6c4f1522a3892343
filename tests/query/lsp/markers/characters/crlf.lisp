;@ CRLF
;;;; The lines of this file end with CR and LF.

(defpackage "CRLF" (:use "CL"))
(in-package "CRLF")

(defun first-line (x)
  "Two
lines."
  (second-line x))
;@ ^ definition: (defun «second-line» (x)
;@ ^ hover: (crlf::second-line X) | **function** in CRLF, internal

(defun second-line (x)
  (list x
        (first-line "😀") (no-such-function)))
;@                        ^^^^^^^^^^^^^^^^ warning[undefined-function]: there is no function or macro no-such-function
;@       ^ references:
;=   (defun «first-line» (x)
;=   («first-line» "😀") (no-such-function)))
;@       ^ hover in full:
;=   (crlf::first-line X)
;=   **function** in CRLF, internal
;=   Type: `(FUNCTION (T) *)`
;=   Two
;=   lines.
;=   - `function` crlf.lisp «(defun first-line (x)» (characters)
;@ folding:
;=   form: (defun first-line (x) ... (second-line x))
;=   form: (defun second-line (x) ... (first-line "😀") (no-such-function)))
;=   form: (list x ... (first-line "😀") (no-such-function)))
