;;;; For each line of the file $QUESTIONS, a toplevel form: does the compiler meet a wrong call of WANTS-ONE in it?
;;;;
;;;; The answer, a line in $ANSWERS, is a verdict, and for a form that does not compile what the compiler says:
;;;;
;;;;     met         the compiler warns of the call
;;;;     unmet       it does not
;;;;     failed      the form does not compile at all

(load (merge-pathnames "lines.lisp" *load-truename*))

(in-package "TEST-ORACLE")


(declaim (ftype (function (t) t) wants-one))

(defclass base () ())

(define-condition base-condition () ())

(defstruct base-structure slot)

(defvar *file* (format nil "~A.lisp" (sb-ext:posix-getenv "ANSWERS")))

(defun verdict (text)
  (with-open-file (out *file* :direction :output :if-exists :supersede)
    (format out "(in-package \"TEST-ORACLE\")~%~A~%" text))
  (let ((met nil) (failed nil))
    (handler-bind ((sb-c:compiler-error (lambda (condition) (setf failed (or failed (princ-to-string condition)))))
                   (error (lambda (condition) (setf failed (or failed (princ-to-string condition)))))
                   (warning (lambda (condition)
                              (when (search "is called with two arguments" (princ-to-string condition))
                                (setf met t))
                              (muffle-warning condition))))
      (let ((*error-output* (make-broadcast-stream)) (*standard-output* (make-broadcast-stream)))
        (ignore-errors (compile-file *file* :output-file (format nil "~A.fasl" *file*)))))
    (list (cond (met "met") (failed "failed") (t "unmet")) failed)))

(with-open-file (in (sb-ext:posix-getenv "QUESTIONS"))
  (with-open-file (out (sb-ext:posix-getenv "ANSWERS") :direction :output)
    (loop for line = (read-line in nil)
          while line
          do (format out "~{~A~^	~}~%" (mapcar #'escaped (verdict (first (fields line))))))))
