;;;; Packages, and one name in several of them.

(defpackage "PACKAGES.MEASURES"
  (:documentation "Units.")
  (:use "CL")
  (:nicknames "PACKAGES.UNITS")
  (:export "GRAM" #:ounce))
;@         ^ definition: (defun «gram» (x) "X in grams." x)
;@         ^ hover:
;=   (packages.measures:gram X)
;=   **function** in PACKAGES.MEASURES, exported from PACKAGES.MEASURES
;=   X in grams.
;@                  ^ definition: (defun «ounce» (x) "X in ounces." (* 28 x))

(defpackage "PACKAGES.FRUIT"
  (:use "CL")
  (:shadow "GRAM")
  (:export "WEIGH"))
;@         ^ references:
;=   (defun «weigh» (x)
;=   kitchen.lisp: (list (gram x) («weigh» x) (fruit::gram) («fruit:weigh» x)))
;=   (:export «"WEIGH"»))
;=   (:import-from :packages.fruit «#:weigh»)

;; A gap: the names of packages lead nowhere.
(defpackage :packages.kitchen
  (:use :cl :packages.measures)
;@           ^ definition: nothing
  (:import-from :packages.fruit #:weigh)
;@               ^ hover: nothing
;@                                ^ definition: (defun «weigh» (x)
  (:local-nicknames (:fruit :packages.fruit)))

(in-package :packages.measures)
;@           ^ definition: nothing
(defun gram (x) "X in grams." x)
;@     ^ hover:
;=   (packages.measures:gram X)
;=   **function** in PACKAGES.MEASURES, exported from PACKAGES.MEASURES
;=   X in grams.
(defun ounce (x) "X in ounces." (* 28 x))

(in-package "PACKAGES.FRUIT")
;@           ^ references: nothing
(defun gram () "Of fruit." 1)
(defun weigh (x)
  "How heavy X is."
  (list (gram) (packages.measures:gram x) (packages.units:ounce x)))
;@       ^ hover: (packages.fruit::gram) | **function** in PACKAGES.FRUIT, internal | Of fruit.
;@              ^ hover:
;=   (packages.measures:gram X)
;=   **function** in PACKAGES.MEASURES, exported from PACKAGES.MEASURES
;=   X in grams.
;@              ^ definition: (defun «gram» (x) "X in grams." x)
;@                                         ^ hover:
;=   (packages.measures:ounce X)
;=   **function** in PACKAGES.MEASURES, exported from PACKAGES.MEASURES
;=   X in ounces.
