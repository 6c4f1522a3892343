;;;; Who calls whom, and who stands above whom.

(defpackage "CALLS" (:use "CL"))
(in-package "CALLS")

(defun price (ware) (length ware))
;@     ^ callers:
;=   calls::sell: (with-discount (total ware) («price» (first ware)) (mapcar #'«price» ware)))
;=   calls::total: (dolist (one wares sum) (incf sum («price» one)))))
;@     ^ callees: nothing

(defmacro with-discount (&body body) `(let ((rate 2)) (list rate ,@body)))
;@        ^ callers: calls::sell: («with-discount» (total ware) (price (first ware)) (mapcar #'price ware)))

(defun total (wares)
;@     ^ callers: calls::sell: (with-discount («total» ware) (price (first ware)) (mapcar #'price ware)))
;@     ^ callees: calls::price: (dolist (one wares sum) (incf sum («price» one)))))
  (let ((sum 0))
    (dolist (one wares sum) (incf sum (price one)))))
;@                                     ^ callees: nothing

(defgeneric sell (ware))
;@          ^ callers: calls::both: (defun both () (list («sell» '()) («sell» '(1))))
(defmethod sell ((ware list))
;@         ^ callees:
;=   calls::price: (with-discount (total ware) («price» (first ware)) (mapcar #'«price» ware)))
;=   calls::total: (with-discount («total» ware) (price (first ware)) (mapcar #'price ware)))
;=   calls::with-discount: («with-discount» (total ware) (price (first ware)) (mapcar #'price ware)))
  (with-discount (total ware) (price (first ware)) (mapcar #'price ware)))

(defun both () (list (sell '()) (sell '(1))))
;@                    ^ callers: calls::both: (defun both () (list («sell» '()) («sell» '(1))))
;@     ^ callees: calls::sell: (defun both () (list («sell» '()) («sell» '(1))))
;@     ^ callers: nothing

(defvar *both* 'both)
;@              ^ uses: (defvar *both* '«both»)
(defun recursive (n) (if (zerop n) 0 (recursive (1- n))))
;@     ^ callers: calls::recursive: (defun recursive (n) (if (zerop n) 0 («recursive» (1- n))))
;@     ^ callees: calls::recursive: (defun recursive (n) (if (zerop n) 0 («recursive» (1- n))))

(defclass base () ())
;@        ^ subtypes: calls::middle: (defclass «middle» (base other) ())
(defclass other () ())
(defclass middle (base other) ())
;@        ^ supertypes:
;=   calls::base: (defclass «base» () ())
;=   calls::other: (defclass «other» () ())
;@        ^ subtypes: calls::top: (defclass «top» (middle) ())
(defclass top (middle) ())
;@        ^ supertypes: calls::middle: (defclass «middle» (base other) ())
;@             ^ implementation: (defclass «top» (middle) ())
;@        ^ callers: nothing
;@             ^ subtypes: calls::top: (defclass «top» (middle) ())
