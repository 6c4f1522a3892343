;;;; One definition for each rule of the text contract.  The tests rely on these definitions.

(defpackage "CONTRACT-SAMPLE"
  (:use "COMMON-LISP")
  (:nicknames "CS")
  (:export "OPEN-DOOR" "*VARIABLE*" "+CONSTANT+" "BOTH" "SHAPE" "WITH-DOOR" "AREA" "PLAIN"))

(in-package "CONTRACT-SAMPLE")

(defun open-door (door &optional (width 2) &key ((:colour paint) :red) |lower|)
  "Open DOOR.

  An indented line after an empty one."
  (list door width paint |lower|))

(defun no-arguments () 1)

(defun text-argument (&optional (text "a
b"))
  text)

(defvar *variable* 42 "A variable.")

(defconstant +constant+ 42 "A constant.")

(defconstant +long+ (if (boundp '+long+) (symbol-value '+long+) (loop for i below 30 collect i)))

(defconstant +text+ (if (boundp '+text+) (symbol-value '+text+) (format nil "one~%two")))

(defclass both () () (:documentation "As a type."))
(defvar both 1 "As a variable.")

(defclass all-three () () (:documentation "As a type."))
(defvar all-three 1 "As a variable.")
(defun all-three () "As a function." 1)

(defclass shape () () (:documentation "A shape."))

(defmacro with-door ((door &body options) &body body)
  "Run BODY with DOOR."
  `(let ((,door ',options)) ,@body))

(defgeneric area (shape)
  (:documentation "The area of SHAPE.")
  (:method ((shape shape)) 0))

(defun (setf no-arguments) (new) "Set it." new)

(defun |new
line| () "Two lines." 1)

(setf (fdefinition (intern (format nil "tab~Cand escape~C" #\Tab #\Escape))) #'no-arguments)

(defun |odd Name| () 1)

(intern "PLAIN")

;;; A symbol without home, present in this package.
(let ((symbol (intern "HOMELESS" (make-package "CONTRACT-FORMER-HOME" :use '()))))
  (import symbol)
  (unintern symbol "CONTRACT-FORMER-HOME")
  (setf (fdefinition symbol) #'no-arguments))
