;;;; Structures, and the functions that they define.

(defpackage "STRUCTURES" (:use "CL"))
(in-package "STRUCTURES")

(defstruct point
;@         ^ hover: structures::point | **structure** in STRUCTURES, internal | A place in the plane.
;@         ^ subtypes:
;=   structures::pixel: (defstruct («pixel» (:include point) (:conc-name px-) (:constructor pixel-at (x y &key colour)))
;@         ^ uses:
;=   («point» (copy-point numbers))
;=   (defstruct (pixel (:include «point») (:conc-name px-) (:constructor pixel-at (x y &key colour)))
  "A place in the plane."
  (x 0 :type real)
  (y 0 :type real))

(defstruct (pixel (:include point) (:conc-name px-) (:constructor pixel-at (x y &key colour)))
;@          ^ supertypes: structures::point: (defstruct «point»
;@                          ^ definition: (defstruct «point»
;@                                                                ^ hover:
;=   (structures::pixel-at X Y &KEY (COLOUR :BLACK))
;=   **function** in STRUCTURES, internal
;@                                                                ^ references:
;=   (defstruct (pixel (:include point) (:conc-name px-) (:constructor «pixel-at» (x y &key colour)))
;=   («pixel-at» (px-x pixel) (px-y pixel) :colour (px-colour pixel)))
  (colour :black))

(defun origin-p (point)
  (and (zerop (point-x point)) (zerop (point-y point))))
;@             ^ hover: (structures::point-x INSTANCE) | **function, setf-function** in STRUCTURES, internal
;@             ^ definition: («x» 0 :type real)
;@             ^ references:
;=   («x» 0 :type real)
;=   (and (zerop («point-x» point)) (zerop (point-y point))))
;@                                     ^ definition: («y» 0 :type real))

(defun paint (pixel colour)
  (check-type pixel pixel)
;@                  ^ type definition:
;=   (defstruct («pixel» (:include point) (:conc-name px-) (:constructor pixel-at (x y &key colour)))
;@            ^ hover: (defun paint (pixel colour) | `pixel` is a local variable, bound on that line.
;@                  ^ hover: structures::pixel | **structure** in STRUCTURES, internal
  (setf (px-colour pixel) colour)
;@       ^ definition: («colour» :black))
;@       ^ hover: ((setf structures::px-colour) VALUE INSTANCE) | **setf-function** in STRUCTURES, internal
  (incf (px-x pixel))
;@       ^ hover: (structures::px-x INSTANCE) | **function, setf-function** in STRUCTURES, internal
  (pixel-at (px-x pixel) (px-y pixel) :colour (px-colour pixel)))
;@ ^ definition:
;=   (defstruct (pixel (:include point) (:conc-name px-) (:constructor «pixel-at» (x y &key colour)))
;@                                             ^ references:
;=   («colour» :black))
;=   (pixel-at (px-x pixel) (px-y pixel) :colour («px-colour» pixel)))

(defun square (numbers)
  (typecase numbers
    (point (copy-point numbers))
;@   ^ type definition: (defstruct «point»
;@          ^ definition: («defstruct» point
    (pixel (make-point :x 1))
;@          ^ definition: («defstruct» point
;@          ^ hover:
;=   (structures::make-point &KEY ((:X X) 0) ((:Y Y) 0))
;=   **function** in STRUCTURES, internal
    (t (point-p numbers))))
;@      ^ definition: («defstruct» point
