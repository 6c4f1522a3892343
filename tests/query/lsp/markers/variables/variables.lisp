;;;; Variables: special and lexical ones, and what shadows what.

(defpackage "VARIABLES" (:use "CL"))
(in-package "VARIABLES")

(defvar *depth* 0
  "How deep we are.")
(defparameter *limit* 10)
(defconstant +step+ 2)
(define-symbol-macro deeper (1+ *depth*))
;@                   ^ hover: variables::deeper | **symbol-macro** in VARIABLES, internal

(defun descend ()
  (let ((*depth* (+ *depth* +step+)))
;@       ^ hover: variables::*depth* | **variable** in VARIABLES, internal | How deep we are.
;@                  ^ definition: (defvar «*depth*» 0
;@                          ^ hover: variables::+step+ | **constant** in VARIABLES, internal | Value: `2`
    (if (< *depth* *limit*) (descend) *depth*)))
;@         ^ references:
;=   (defvar «*depth*» 0
;=   (define-symbol-macro deeper (1+ «*depth*»))
;=   (let ((*depth* (+ «*depth*» +step+)))
;=   (if (< «*depth*» *limit*) (descend) «*depth*»)))
;=   («list» q r three rest twice size-p deeper))))
;=   (let ((«*depth*» (+ *depth* +step+)))
;@         ^ highlights:
;=   write: (defvar «*depth*» 0
;=   read: (define-symbol-macro deeper (1+ «*depth*»))
;=   write: (let ((«*depth*» (+ *depth* +step+)))
;=   read: (let ((*depth* (+ «*depth*» +step+)))
;=   read: (if (< «*depth*» *limit*) (descend) «*depth*»)))
;@                 ^ hover in full:
;=   variables::*limit*
;=   **variable** in VARIABLES, internal
;=   Type: `T`
;=   - `variable` variables.lisp «(defparameter *limit* 10)» (variables)

(defun shadowing (x)
  (let ((x (1+ x)) (y x))
;@       ^ hover: (let ((x (1+ x)) (y x)) | `x` is a local variable, bound on that line.
;@             ^ definition: (defun shadowing («x»)
;@                    ^ definition: (defun shadowing («x»)
    (let* ((x (* x 2)) (z x))
;@               ^ definition: (let ((«x» (1+ x)) (y x))
;@                        ^ definition: (let* ((«x» (* x 2)) (z x))
      (setq y (+ x z))
;@          ^ highlights:
;=   write: (let ((x (1+ x)) («y» x))
;=   read: (setq «y» (+ x z))
;=   read: (list x «y»))))
;@               ^ highlights:
;=   write: (let* ((«x» (* x 2)) (z x))
;=   read: (let* ((x (* x 2)) (z «x»))
;=   read: (setq y (+ «x» z))
;=   read: (list «x» y))))
      (list x y))))
;@            ^ references:
;=   (let ((x (1+ x)) («y» x))
;=   (setq «y» (+ x z))
;=   (list x «y»))))

;; A gap: that DEEPER reads *DEPTH* is shown at the first form of the line.
(defun many (&rest all &key (size 1 size-p) &aux (twice (* 2 size)))
;@                           ^ hover:
;=   (defun many (&rest all &key (size 1 size-p) &aux (twice (* 2 size)))
;=   `size` is a local variable, bound on that line.
;@                                  ^ hover:
;=   (defun many (&rest all &key (size 1 size-p) &aux (twice (* 2 size)))
;=   `size-p` is a local variable, bound on that line.
  (destructuring-bind (one (two &optional (three one)) . rest) all
;@                                               ^ definition:
;=   (destructuring-bind («one» (two &optional (three one)) . rest) all
    (multiple-value-bind (q r) (floor one two)
      (list q r three rest twice size-p deeper))))
;@            ^ definition: (multiple-value-bind (q «r») (floor one two)
;@              ^ definition: (destructuring-bind (one (two &optional («three» one)) . rest) all
;@                    ^ definition: (destructuring-bind (one (two &optional (three one)) . «rest») all
;@                         ^ definition:
;=   (defun many (&rest all &key (size 1 size-p) &aux («twice» (* 2 size)))
;@                               ^ highlights:
;=   write: (defun many (&rest all &key (size 1 «size-p») &aux (twice (* 2 size)))
;=   read: (list q r three rest twice «size-p» deeper))))
;@                                      ^ definition: (define-symbol-macro «deeper» (1+ *depth*))

(defun loops (list)
  (do ((i 0 (1+ i)) (rest list (cdr rest))) ((null rest) i)
;@              ^ definition: (do ((«i» 0 (1+ i)) (rest list (cdr rest))) ((null rest) i)
;@                                  ^ highlights:
;=   write: (do ((i 0 (1+ i)) («rest» list (cdr rest))) ((null rest) i)
;=   read: (do ((i 0 (1+ i)) (rest list (cdr «rest»))) ((null «rest») i)
;@      ^ highlights:
;=   write: (do ((«i» 0 (1+ i)) (rest list (cdr rest))) ((null rest) i)
;=   read: (do ((i 0 (1+ «i»)) (rest list (cdr rest))) ((null rest) «i»)
;=   read: (dotimes (j «i») (print j))))
    (dotimes (j i) (print j))))
;@                        ^ definition: (dotimes («j» i) (print j))))

(defun closing (n)
  (lambda (m) (incf n m)))
;@                  ^ highlights:
;=   write: (defun closing («n»)
;=   read: (lambda (m) (incf «n» m)))
;@                    ^ definition: (lambda («m») (incf n m)))
