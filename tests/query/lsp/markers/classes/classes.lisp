;;;; Classes: slots, accessors, and the hierarchy.

(defpackage "CLASSES" (:use "CL"))
(in-package "CLASSES")

(defclass named ()
  ((name :initarg :name :reader name-of :initform (default-name))
;@  ^ hover: classes::name | **symbol** in CLASSES, internal
;@                              ^ hover:
;=   (classes::name-of OBJECT)
;=   **generic-function, method** in CLASSES, internal
;@                              ^ references:
;=   ((name :initarg :name :reader «name-of» :initform (default-name))
;@                                                 ^ definition: (defun «default-name» () "nobody")
   (notes :initform '() :accessor notes :type list))
  (:documentation "What has a name."))

(defun default-name () "nobody")

(defclass dated () ((date :initarg :date :accessor date)))

(defclass letter (named dated)
;@                ^ definition: (defclass «named» ()
;@                ^ hover: classes::named | **class** in CLASSES, internal | What has a name.
;@        ^ supertypes:
;=   classes::named: (defclass «named» ()
;=   classes::dated: (defclass «dated» () ((date :initarg :date :accessor date)))
;@                      ^ implementation: (defclass «letter» (named dated)
  ((name :initform "letter" :allocation :class))
  (:default-initargs :date (today)))
;@                    ^ hover: :date | **constant** in KEYWORD, exported from KEYWORD | Value: `:DATE`
;@                          ^ definition: (defun «today» () 1)

(defun today () 1)

(defun write-letter (name)
  (let ((letter (make-instance 'letter :name name)))
;@                              ^ definition: (defclass «letter» (named dated)
;@                              ^ type definition: (defclass «letter» (named dated)
;@       ^ type definition: nothing
;@                                      ^ hover:
;=   :name
;=   **constant** in KEYWORD, exported from KEYWORD
;=   Value: `:NAME`
    (setf (notes letter) (list name) (date letter) 1)
;@         ^ hover:
;=   ((setf classes::notes) NEW-VALUE OBJECT)
;=   **generic-function, method** in CLASSES, internal
;=   automatically generated writer method
;@         ^ definition: (notes :initform '() :accessor «notes» :type list))
;@         ^ references:
;=   (notes :initform '() :accessor «notes» :type list))
;=   (setf («notes» letter) (list name) (date letter) 1)
;@                                    ^ definition:
;=   (defclass dated () ((date :initarg :date :accessor «date»)))
    (with-slots (name (when date)) letter (list name when))
;@                                              ^ definition:
;=   (with-slots («name» (when date)) letter (list name when))
;@                                                   ^ definition:
;=   (with-slots (name («when» date)) letter (list name when))
;@               ^ hover: classes::name | **symbol** in CLASSES, internal
    (with-accessors ((when date)) letter (setf when 2))
;@                                             ^ definition:
;=   (with-accessors ((«when» date)) letter (setf when 2))
;@                         ^ definition: (defclass dated () ((date :initarg :date :accessor «date»)))
    (slot-value letter 'name)))
;@                      ^ hover: classes::name | **symbol** in CLASSES, internal

(defclass postcard (letter) ())
;@                  ^ subtypes: classes::postcard: (defclass «postcard» (letter) ())
;@                  ^ references:
;=   (defclass «letter» (named dated)
;=   (let ((letter (make-instance '«letter» :name name)))
;=   (defclass postcard («letter») ())
;@ symbols "postcard": class classes::postcard: (defclass «postcard» (letter) ())
