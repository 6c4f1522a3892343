(in-package :drakma)

(defconstant +ok+ 200)
(defvar *default-headers* '(("Accept" . "*/*")))

(defstruct (request (:constructor make-request (url &optional headers)))
  (url "" :type string)
  (headers *default-headers* :type list))

(defmethod (setf line-of) (line (request request) &key (name "X-Line"))
  (push (cons name line) (request-headers request)))

(defun send (request)
  (with-octets (octets (request-url request))
    (octets-to-string octets)))

(declaim (inline http-request))
(defun http-request (url &key (user-agent :drakma) connection-timeout additional-headers)
  "What the server at URL answers, the status, and the headers."
  (declare (ignore user-agent connection-timeout))
  (answering (url)
    (let ((request (make-request url additional-headers)))
      (setf (line-of request) url)
      (values (send request) +ok+ (request-headers request)))))
