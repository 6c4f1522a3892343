;;;; Answer the questions about apropos in the file $QUESTIONS into the file $ANSWERS.
;;;;
;;;; The image is remembered first, with symbols of TEST-ORACLE only and no keyword that a
;;;; bare SBCL lacks: whatever is read or loaded later is not part of what is asked about.

(make-package "TEST-ORACLE" :use '("COMMON-LISP"))

(in-package "TEST-ORACLE")

(defvar *packages* (remove *package* (list-all-packages)))

(defvar *known* (make-hash-table :test 'eq) "All symbols that the image had.")

(dolist (package *packages*)
  (do-symbols (symbol package)
    (unless (eq (symbol-package symbol) *package*)
      (setf (gethash symbol *known*) t))))

(load (merge-pathnames "lines.lisp" *load-truename*))
(load (merge-pathnames "apropos_answers.lisp" *load-truename*))

(with-open-file (out (environment-file "ANSWERS") :direction :output :external-format :utf-8)
  (with-standard-io-syntax
    (let ((*print-pretty* nil))
      (answer-questions (read-lines "QUESTIONS")
                        ;; LOAD binds variables of the compiler, which are unbound in a new thread.
                        (sb-thread:join-thread (sb-thread:make-thread #'known-symbols :arguments (list *known*)))
                        *packages* out))))
