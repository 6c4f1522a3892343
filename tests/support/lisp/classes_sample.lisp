;;;; Classes, structures and conditions with all that they can have; see test_classes.py.

(defpackage "CLASSES-SAMPLE"
  (:use "CL")
  (:export "ANIMAL" "LEGS" "GREET" "MOOD"))

(in-package "CLASSES-SAMPLE")

(defvar *b* 1)
(define-symbol-macro b *b*)

(defclass named ()
  ((name)))

;; Should: slot LEGS with everything; subclasses CAT and DOG, not KITTEN.
;; Should not: be finalized.
(defclass animal (named)
  ((legs :initarg :legs :initarg :feet
         :initform (list 1 `(a ,b))
         :reader legs :accessor legs-of :writer set-legs
         :type (or null cons) :allocation :class
         :documentation "How many it stands on."))
  (:default-initargs :legs (+ 2 2))
  (:documentation "What moves by itself."))

(defclass cat (animal)
  ((name :initform "Tom")))

(defclass dog (animal) ())

(defclass kitten (cat) ())

;; Should: be finalized, because an instance is made when this is loaded.
(defclass used () ())
(defvar *used* (make-instance 'used))

(defgeneric greet (who how))
(defmethod greet :around ((who animal) how) (list who how))
(defmethod greet ((who animal) (how animal)) (list who how))
(defmethod greet ((who (eql 3)) how) (list who how))
(defgeneric (setf mood) (mood who))
(defmethod (setf mood) (mood (who animal)) (list mood who))

(defstruct base tag)

(defstruct (place (:include base) (:conc-name at-))
  (x 0 :type fixnum :read-only t))

(defstruct (pair (:type list) :named)
  left (right 2))

(define-condition trouble (error)
  ((code :initarg :code :initform (+ 1 2) :reader trouble-code :documentation "What went wrong.")))

;; Should: have a superclass that is written #:|odd Gone|: it is present elsewhere and at home nowhere.
(defclass |odd Gone| () ())
(defclass stray (|odd Gone|) ())
(defpackage "CLASSES-SAMPLE-KEEPER" (:use))
(import '|odd Gone| "CLASSES-SAMPLE-KEEPER")
(unintern '|odd Gone| "CLASSES-SAMPLE")

;; Should: be decided by HOW first.
(defgeneric weigh (who how)
  (:argument-precedence-order how who))
(defmethod weigh ((who cat) how) (list who how))
(defmethod weigh (who (how animal)) (list who how))

;; Should: have no precedence list, since its superclass is not defined.
(defclass unborn (nobody) ())
