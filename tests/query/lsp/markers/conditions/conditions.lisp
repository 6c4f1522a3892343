;;;; Conditions, handlers and restarts.

(defpackage "CONDITIONS" (:use "CL"))
(in-package "CONDITIONS")

(define-condition trouble (error)
;@                ^ subtypes: conditions::deep-trouble: (define-condition «deep-trouble» (trouble) ())
  ((where :initarg :where :reader trouble-where))
  (:report (lambda (condition stream) (format stream "Trouble at ~A." (trouble-where condition))))
;@                                                                                   ^ definition:
;=   (:report (lambda («condition» stream) (format stream "Trouble at ~A." (trouble-where condition))))
;@                                                                     ^ definition:
;=   ((where :initarg :where :reader «trouble-where»))
  (:documentation "Something went wrong."))

(define-condition deep-trouble (trouble) ())
;@                ^ supertypes: conditions::trouble: (define-condition «trouble» (error)

(defun dig (depth)
  (restart-case (error 'trouble :where depth)
;@                      ^ hover:
;=   conditions::trouble
;=   **condition** in CONDITIONS, internal
;=   Something went wrong.
;@                      ^ definition: (define-condition «trouble» (error)
    (deeper (more) (dig (+ depth more)))
;@                               ^ definition: (deeper («more») (dig (+ depth more)))
    (stop () nil)))

(defun careful (depth)
  (handler-case (dig depth)
    (deep-trouble () 'deep)
;@   ^ hover: conditions::deep-trouble | **condition** in CONDITIONS, internal
    ((or trouble warning) (condition)
;@       ^ references:
;=   (define-condition «trouble» (error)
;=   ((«where» :initarg :where :reader trouble-where))
;=   (restart-case (error '«trouble» :where depth)
;=   ((or «trouble» warning) (condition)
;=   (handler-bind ((«trouble» (lambda (condition) (invoke-restart 'deeper (trouble-where condition)))))
;=   (define-condition deep-trouble («trouble») ())
      (trouble-where condition))
;@                   ^ definition: ((or trouble warning) («condition»)
    (:no-error (result) result)))
;@                      ^ definition: (:no-error («result») result)))

(defun deeper-and-deeper ()
  (handler-bind ((trouble (lambda (condition) (invoke-restart 'deeper (trouble-where condition)))))
;@                ^ definition: (define-condition «trouble» (error)
;@                                                                                   ^ highlights:
;=   write: (handler-bind ((trouble (lambda («condition») (invoke-restart 'deeper (trouble-where condition)))))
;=   read: (handler-bind ((trouble (lambda (condition) (invoke-restart 'deeper (trouble-where «condition»)))))
    (dig 1)))
