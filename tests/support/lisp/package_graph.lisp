;;;; Make the packages that the file $OPERATIONS asks for, one operation per line, and write into
;;;; the file $ANSWERS what the live SBCL says about them, in lines of fields:
;;;;
;;;; made       OPERATION                 an operation that was done; conflicts are left alone
;;;; symbol     PACKAGE NAME HOME STATUS  every symbol accessible in a package, by FIND-SYMBOL
;;;; names      NAME PACKAGE              a name or nickname of a package
;;;; local      PACKAGE NICKNAME TARGET   what FIND-PACKAGE says inside PACKAGE
;;;; upcased    NAME UPPER                a name as the reader upcases it
;;;;
;;;; and into the file $APROPOS_ANSWERS the answers to the questions in $APROPOS_QUESTIONS.

(in-package "TEST-ORACLE")

(defvar *ours* '() "The packages that were made, newest first.")

(defun the-symbol (name package)
  (multiple-value-bind (symbol status) (find-symbol name package)
    (if status symbol (error "There is no ~S in ~S" name package))))

(defun perform (operation package &rest arguments)
  (destructuring-bind (&optional first second) arguments
    (cond ((string= operation "make") (push (make-package package :use '() :nicknames arguments) *ours*))
          ((string= operation "use") (use-package first package))
          ((string= operation "local") (sb-ext:add-package-local-nickname first second package))
          ((string= operation "intern") (intern first package))
          ((string= operation "export") (export (list (intern first package)) package))
          ((string= operation "shadow") (shadow (list first) package))
          ((string= operation "import") (import (list (the-symbol second first)) package))
          ((string= operation "shadowing-import")
           (shadowing-import (list (the-symbol second first)) package))
          ((string= operation "unintern") (unintern (the-symbol first package) package))
          ((string= operation "delete")
           (let ((deleted (find-package package)))
             (handler-bind ((package-error #'continue)) ; no longer used by the others
               (delete-package deleted))
             (setf *ours* (remove deleted *ours*))))
          ;; What the symbol is matters to the type filter of apropos.
          ((string= operation "define-function")
           (setf (fdefinition (the-symbol first package)) (lambda () nil)))
          ((string= operation "define-variable") (setf (symbol-value (the-symbol first package)) 1))
          (t (error "No operation ~S" operation)))))

(defun perform-all (operations out)
  "Do what can be done; what conflicts with the packages as they are signals an error and is left."
  (dolist (operation operations)
    (handler-case (progn (apply #'perform operation)
                         (put-line out "made" (first operation)))
      ((or package-error sb-ext:package-lock-violation simple-error) () nil))))

(defun put-symbols (out package)
  (let ((seen (make-hash-table :test 'eq)))
    (do-symbols (symbol package)
      (unless (gethash symbol seen)
        (setf (gethash symbol seen) t)
        (multiple-value-bind (found status) (find-symbol (symbol-name symbol) package)
          (assert (eq found symbol))
          (let ((home (home-package symbol)))
            (put-line out "symbol" (package-name package) (symbol-name symbol)
                      (and home (package-name home)) (string-downcase status))))))))

(defun put-names (out package)
  (dolist (name (cons (package-name package) (package-nicknames package)))
    (put-line out "names" name (package-name package)))
  (let ((*package* package))
    (loop for (nickname) in (sb-ext:package-local-nicknames package)
          do (put-line out "local" (package-name package) nickname
                       (package-name (find-package nickname))))))

(defun put-graph (out names)
  (dolist (package *ours*)
    (put-symbols out package)
    (put-names out package))
  (dolist (name names)
    (put-line out "upcased" name (string-upcase (sb-unicode:normalize-string name :nfkc)))))

(defun names-in (operations)
  (remove-duplicates (loop for (nil . arguments) in operations append arguments) :test #'string=))

(let ((operations (read-lines "OPERATIONS")))
  (with-open-file (out (environment-file "ANSWERS") :direction :output :external-format :utf-8
                       :if-exists :supersede)
    (perform-all operations out)
    (put-graph out (names-in operations))))

(with-open-file (out (environment-file "APROPOS_ANSWERS") :direction :output :external-format :utf-8
                     :if-exists :supersede)
  (let ((known (make-hash-table :test 'eq)))
    (dolist (package *ours*)
      (do-symbols (symbol package) (setf (gethash symbol known) t)))
    (with-standard-io-syntax
      (let ((*print-pretty* nil))
        (answer-questions (read-lines "APROPOS_QUESTIONS") (known-symbols known) *ours* out)))))
