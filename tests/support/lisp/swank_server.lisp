;;;; An image with a Swank server, and with a channel of its own: forms in, values out.
;;;;
;;;; The first answer is the port; then there is one for each form read on standard input: a line
;;;; that begins with an arrow, among whatever else is printed.

(require "ASDF")

(defpackage "MINE"
  (:use "COMMON-LISP"))

(let ((*standard-output* (make-broadcast-stream))
      (*error-output* (make-broadcast-stream)))
  (handler-bind ((warning #'muffle-warning))
    (asdf:load-system "swank")
    (load (merge-pathnames "hostile.lisp" *load-truename*))
    (load (merge-pathnames "live_oracle.lisp" *load-truename*))))

(in-package "MINE")

(defvar *answer* 41)

(defclass debugged () ())
(defmethod print-object ((object debugged) stream)
  (declare (ignore stream))
  (swank::invoke-slime-debugger (make-condition 'simple-error :format-control "No.")))
(defvar *debugged* (make-instance 'debugged))

;; Names that would do something if they were not strings.
(defvar *owned* nil)
(let ((package (make-package (format nil "a\"b\\c)(~%#.(setf mine::*owned* t)|'"))))
  (dolist (name (list "\"" "\\" "\\\"" "x\" \"y\")) (setf mine::*owned* t) ((\"" "#.(setf mine::*owned* t)"
                      (format nil "new~%line") "(" ")" "|" ";" "{}" "{0}" "#1#" "ünïcödé 日本語" ""))
    (let ((symbol (intern name package)))
      (setf (symbol-value symbol) (format nil "is ~A" name)))))

(defun census ()
  "How many packages there are, symbols, and of these bound ones, functions and classes."
  (let ((counts (list 0 0 0 0)))
    (dolist (package (list-all-packages))
      (do-symbols (symbol package)
        (when (eq (symbol-package symbol) package)
          (incf (first counts))
          (when (boundp symbol) (incf (second counts)))
          (when (fboundp symbol) (incf (third counts)))
          (when (find-class symbol nil) (incf (fourth counts))))))
    (cons (length (list-all-packages)) counts)))

(defun write-readings (path)
  "In a thread that has bound nothing, because loading a file binds variables."
  (sb-thread:join-thread
   (sb-thread:make-thread (lambda () (live-oracle::write-readings path)))))

;; Swank's threads flush standard output as well, and may write what is in its buffer twice.
(let ((out (sb-sys:make-fd-stream 1 :output t :buffering :full :external-format :utf-8)))
  (flet ((answer (value)
           (format out "=> ~S~%" value)
           (finish-output out)))
    (answer (swank:create-server :port 0 :dont-close t))
    (loop for form = (read *standard-input* nil *standard-input*)
          until (eq form *standard-input*)
          do (answer (eval form)))))
