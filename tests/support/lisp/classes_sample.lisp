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

;;; What one needs to use a class: constructors, what makes, signals and handles it, what is left to subclasses.

;; Should: have two constructors, one by position, a predicate of its own name, and no copier.
(defstruct (spot (:constructor make-spot) (:constructor at-spot (x &optional (y 1)))
                 (:predicate is-spot) (:copier nil))
  x y)

;; Should: have none of these.
(defstruct (bare (:constructor nil) (:predicate nil) (:copier nil)) inside)

(defun shout () (error 'trouble :code 3))
;; Should: be found in the template, too.
(defmacro shouting () `(error 'trouble :code 4))
(defun trouble-type-p (type) (subtypep type 'trouble))
(defun calm () (handler-case (shout) (trouble () nil)))

(defclass shape () ())
(defclass circle (shape) ())
(defclass square (shape) ())
(defclass unit-square (square) ())
(defmethod print-object ((shape shape) stream) (write-string "shape" stream))
(defmethod print-object :around ((shape circle) stream) (call-next-method))
(defun unit-circle () (make-instance 'circle))

;; Should: be left to subclasses, because the text says so.
(defgeneric area (shape)
  (:method ((shape shape))
    "The area."
    (declare (ignorable shape))
    (error "A subclass has to implement AREA.")))
;; Should: be left to subclasses, because one of them implements it.
(defgeneric corners (shape scale))
(defmethod corners ((shape shape) scale) (error "No ~S at ~S." shape scale))
(defmethod corners ((shape square) scale) (list shape scale))
;; Should not: be left to subclasses. The first forbids the call, the second does something.
(defmethod shrink ((shape shape)) (error "The size of ~S is fixed." shape))
(defmethod note ((shape shape)) (print shape) (error "implement"))

(defclass upcasing (sb-gray:fundamental-character-output-stream) ())
(defmethod sb-gray:stream-write-char ((stream upcasing) character) (char-upcase character))
