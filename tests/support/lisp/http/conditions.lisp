(defpackage :drakma
  (:use :common-lisp :flexi-streams)
  (:export #:http-request #:drakma-error #:request #:*default-headers*))

(in-package :drakma)

(define-condition drakma-error (error)
  ((url :initarg :url :reader error-url))
  (:report (lambda (condition stream)
             (format stream "~A does not answer." (error-url condition))))
  (:documentation "A server did not answer."))

(defmacro answering ((url) &body body)
  `(handler-case (progn ,@body)
     (file-error () (error 'drakma-error :url ,url))))
