;;;; What the reader leaves out, evaluates or treats otherwise.

(defpackage "READING" (:use "CL"))
(in-package "READING")

(defun portable (x)
  #+sbcl (quick x)
;@        ^ definition: (defun «quick» (x) x)
  #-sbcl (slow x)
;@        ^ definition: nothing
;@        ^ hover: nothing
  #+(or) (quick x) #+(and sbcl (not no-such-feature)) (quick x))
;@        ^ definition: (defun «quick» (x) x)
;@                                                     ^ definition: (defun «quick» (x) x)

(defun quick (x) x)
;@     ^ uses:
;=   (defun bits () (list #b101 #xFF #\A #\Space #'«quick» #:quick))
;=   (defun call-mixed () (list (|Mixed Case| 1) («QUICK» 2) («qu\ICK» 3) («reading::quick» 4)))
;=   #+sbcl («quick» x)
;=   #+(or) (quick x) #+(and sbcl (not no-such-feature)) («quick» x))
;=   (defvar *vector* #(«quick» 1))
#-sbcl
(defun slow (x) x)
;@     ^ hover: nothing

#|
(defun slow (x) (quick x))
|#

(defvar *table* '#.(list 1 2))
(defvar *vector* #(quick 1))
;@                 ^ hover: (reading::quick X) | **function** in READING, internal
(defun bits () (list #b101 #xFF #\A #\Space #'quick #:quick))
;@                                            ^ definition: (defun «quick» (x) x)
;@                                                    ^ hover: nothing

(defun |Mixed Case| (x) x)
(defun call-mixed () (list (|Mixed Case| 1) (QUICK 2) (qu\ICK 3) (reading::quick 4)))
;@                          ^ hover: (reading::|Mixed Case| X) | **function** in READING, internal
;@                          ^ definition: (defun «|Mixed Case|» (x) x)
;@                                           ^ definition: (defun «quick» (x) x)
;@                                                                ^ definition: (defun «quick» (x) x)
