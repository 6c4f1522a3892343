;;;; What is deprecated is said to be so.

(defpackage "DEPRECATED" (:use "CL"))
(in-package "DEPRECATED")

(defun old (x) "Does it the old way." x)
(defun new (x) "Does it the new way." x)
(declaim (sb-ext:deprecated :early ("deprecated" "1.2") (function old :replacement new)))
;@                                                                ^ definition:
;=   (defun «old» (x) "Does it the old way." x)
;=   (declaim (sb-ext:deprecated :early ("deprecated" "1.2") (function «old» :replacement new)))
;@                                                                                 ^ uses:
;=   (old («new» x)))
;=   (declaim (sb-ext:deprecated :early ("deprecated" "1.2") (function old :replacement «new»)))

(defun use (x)
  (old (new x)))
;@ ^^^ warning[deprecated]: the function old is deprecated as of deprecated 1.2; use NEW
;@ ^ hover:
;=   (deprecated::old X)
;=   **function, declaration** in DEPRECATED, internal
;=   **Deprecated** (early) since deprecated 1.2; use `NEW` instead.
;=   The function DEPRECATED::OLD has been deprecated as of deprecated version 1.2.
;@ ^ hover in full:
;=   (deprecated::old X)
;=   **function, declaration** in DEPRECATED, internal
;=   **Deprecated** (early) since deprecated 1.2; use `NEW` instead.
;=   Type: `(FUNCTION (T) (VALUES T &OPTIONAL))`
;=   The function DEPRECATED::OLD has been deprecated as of deprecated version 1.2.
;=
;=   Use DEPRECATED::NEW instead.
;=
;=   Does it the old way.
;=   - `function` deprecated.lisp «(defun old (x) "Does it the old way." x)» (deprecated)
;=   - `declaration DEPRECATED FUNCTION` deprecated.lisp «(declaim (sb-ext:deprecated :early ("deprecated" "1.2") (function old :replacement new)))» (deprecated)
