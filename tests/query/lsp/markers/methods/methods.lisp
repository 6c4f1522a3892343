;;;; Methods: qualifiers, EQL specializers, and where each of them is.

(defpackage "METHODS" (:use "CL"))
(in-package "METHODS")

(defgeneric visit (node mode &key depth)
  (:documentation "Visit NODE.")
  (:method-combination list))

(defmethod visit list ((node cons) (mode (eql :fast)) &key depth)
;@         ^ implementation:
;=   more.lisp: (defmethod «visit» list ((node vector) mode &key depth)
;=   (defmethod «visit» list ((node string) mode &key (depth 1))
;=   (defmethod «visit» list ((node cons) (mode (eql :fast)) &key depth)
;@                      ^ definition: (defmethod visit list ((«node» cons) (mode (eql :fast)) &key depth)
;@                                                         ^ hover:
;=   (defmethod visit list ((node cons) (mode (eql :fast)) &key depth)
;=   `depth` is a local variable, bound on that line.
;@                                            ^ hover:
;=   :fast
;=   **constant** in KEYWORD, exported from KEYWORD
;=   Value: `:FAST`
  (list (car node) mode depth))
;@           ^ highlights:
;=   write: (defmethod visit list ((«node» cons) (mode (eql :fast)) &key depth)
;=   read: (list (car «node») mode depth))
;@                      ^ highlights:
;=   write: (defmethod visit list ((node cons) (mode (eql :fast)) &key «depth»)
;=   read: (list (car node) mode «depth»))
;@                 ^ definition: (defmethod visit list ((node cons) («mode» (eql :fast)) &key depth)

(defmethod visit list ((node string) mode &key (depth 1))
  (flet ((visit (x) (list x mode)))
    (list (visit node) depth)))
;@         ^ definition: (flet ((«visit» (x) (list x mode)))
;@                     ^ definition: (defmethod visit list ((node string) mode &key («depth» 1))
