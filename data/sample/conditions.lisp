;;;; What may go wrong.

(in-package "GAZETTE")

(define-condition gazette-error (error)
  ()
  (:documentation "The root of all errors of Gazette."))

(define-condition fetch-failed (gazette-error)
  ((url :initarg :url :reader fetch-failed-url)
   (status :initarg :status :initform nil :reader fetch-failed-status
           :documentation "The HTTP status, or NIL when there was no answer."))
  (:report (lambda (condition stream)
             (cl:format stream "Cannot fetch ~A~@[: status ~D~]."
                        (fetch-failed-url condition) (fetch-failed-status condition))))
  (:documentation "A feed did not arrive."))

(define-condition unknown-format (gazette-error)
  ((root :initarg :root :reader unknown-format-root))
  (:report (lambda (condition stream)
             (cl:format stream "No format has a root element ~S."
                        (unknown-format-root condition))))
  (:documentation "What arrived is XML, but no feed that we know."))

(define-condition strange-date (warning)
  ((text :initarg :text :reader strange-date-text))
  (:report (lambda (condition stream)
             (cl:format stream "~S is no date." (strange-date-text condition)))))

;; Its package is that of the parser, which signals it.
(in-package "GAZETTE.XML")

(define-condition malformed-xml (error)
  ((reason :initarg :reason :reader malformed-xml-reason)
   (place :initarg :place :reader malformed-xml-place))
  (:report (lambda (condition stream)
             (format stream "~A at character ~D."
                     (malformed-xml-reason condition) (malformed-xml-place condition)))))

(declaim (ftype (function (string (integer 0)) nil) malformed))
(defun malformed (reason place)
  "Signal that the text is no XML, for a REASON, at a PLACE."
  (error 'malformed-xml :reason reason :place place))
