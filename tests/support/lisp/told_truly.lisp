;;;; What the text has and SBCL does not record, and what it records otherwise than the text has it.

(defpackage "TOLD" (:use "CL") (:export "SHOW" "FAST"))
(in-package "TOLD")

;;; Names without a definition
(defun colour () 'red)
(defun show (x) (case x (:quick 1) (slow 2) ((tired weary) 3) (otherwise 4)))
(defgeneric pace (x)
  (:method ((x (eql :quick))) 1)
  (:method ((x (eql 'walking))) 2))
(defmacro defthing (name &rest parts)
  `(progn (defparameter ,(intern (format nil "*~A*" name)) ',parts) ',name))
(defthing apple red round)
(defvar *table* '((ripe . sweet) #(hard) :plain))
(defun locally-named (only-here) (loop for only-there in only-here collect only-there))

;;; Places
(defun hd (x) (car x))
(defsetf hd (x) (v) `(setf (car ,x) ,v))
(define-setf-expander far (x) (declare (ignore x)) (values '() '() '(v) '(print v) '(print 1)))
(defstruct st slot (other 1))
(defclass kl () ((a :accessor kl-a)))
(defun use-hd (x) (setf (hd x) 1) (incf (hd x)))
(defun use-far (x) (setf (far x) 1))
(defun use-st (s) (incf (st-slot s)) (setf (st-other s) 2) (push 1 (st-other s)) (rotatef (st-slot s) (st-other s)))
(defun use-kl (k) (incf (kl-a k)) (setf (kl-a k) 2))

;;; Templates and types
(define-condition trouble (error) ())
(define-condition other-trouble (trouble) ())
(defmacro fail () `(error 'trouble))
(defmacro checked (x &body body)
  `(handler-case (progn (check-type ,x st) ,@body)
     (trouble () nil)
     ,@(loop for one in '(warning) collect `(,one () 1))))
(defun try () (handler-bind (((and trouble (not other-trouble)) #'print)) (fail)))
(defun try-both () (handler-case (fail) ((or trouble (and warning (satisfies keywordp))) (c) c)))

;;; Calls that are one
(defun twice () `#(,(colour) x))
(defun computed () (list #.(cl:list 'cl:list 1) 2))
(defun decided ()
  (list #-#.(cl:if (cl:find-package "COMMON-LISP") '(:and) '(:or)) (colour)
        #+#.(cl:if (cl:find-package "NO-SUCH-PACKAGE") '(:and) '(:or)) (colour)
        #+#.(cl:if (cl:find-package "COMMON-LISP") '(:and) '(:or)) (pace :quick)))

;;; Names with colons
(defun |x:y| (x) x)
(defun y () 1)
(defun call-it () (|x:y| 1))
(defun within () (let ((a 1)) (flet ((y (b) (list b (|x:y| a)))) (y 1))))

;;; Macros
(eval-when (:compile-toplevel :load-toplevel :execute)
  (setf (macro-function 'odd) (lambda (form environment) (declare (ignore environment)) `(list ,@(cdr form)))))
(defun use-odd () (odd 1 2 3 4))

;;; Methods
(defgeneric area (x y) (:method ((x string) (y cons)) 1))
(defmethod (setf area) (new (x string)) new)

;;; Spelling
(defun |upper| () 1)

;;; A framework of tests, whose definitions leave nothing behind
(defpackage "HOUSE.FIVEAM" (:use "CL") (:export "TEST"))
(defmacro house.fiveam:test (name &body body) `(setf (get ',name 'test) (lambda () ,@body)))
(defmacro test (name) `(print ',name))
