(in-package :fruit)

(defvar *scale* 1) ; defines: *scale*
(defconstant +most+ 9) ; defines: +most+
(define-symbol-macro the-scale *scale*) ; defines: the-scale; uses: *scale*
(deftype weight () 'integer) ; defines: weight

(defun weigh (x) (* *scale* x)) ; defines: weigh; uses: *scale*
(defun twice (x) (+ (weigh x) (weigh x))) ; defines: twice; uses: weigh
(defun (setf stock) (new name) (list new name)) ; defines: stock

(defmacro with-knife (&body body) ; defines: with-knife
  `(progn (weigh 1) ,@body)) ; uses: weigh

(defclass basket () ((items :accessor items :initform nil))) ; defines: basket
(define-condition rotten (error) ()) ; defines: rotten
(defstruct (pear (:conc-name pear-)) (size 0)) ; defines: pear
(defgeneric peel (x) (:method ((x string)) x)) ; defines: peel

(defmacro defthing (name) ; defines: defthing
  `(progn (defvar ,name 1)
          (defun ,(intern (format nil "~A-P" name) :fruit) () t)))
(defthing apple) ; defines: apple; uses: defthing

;; What is called by nobody else, and what another file also defines.
(defun juice () (twice 1)) ; defines: juice; uses: twice
(defun both () 1) ; defines: both
