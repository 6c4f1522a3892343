(in-package :packages.kitchen)

(defun cook (x)
  (list (gram x) (weigh x) (fruit::gram) (fruit:weigh x)))
;@       ^ hover:
;=   (packages.measures:gram X)
;=   **function** in PACKAGES.MEASURES, exported from PACKAGES.MEASURES
;=   X in grams.
;@                ^ definition: packages.lisp: (defun «weigh» (x)
;@                          ^ hover:
;=   (packages.fruit::gram)
;=   **function** in PACKAGES.FRUIT, internal
;=   Of fruit.
;@                          ^ references:
;=   packages.lisp: (defun «gram» () "Of fruit." 1)
;=   packages.lisp: (list («gram») (packages.measures:gram x) (packages.units:ounce x)))
;=   (list (gram x) (weigh x) («fruit::gram») (fruit:weigh x)))
;=   («gram»)
;=   packages.lisp: (:shadow «"GRAM"»)
;=   (list (packages.measures:pound x) («fruit:gram») (nowhere:gram x)))
;@                                        ^ uses:
;=   (list (gram x) («weigh» x) (fruit::gram) («fruit:weigh» x)))
;=   packages.lisp: (:export «"WEIGH"»))
;=   packages.lisp: (:import-from :packages.fruit «#:weigh»)

(defun unknown (x)
  (list (packages.measures:pound x) (fruit:gram) (nowhere:gram x)))
;@       ^^^^^^^^^^^^^^^^^^^^^^^ error[unknown-symbol]: packages.measures has no symbol pound
;@                                   ^^^^^^^^^^ error[not-external]: fruit does not export gram: it is internal there; did you mean fruit::gram?
;@                                                ^^^^^^^^^^^^ error[unknown-package]: there is no package nowhere
;@ was:   x)
;@       ^ hover: nothing
;@                                   ^ hover:
;=   (packages.fruit::gram)
;=   **function** in PACKAGES.FRUIT, internal
;=   Of fruit.

;;; weigh is written about here as fruit:weigh, and `gram' is too.
;@  ^ hover:
;=   (packages.fruit:weigh X)
;=   **function** in PACKAGES.FRUIT, exported from PACKAGES.FRUIT
;=   How heavy X is.
;@  ^ definition: packages.lisp: (defun «weigh» (x)
;@                                 ^ hover:
;=   (packages.fruit:weigh X)
;=   **function** in PACKAGES.FRUIT, exported from PACKAGES.FRUIT
;=   How heavy X is.
;@                                                   ^ hover:
;=   (packages.measures:gram X)
;=   **function** in PACKAGES.MEASURES, exported from PACKAGES.MEASURES
;=   X in grams.

(in-package :packages.fruit)
(gram)
;@ "gram" definition: packages.lisp: (defun «gram» () "Of fruit." 1)
