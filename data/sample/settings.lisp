;;;; What a user may set, and what stays as it is.

(in-package "GAZETTE")

(eval-when (:compile-toplevel :load-toplevel :execute)
  (defun version-text (major minor)
    "The text of a version: 0.3."
    (cl:format nil "~D.~D" major minor))

  (defparameter *version-numbers* '(0 3)
    "The two numbers of our version."))

(defmacro current-version ()
  "The text of our version, made when this is compiled."
  (apply #'version-text *version-numbers*))

(defconstant +day+ (* 24 60 60)
  "The seconds of a day.")

(defconstant +most-entries+ 500
  "How many entries a feed keeps at most.")

(sb-int:defconstant-eqx +version+ (current-version) #'equal
  "Our version, as servers see it.")

(defvar *timeout* 20
  "How many seconds a server has to answer.")

(defvar *user-agent* (concatenate 'string "Gazette/" +version+)
  "What we call ourselves when we ask a server.")

(defparameter *keep-days* 30
  "How many days an entry that was read is kept.")

(declaim (type (integer 1) *keep-days*))

(define-symbol-macro keep-seconds (* *keep-days* +day+))

(deftype seconds ()
  "A span of time."
  '(integer 0))

(deftype text-or-null (&optional (size '*))
  "A string of SIZE characters, or NIL."
  `(or null (string ,size)))
