;;;; A file that is not in any folder of the workspace.

(in-package "FUNCTIONS")

(defun mine (x)
  (width (area x)))
;@ ^ hover: (functions::width SHAPE) | **function** in FUNCTIONS, internal | The width of SHAPE,
;@ ^ definition: functions/functions.lisp: (defun «width» (shape)
;@             ^ definition: (defun mine («x»)
;@        ^ uses:
;=   functions/functions.lisp: (reduce #'+ shapes :key #'«area»))
;=   functions/functions.lisp: (list #'«area» 'area (function width) "area" (funcall 'width '(1))))
;=   functions/functions.lisp: (defpackage "FUNCTIONS" (:use "CL") (:export «"AREA"»))
;=   functions/functions.lisp: (list #'area '«area» (function width) "area" (funcall 'width '(1))))
;=   (width («area» x)))
;=   (defun new (x) («functions:area» x) (new x))

(mine 1)
;@ "mine" hover: `mine` is defined in an open document; the index does not have it yet.
;@ "mine" definition: (defun «mine» (x)

(defclass fresh () ((part :accessor fresh-part)))
(define-unknown-thing thing 1)
(list (make-instance 'fresh) (fresh-part 1) thing)
;@                    ^ definition: (defclass «fresh» () ((part :accessor fresh-part)))
;@                              ^ definition: (defclass fresh () ((part :accessor «fresh-part»)))
;@ "thing" definition: (define-unknown-thing «thing» 1)

(defpackage "OUTSIDE" (:use "CL"))
(in-package "OUTSIDE")
;; A gap: references to what is new are its definition alone.
(defun new (x) (functions:area x) (new x))
;@              ^ definition: functions/functions.lisp: (defun «area» (shape &optional (scale 1) &key round)
;@     ^ hover: `new` is defined in an open document; the index does not have it yet.
;@                                 ^ definition: (defun «new» (x) (functions:area x) (new x))
;@     ^ references: (defun «new» (x) (functions:area x) (new x))
;@ outline:
;=   function mine (defun (x))
;=   class fresh (defclass)
;=   package "OUTSIDE" (defpackage)
;=   function new (defun (x))
