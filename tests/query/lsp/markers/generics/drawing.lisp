(in-package "GENERICS")

(defmethod draw ((shape shape) (stream (eql t)))
  (draw shape *standard-output*))
;@ ^ definition:
;=   generics.lisp: (defgeneric «draw» (shape stream))
;=   (defmethod «draw» ((shape shape) (stream (eql t)))
;@ ^ implementation: (defmethod «draw» ((shape shape) (stream (eql t)))
;@ ^ references:
;=   generics.lisp: (defgeneric «draw» (shape stream))
;=   (defmethod «draw» ((shape shape) (stream (eql t)))
;=   («draw» shape *standard-output*))

(defun grow (square)
  (incf (area square))
;@       ^ hover:
;=   (generics:area SHAPE)
;=   **generic-function, method** in GENERICS, exported from GENERICS
;=   How large SHAPE is.
;@       ^ definition:
;=   generics.lisp: (defgeneric «area» (shape)
;=   generics.lisp: (defmethod «area» :around ((shape square))
;=   generics.lisp: (defmethod «area» ((shape square))
;=   generics.lisp: («:method» ((shape shape)) 0))
;=   generics.lisp: (defmethod (setf «area») (new (shape square))
;@       ^ references:
;=   generics.lisp: (defgeneric «area» (shape)
;=   generics.lisp: (defmethod «area» :around ((shape square))
;=   generics.lisp: (defmethod «area» ((shape square))
;=   generics.lisp: («:method» ((shape shape)) 0))
;=   generics.lisp: (defmethod (setf «area») (new (shape square))
;=   (incf («area» square))
;=   («area» square))
;=   generics.lisp: (defpackage "GENERICS" (:use "CL") (:export «"AREA"»))
  (setf (area square) 4)
;@       ^ hover:
;=   ((setf generics:area) NEW SHAPE)
;=   **generic-function, method** in GENERICS, exported from GENERICS
;@       ^ definition: generics.lisp: (defmethod (setf «area») (new (shape square))
  (area square))
;@ ^ uses:
;=   (incf («area» square))
;=   («area» square))
;=   generics.lisp: (defpackage "GENERICS" (:use "CL") (:export «"AREA"»))
;@ ^ type definition: nothing
;@      ^ hover: (defun grow (square) | `square` is a local variable, bound on that line.
