(in-package "MACROS")

(defun run ()
  (with-level (2 :base 1)
;@ ^ hover:
;=   (macros:with-level (LEVEL &KEY (BASE 0)) &BODY BODY)
;=   **macro** in MACROS, exported from MACROS
;=   Run BODY at LEVEL.
;@ ^ definition: macros.lisp: (defmacro «with-level» ((level &key (base 0)) &body body)
;@ ^ references:
;=   macros.lisp: (defmacro «with-level» ((level &key (base 0)) &body body)
;=   («with-level» (2 :base 1)
;=   macros.lisp: (defpackage "MACROS" (:use "CL") (:export «"WITH-LEVEL"»))
    (let ((x *level*))
      (while (plusp x) (decf x))
;@                  ^ highlights: text: (while (plusp «x») (decf x))
      (halt x))))
;@     ^ definition: macros.lisp: (defcommand «halt» (code)
;@     ^ hover in full:
;=   (macros::halt CODE)
;=   **function** in MACROS, internal
;=   Type: `(FUNCTION (T) (VALUES CONS &OPTIONAL))`
;=   - `function` macros.lisp «(defcommand halt (code)» (macros)

(defun local-macros (list)
  (macrolet ((twice (form) `(progn ,form ,form))
;@                                  ^ definition: (macrolet ((twice («form») `(progn ,form ,form))
             (note (x) `(print ,x)))
;@            ^ highlights: write: («note» (x) `(print ,x)))
    (symbol-macrolet ((head (car list)))
      (twice (setf head (note head))))))
;@     ^ definition: (macrolet ((«twice» (form) `(progn ,form ,form))
;@                 ^ highlights: text: (twice (setf «head» (note head))))))
;@                       ^ definition:
;=   refused: What binds note here is unknown: a macro that is not standard is around it.
;@                 ^ hover: What binds `head` here is unknown: a macro that is not standard is around it.
