;;;; The standard defining macros.

(in-package "OBLIST")

(defun note-definition (name)
  "Note NAME, the name of a definition: a symbol, (SETF SYMBOL), or another list."
  (cond ((not (list-node-p name)) (note name :defines))
        ((member (node-symbol (first (node-children name))) '(setf sb-ext:cas))
         (walk-function-name name :defines))
        (t (walk-datum name))))

(define-walker (defun) (name lambda-list &rest body)
  (note-definition name)
  (walk-lambda lambda-list body))

(define-walker (defmacro define-compiler-macro deftype define-setf-expander) (name lambda-list &rest body)
  (note-definition name)
  (walk-lambda lambda-list body :destructuring t))

(define-walker (defvar defparameter defconstant sb-ext:defglobal define-symbol-macro) (name &rest forms)
  (note-definition name)
  (walk-forms forms))

(define-walker (defsetf) (name second &rest body)
  (note-definition name)
  (cond ((list-node-p second)
         (with-scope ()
           (bind-lambda-list second)
           (mapc #'bind-variable (node-children (first body)))
           (walk-body (rest body))))
        (t (note second :names)
           (walk-forms body))))

(define-walker (define-modify-macro) (name lambda-list function &rest forms)
  (note-definition name)
  (walk-lambda lambda-list '())
  (walk-function-name function :names)
  (walk-forms forms))

(define-walker (define-method-combination) (name &rest arguments)
  (note-definition name)
  (walk-all-uncertain arguments))

;;; Generic functions

(defun walk-method (qualifiers-and-rest)
  "Walk the qualifiers, the lambda list and the body of a method."
  (let ((rest (member-if #'list-node-p qualifiers-and-rest)))
    (mapc #'walk-datum (ldiff qualifiers-and-rest rest))
    (when rest
      (walk-lambda (first rest) (rest rest) :specialized t))))

(define-walker (defmethod) (name &rest rest)
  (note-definition name)
  (walk-method rest))

(define-walker (defgeneric) (name lambda-list &rest options)
  (note-definition name)
  (walk-lambda lambda-list '())
  (dolist (option options)
    (destructuring-bind (key &rest arguments) (node-children option)
      (case (node-symbol key)
        (:method (with-caller ((definition-at *file* (node-start option)) (node-start option))
                   (walk-method arguments)))
        (declare (walk option))
        (:argument-precedence-order (mapc #'skip-local arguments))
        (t (mapc #'walk-named arguments))))))

(defun walk-named (node)
  "Walk NODE, which may be a name or a form."
  (if (symbol-node-p node) (note node :names) (walk node)))

;;; Classes

(defun walk-slot-options (options)
  "Walk the OPTIONS of a slot, keys and values."
  (loop for (key value) on options by #'cddr
        do (when value
             (case (node-symbol key)
               ((:accessor :reader :writer)
                (if (list-node-p value) (walk-function-name value :defines) (note value :defines)))
               (:initarg (if (eq (node-kind value) :keyword) (note-initarg value) (walk-named value)))
               (:type (walk-type value :declares))
               ((:initform :documentation) (walk value))
               (:allocation)
               (t (walk-uncertain value))))))

(defun walk-class (name superclasses slots options)
  (note-definition name)
  (dolist (superclass (node-children superclasses))
    (note superclass :inherits))
  (dolist (slot (node-children slots))
    (cond ((list-node-p slot)
           (note-slot-name (first (node-children slot)))
           (walk-slot-options (rest (node-children slot))))
          (t (note-slot-name slot))))
  (dolist (option options)
    (destructuring-bind (key &rest arguments) (node-children option)
      (case (node-symbol key)
        (:default-initargs (walk-initargs arguments))
        (:report (dolist (argument arguments)
                   (if (list-node-p argument) (walk-function-name argument :names) (walk-named argument))))
        (t (mapc #'walk-named arguments))))))

(define-walker (defclass) (name superclasses slots &rest options)
  (walk-class name superclasses slots options))

(define-walker (define-condition) (name superclasses slots &rest options)
  (walk-class name superclasses slots options))

;;; Structures

(defun walk-structure-option (option)
  (destructuring-bind (key &rest arguments)
      (if (list-node-p option) (node-children option) (list option))
    (case (node-symbol key)
      (:include
       (when arguments
         (note (first arguments) :inherits)
         (mapc #'walk-structure-slot (rest arguments))))
      (:constructor
       (when arguments (note-definition (first arguments)))
       (when (rest arguments) (walk-lambda (second arguments) '())))
      ((:copier :predicate) (mapc #'note-definition arguments))
      (:conc-name (mapc #'skip-local arguments))
      (:type (dolist (argument arguments) (walk-type argument :declares)))
      (t (dolist (argument arguments)
           (if (list-node-p argument)
               (walk-function-name argument :names)
               (walk-named argument)))))))

(defun walk-structure-slot (slot)
  (cond ((list-node-p slot)
         (destructuring-bind (name &optional initform &rest options) (node-children slot)
           (note-slot-name name)
           (when initform (walk initform))
           (loop for (key value) on options by #'cddr
                 do (when value
                      (if (eq (node-symbol key) :type)
                          (walk-type value :declares)
                          (walk value))))))
        (t (note-slot-name slot))))

(define-walker (defstruct) (name-and-options &rest slots)
  (cond ((list-node-p name-and-options)
         (note-definition (first (node-children name-and-options)))
         (mapc #'walk-structure-option (rest (node-children name-and-options))))
        (t (note-definition name-and-options)))
  (dolist (slot slots)
    (unless (eq (node-kind slot) :string)
      (walk-structure-slot slot))))

;;; Proclamations

(define-walker (declaim) (&rest declarations)
  (mapc #'walk-declaration declarations))

(define-walker (trace untrace) (&rest names)
  (mapc #'walk-named names))

(define-walker (in-package) (name)
  (walk-datum name))
