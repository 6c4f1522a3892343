;;;; A string that is not closed goes on to the end, for all that is known.

(in-package "BROKEN")

(defun told (x)
  (list (price x) "an open string))
;@                ^ error[unclosed]: the string that begins here is not closed
;@ was:   (list (price x) "a closed string"))
;@       ^ hover: (broken::price ITEM) | **function** in BROKEN, internal
;@             ^ definition: nothing

(defun later (x)
  (price x))
;@ ^ hover: (broken::price ITEM) | **function** in BROKEN, internal
;@ ^ definition: broken.lisp: (defun «price» (item) (list item))
;@ outline:
;=   function told (defun (x))
;=   function later (defun (x))
