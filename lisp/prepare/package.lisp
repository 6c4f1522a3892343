;;;; The package of oblist's Lisp side, and the baseline: the image as it is before the dumper is loaded.
;;;;
;;;; The observer must leave no trace in what it observes.  So the files of this folder come first.  They
;;;; load what the user asked for (load.lisp) and take the baseline; only then is the dumper loaded.
;;;; Anything outside the baseline did not come from the user, and nothing in the package OBLIST is indexed.
;;;; A refresh takes its baseline differently (refresh.lisp); the code that reports values is loaded
;;;; only into a forked child that saves a core (snapshot.lisp).
;;;;
;;;; The rule for all files in this folder: they use no keyword, and no symbol outside the package OBLIST,
;;;; that a bare SBCL does not already have.

(defpackage "OBLIST"
  (:use "COMMON-LISP"))

(in-package "OBLIST")

(defvar *baseline-packages* '()
  "The packages in the baseline.")

(defvar *baseline-symbols* nil
  "A table of the symbols present in the baseline packages.")

(defvar *baseline-code* '()
  "The code objects in the baseline.")

(defvar *baseline-features* '()
  "The value of *FEATURES* in the baseline.")

(defvar *features-of-sbcl* (copy-list *features*)
  "The value of *FEATURES* before anything was loaded.")

(defvar *oblist-package* *package*
  "Our own package, which is never indexed.")

(defun sound-list (value)
  "VALUE, which anything may have changed: NIL if it is circular, or no list at all."
  (handler-case (and (list-length value) value)
    (type-error () '())))

(defmacro do-present-symbols ((symbol status package) &body body)
  "Run BODY for every SYMBOL present in PACKAGE, with its STATUS.
STATUS is :EXTERNAL or :INTERNAL, as WITH-PACKAGE-ITERATOR gives it."
  (let ((next (gensym)) (more (gensym)))
    `(with-package-iterator (,next ,package :internal :external)
       (loop
         (multiple-value-bind (,more ,symbol ,status) (,next)
           (unless ,more (return))
           ,@body)))))

(defun take-baseline ()
  "Remember the packages, symbols, code and features that the image has now."
  (setf *baseline-features* (sound-list *features*)
        *baseline-code* (sb-vm:list-allocated-objects
                         :all :type sb-vm:code-header-widetag)
        *baseline-packages* (remove *oblist-package* (list-all-packages))
        *baseline-symbols* (make-hash-table :test 'eq :size 50000))
  (dolist (package *baseline-packages*)
    (do-present-symbols (symbol status package)
      (unless (eq (symbol-package symbol) *oblist-package*)
        (setf (gethash symbol *baseline-symbols*) status)))))

(declaim (inline known-symbol-p))
(defun known-symbol-p (symbol)
  "True when SYMBOL was in the image before the dumper was loaded."
  (nth-value 1 (gethash symbol *baseline-symbols*)))

(defun known-form-p (form)
  "True unless FORM, a name or a specializer, contains one of our own symbols.  FORM may be circular."
  (let ((nodes-left 10000))
    (labels ((known-p (form)
               (cond ((or (null form) (minusp (decf nodes-left))) t)
                     ((symbolp form) (or (known-symbol-p form) (null (symbol-package form))))
                     ((consp form) (and (known-p (car form)) (known-p (cdr form))))
                     (t t))))
      (known-p form))))

(defun known-method-p (method)
  "True unless METHOD specializes on one of our own classes."
  (every (lambda (specializer)
           (or (not (typep specializer 'class))
               (known-form-p (name-of-class specializer))))
         (specializers-of method)))
