;;;; Loading the systems that the user named, before the baseline is taken.
;;;;
;;;; What to load arrives in the environment variable OBLIST_SYSTEMS, one system
;;;; name a line.  ASDF is reached by FIND-SYMBOL, so that this file interns
;;;; nothing (see package.lisp for the rule).

(in-package "OBLIST")

(defvar *load-problems* '()
  "What would not load: lists (SYSTEM CONDITION-TYPE MESSAGE), newest first.")

(defvar *loaded-systems* '()
  "The names of the systems that loaded, newest first.")

(defun environment-lines (variable)
  "The non-empty lines of the environment VARIABLE."
  (let ((text (or (sb-ext:posix-getenv variable) "")) (lines '()) (start 0))
    (loop
      (let ((end (position #\Newline text :start start)))
        (let ((line (subseq text start end)))
          (unless (string= line "") (push line lines)))
        (if end (setf start (1+ end)) (return (nreverse lines)))))))

(defun describe-condition (condition)
  "The type name and the one-paragraph message of CONDITION, as two values."
  (values (handler-case (princ-to-string (type-of condition))
            (error () "CONDITION"))
          (handler-case (princ-to-string condition)
            (error () "(the condition's own report failed)"))))

(defun load-system (name)
  "Load the ASDF system NAME; what goes wrong is remembered, not signalled."
  (block loading
    (handler-bind
        ((warning #'muffle-warning)
         (serious-condition
           (lambda (condition)
             (multiple-value-bind (type message) (describe-condition condition)
               (push (list name type message) *load-problems*))
             (return-from loading nil))))
      (funcall (find-symbol "LOAD-SYSTEM" "ASDF") name)
      (push name *loaded-systems*))))

(defun load-systems ()
  "Load every system that OBLIST_SYSTEMS names, in order, with ASDF."
  (let ((systems (environment-lines "OBLIST_SYSTEMS")))
    (when systems
      (require "ASDF")
      (mapc #'load-system systems))))
