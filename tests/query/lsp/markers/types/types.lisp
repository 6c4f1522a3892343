;;;; Types in declarations, definitions and tests of type.

(defpackage "TYPES" (:use "CL"))
(in-package "TYPES")

(deftype size () "How large something is." '(integer 0))
;@       ^ hover: types::size | **type** in TYPES, internal | How large something is.
;@       ^ uses:
;=   (assert (typep size '(or «size» box)))
;=   (the «size» size)
;=   (defclass box () ((size :type «size» :initform 0)))
;=   (declaim (ftype (function («size») box) boxed))
;=   (declare (type «size» size) (optimize speed))
;=   (defclass box () ((«size» :type size :initform 0)))
(deftype pair (of) `(cons ,of ,of))
;@                         ^ definition: (deftype pair («of») `(cons ,of ,of))
(defclass box () ((size :type size :initform 0)))
;@                            ^ definition: (deftype «size» () "How large something is." '(integer 0))

(declaim (ftype (function (size) box) boxed))
;@                         ^ definition: (deftype «size» () "How large something is." '(integer 0))
;@                               ^ definition: (defclass «box» () ((size :type size :initform 0)))
;@                                    ^ definition:
;=   (defun «boxed» (size)
;=   (declaim (ftype (function (size) box) «boxed»))
(defun boxed (size)
  (declare (type size size) (optimize speed))
;@               ^ definition: (deftype «size» () "How large something is." '(integer 0))
;@                    ^ definition: (defun boxed («size»)
;@               ^ type definition: (deftype «size» () "How large something is." '(integer 0))
  (assert (typep size '(or size box)))
;@               ^ definition: (defun boxed («size»)
;@                         ^ definition: (deftype «size» () "How large something is." '(integer 0))
;@                              ^ definition: (defclass «box» () ((size :type size :initform 0)))
  (the size size)
;@     ^ type definition: (deftype «size» () "How large something is." '(integer 0))
;@          ^ highlights:
;=   write: (defun boxed («size»)
;=   read: (declare (type size «size») (optimize speed))
;=   read: (assert (typep «size» '(or size box)))
;=   read: (the size «size»)
  (make-instance 'box))
;@                ^ type definition: (defclass «box» () ((size :type size :initform 0)))
;@                ^ references:
;=   (defclass «box» () ((size :type size :initform 0)))
;=   (make-instance '«box»))
;=   (assert (typep size '(or size «box»)))
;=   (declaim (ftype (function (size) «box») boxed))
