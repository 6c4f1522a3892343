;;;; Values that do not want to be printed.

(defpackage "HOSTILE"
  (:use "COMMON-LISP"))

(in-package "HOSTILE")

(defmacro define-hostile (name arguments &body body)
  "Define the variable *NAME*, whose value runs BODY when it is printed."
  (let ((variable (intern (format nil "*~A*" name))))
    `(progn
       (defclass ,name () ())
       (defmethod print-object ((object ,name) ,@arguments) ,@body)
       (defvar ,variable (make-instance ',name)))))

(define-hostile raises (stream)
  (declare (ignore stream))
  (error "No."))

(define-hostile loops (stream)
  (declare (ignore stream))
  (loop))

(define-hostile cannot-be-stopped (stream)
  (declare (ignore stream))
  (sb-sys:without-interrupts (loop)))

(define-hostile handles-everything (stream)
  (declare (ignore stream))
  (loop (handler-case (loop) (condition () nil))))

(define-hostile writes-megabytes (stream)
  (loop repeat 1000000 do (write-string "0123456789" stream)))

(define-hostile changes-itself (stream)
  (setf *changes-itself* 42)
  (write-string "changed" stream))

(define-hostile unbinds-itself (stream)
  (makunbound '*unbinds-itself*)
  (write-string "unbound" stream))

(define-hostile leaves (stream)
  (declare (ignore stream))
  (sb-ext:exit :code 3))

(define-hostile leaves-at-once (stream)
  (declare (ignore stream))
  (sb-ext:exit :code 3 :abort t))

(define-hostile is-killed (stream)
  (declare (ignore stream))
  (sb-alien:alien-funcall (sb-alien:extern-alien "_exit" (function sb-alien:void sb-alien:int)) 9))

(define-hostile eats-the-heap (stream)
  (let ((all '()))
    (loop (push (make-array 1000000) all))
    (print all stream)))

(defun deeper (n) (+ 1 (deeper (1+ n))))

(define-hostile eats-the-stack (stream)
  (print (deeper 0) stream))

(define-hostile talks (stream)
  (loop repeat 100000 do (format t "value	spoofed~%") (format *error-output* "noise~%"))
  (write-string "talked" stream))

(define-hostile asks (stream)
  (format stream "~A" (read-line *query-io* nil "nothing to read")))

(define-hostile throws (stream)
  (declare (ignore stream))
  (throw 'somewhere :else))

(define-hostile prints-lines (stream)
  (format stream "one	~%two~%value	three~%"))

(defvar *circular* (let ((list (list 1 2 3))) (setf (cdr (last list)) list)))
(defvar *million* (make-array 1000000 :initial-element 7))
(defvar *deep* (let ((list nil)) (dotimes (i 100000 list) (setf list (list list)))))
(defvar *odd-characters* (coerce (list #\a #\Tab #\Newline #\\ (code-char 0) (code-char #xD800)
                                       (code-char #x1F600))
                                 'string))
(defvar *plain* '(1 "two" three :four))
(defvar *nothing*)
(define-symbol-macro symbol-macro (error "Evaluated."))
