;;;; A form that is not closed spoils no other.

(defpackage "BROKEN" (:use "CL"))
(in-package "BROKEN")

(defun price (item) (list item))

(defun total (items)
;@ "(" error[unclosed]: the form that begins here is not closed, so the one on line «(defun after (x)» is part of it
  (let ((sum 0))
    (dolist (item items) (incf sum (length (price item)))
;@ was:     (dolist (item items) (incf sum (length (price item))))
;@                                                ^ definition: nothing
;@                                          ^ definition: (defun «price» (item) (list item))
    sum))

(defun after (x)
  (list (price x)))
;@       ^ hover: (broken::price ITEM) | **function** in BROKEN, internal
;@             ^ definition: (defun after («x»)
;@       ^ references:
;=   (defun «price» (item) (list item))
;=   (list («price» x)))
;=   string.lisp: («price» x))
;=   string.lisp: (list («price» x) "an open string))
;=   (dolist (item items) (incf sum (length («price» item)))
;@ outline:
;=   package "BROKEN" (defpackage)
;=   function price (defun (item))
;=   function total (defun (items))
;=   function after (defun (x))
;@ folding:
;=   form: (defun total (items) ... sum))
;=   form: (let ((sum 0)) ... sum))
;=   form: (dolist (item items) (incf sum (length (price item))) ... sum))
;=   form: (defun after (x) ... (list (price x)))
