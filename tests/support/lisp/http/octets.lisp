(defpackage :flexi-streams
  (:use :common-lisp)
  (:nicknames :flex)
  (:export #:octet #:octets-to-string #:external-format #:*default-format* #:with-octets))

(in-package :flexi-streams)

(deftype octet () '(unsigned-byte 8))

(defvar *default-format* :latin-1 "The external format of octets of which nobody says another.")

(defclass external-format ()
  ((name :initarg :name :reader format-name)
   (line-end :initarg :line-end :initform :lf :accessor line-end))
  (:documentation "How characters are written as octets."))

(defmethod print-object ((format external-format) stream)
  (print-unreadable-object (format stream :type t)
    (princ (format-name format) stream)))

(defmacro with-octets ((variable text) &body body)
  "Evaluate BODY with VARIABLE bound to the octets of TEXT."
  `(let ((,variable (map 'list #'char-code ,text)))
     (declare (type list ,variable))
     ,@body))

(defgeneric code-of (octet format)
  (:method (octet (format (eql :latin-1))) octet)
  (:method (octet (format (eql :utf-8))) (min octet 127))
  (:method (octet (format external-format)) (code-of octet (format-name format))))

(defun octets-to-string (octets &key (external-format *default-format*) (start 0) end)
  "The text that is written as OCTETS."
  (declare (type sequence octets) (type fixnum start))
  (map 'string
       (lambda (octet) (code-char (code-of octet external-format)))
       (subseq octets start end)))
