;;;; Metaobjects and documentation that do not want to answer.
;;;;
;;;; tests/lisp/test_guard.py replaces HOSTILE-KIND and HOSTILE-BODY, which is what they do once loaded.  Until then SBCL
;;;; itself has to work with them.

(defpackage "HOSTILE-KIND" (:use "CL"))
(in-package "HOSTILE-KIND")

(defvar *armed* nil)

(defmacro define-hostile (function &rest parameters)
  `(defmethod ,function (,@parameters)
     (if *armed* HOSTILE-BODY (call-next-method))))

(defclass odd-class (standard-class) ())
(defclass odd-slot (sb-mop:standard-direct-slot-definition) ())
(defclass odd-function (sb-mop:standard-generic-function) () (:metaclass sb-mop:funcallable-standard-class))
(defclass odd-method (standard-method) ())

(defmethod sb-mop:validate-superclass ((class odd-class) (above standard-class)) t)
(defmethod sb-mop:direct-slot-definition-class ((class odd-class) &rest initargs)
  (declare (ignore initargs))
  (find-class 'odd-slot))

(define-hostile class-name (class odd-class))
(define-hostile sb-mop:class-direct-slots (class odd-class))
(define-hostile sb-mop:class-direct-superclasses (class odd-class))
(define-hostile sb-mop:class-precedence-list (class odd-class))
(define-hostile sb-mop:class-direct-default-initargs (class odd-class))
(define-hostile sb-mop:class-finalized-p (class odd-class))
(define-hostile documentation (class odd-class) (type t))
(define-hostile sb-mop:slot-definition-type (slot odd-slot))
(define-hostile sb-mop:slot-definition-initform (slot odd-slot))
(define-hostile sb-mop:slot-definition-initargs (slot odd-slot))
(define-hostile sb-mop:slot-definition-readers (slot odd-slot))
(define-hostile sb-mop:slot-definition-allocation (slot odd-slot))
(define-hostile documentation (slot odd-slot) (type t))
(define-hostile sb-mop:generic-function-name (function odd-function))
(define-hostile sb-mop:generic-function-methods (function odd-function))
(define-hostile documentation (function odd-function) (type t))
(define-hostile sb-mop:method-specializers (method odd-method))
(define-hostile sb-mop:method-lambda-list (method odd-method))
(define-hostile method-qualifiers (method odd-method))
(define-hostile documentation (method odd-method) (type t))

(defclass odd () ((a :initarg :a :initform 1 :accessor a-of :documentation "A.")) (:metaclass odd-class))
(defclass with-odd-slots () ((b :initarg :b :initform 2)) (:metaclass odd-class) (:default-initargs :b 3))
(defgeneric tell (object) (:generic-function-class odd-function))
(defmethod tell ((object integer)) object)
(defgeneric count-up (object) (:method-class odd-method))
(defmethod count-up ((object integer)) (1+ object))
(defgeneric plain-one (object) (:method ((object integer)) object))
(defmethod plain-one ((object odd)) object)
(defvar *odd* (make-instance 'odd))
(defgeneric hold (object) (:method ((object (eql *odd*))) object))
(defun innocent (x) "Innocent." (plain-one x))
(defvar *rest* 1 "The rest.")
;; The method for symbols sees all of them.
(defmethod documentation :around ((name (eql 'innocent)) (type (eql 'function)))
  (if *armed* HOSTILE-BODY (call-next-method)))

(setf *armed* t)
