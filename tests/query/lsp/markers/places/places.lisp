;;;; Places: what SETF of a name runs, and who defines it.

(defpackage "PLACES" (:use "CL"))
(in-package "PLACES")

(defun head (x) (car x))
(defsetf head (x) (v) `(setf (car ,x) ,v))
;@                                     ^ definition: (defsetf head (x) («v») `(setf (car ,x) ,v))
;@                                 ^ definition: (defsetf head («x») (v) `(setf (car ,x) ,v))
(define-setf-expander far (x) (declare (ignore x)) (values '() '() '(v) '(print v) '(print 1)))
(defun (setf second-of) (new list) (setf (second list) new))
;@           ^ hover: ((setf places::second-of) NEW LIST) | **setf-function** in PLACES, internal
;@                                                     ^ definition:
;=   (defun (setf second-of) («new» list) (setf (second list) new))
(define-modify-macro doublef () double)
(defun double (x) (* 2 x))
(define-compiler-macro double (&whole form x) (if (numberp x) (* 2 x) form))
;@                     ^ definition:
;=   (defun «double» (x) (* 2 x))
;=   (define-compiler-macro «double» (&whole form x) (if (numberp x) (* 2 x) form))
;@                                                                    ^ definition:
;=   (define-compiler-macro double (&whole «form» x) (if (numberp x) (* 2 x) form))

(defun use (x)
  (setf (head x) 1 (far x) 2 (second-of x) 3)
;@       ^ definition: (defsetf «head» (x) (v) `(setf (car ,x) ,v))
;@       ^ hover: ((setf places::head) X) | **setf-expander** in PLACES, internal
;@                  ^ definition:
;=   (define-setf-expander «far» (x) (declare (ignore x)) (values '() '() '(v) '(print v) '(print 1)))
;@                            ^ definition: (defun (setf «second-of») (new list) (setf (second list) new))
;@                            ^ references:
;=   (defun (setf «second-of») (new list) (setf (second list) new))
;=   (setf (head x) 1 (far x) 2 («second-of» x) 3)
;=   (rotatef (head x) («second-of» x))
;=   (setf («second-of» x) (head x)) (setf (head x) 2))
  (push 1 (head x))
;@         ^ definition:
;=   (defun «head» (x) (car x))
;=   (defsetf «head» (x) (v) `(setf (car ,x) ,v))
  (doublef (head x))
;@ ^ definition: (define-modify-macro «doublef» () double)
;@ ^ hover: (places::doublef PLACE) | **macro** in PLACES, internal
;@          ^ references:
;=   (defun «head» (x) (car x))
;=   (defsetf «head» (x) (v) `(setf (car ,x) ,v))
;=   (push 1 («head» x))
;=   (doublef («head» x))
;=   (rotatef («head» x) (second-of x))
;=   (setf (second-of x) («head» x)) (setf (head x) 2))
  (rotatef (head x) (second-of x))
  (double 1))
;@ ^ references:
;=   (defun «double» (x) (* 2 x))
;=   (define-compiler-macro «double» (&whole form x) (if (numberp x) (* 2 x) form))
;=   («doublef» (head x))
;=   («double» 1))
;=   (define-modify-macro doublef () «double»)
;@ ^ hover in full:
;=   (places::double X)
;=   **function, compiler-macro** in PLACES, internal
;=   Type: `(FUNCTION (T) (VALUES NUMBER &OPTIONAL))`
;=   - `function` places.lisp «(defun double (x) (* 2 x))» (places)
;=   - `compiler-macro` places.lisp «(define-compiler-macro double (&whole form x) (if (numberp x) (* 2 x) form))» (places)

(defun more (x)
;@ was:
  (setf (second-of x) (head x)) (setf (head x) 2))
;@ was:
;@       ^ uses:
;=   (setf (head x) 1 (far x) 2 («second-of» x) 3)
;=   (rotatef (head x) («second-of» x))
;=   (setf («second-of» x) (head x)) (setf (head x) 2))
;@                      ^ uses:
;=   (push 1 («head» x))
;=   (doublef («head» x))
;=   (rotatef («head» x) (second-of x))
;=   (setf (second-of x) («head» x)) (setf (head x) 2))
;@                                     ^ uses:
;=   (setf («head» x) 1 (far x) 2 (second-of x) 3)
;=   (push 1 («head» x))
;=   (rotatef («head» x) (second-of x))
;=   (setf (second-of x) (head x)) (setf («head» x) 2))
