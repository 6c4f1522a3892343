;;;; Generic functions, their methods, and setf functions.

(defpackage "GENERICS" (:use "CL") (:export "AREA"))
(in-package "GENERICS")

(defclass shape () ())
(defclass square (shape) ((side :initarg :side :accessor side)))

(defgeneric area (shape)
  (:documentation "How large SHAPE is.")
  (:method ((shape shape)) 0))
;@           ^ type definition: nothing
;@                 ^ type definition: (defclass «shape» () ())
;@           ^ definition: (:method ((«shape» shape)) 0))

(defmethod area ((shape square))
;@         ^ hover in full:
;=   (generics:area SHAPE)
;=   **generic-function, method** in GENERICS, exported from GENERICS
;=   Type: `(FUNCTION (T) *)`
;=   How large SHAPE is.
;=   - `generic-function` generics.lisp «(defgeneric area (shape)» (generics)
;=   - `method :AROUND (SQUARE)` generics.lisp «(defmethod area :around ((shape square))» (generics)
;=   - `method (SQUARE)` generics.lisp «(defmethod area ((shape square))» (generics)
;=   - `method (SHAPE)` generics.lisp «(:method ((shape shape)) 0))» (generics)
;=   - `generic-function` generics.lisp «(defmethod (setf area) (new (shape square))» (generics)
;=   - `method (T SQUARE)` generics.lisp «(defmethod (setf area) (new (shape square))» (generics)
;@         ^ implementation:
;=   (defmethod «area» :around ((shape square))
;=   (defmethod «area» ((shape square))
;=   («:method» ((shape shape)) 0))
;=   (defmethod (setf «area») (new (shape square))
;@                ^ hover: (defmethod area ((shape square)) | `shape` is a local variable, bound on that line.
;@                      ^ hover: generics::square | **class** in GENERICS, internal
  (* (side shape) (side shape)))
;@         ^ highlights:
;=   write: (defmethod area ((«shape» square))
;=   read: (* (side «shape») (side «shape»)))
;@    ^ definition: (defclass square (shape) ((side :initarg :side :accessor «side»)))

(defmethod area :around ((shape square))
  (max (call-next-method) 1))
;@      ^ definition: nothing

(defmethod (setf area) (new (shape square))
;@               ^ definition: (defmethod (setf «area») (new (shape square))
;@                      ^ hover:
;=   (defmethod (setf area) (new (shape square))
;=   `new` is a local variable, bound on that line.
  (setf (side shape) (sqrt new)))
;@       ^ hover:
;=   ((setf generics::side) NEW-VALUE OBJECT)
;=   **generic-function, method** in GENERICS, internal
;=   automatically generated writer method
;@       ^ references:
;=   (defclass square (shape) ((side :initarg :side :accessor «side»)))
;=   (setf («side» shape) (sqrt new)))
;@                         ^ definition: (defmethod (setf area) («new» (shape square))

(defgeneric draw (shape stream))
