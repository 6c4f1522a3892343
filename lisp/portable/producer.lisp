;;;; A producer of records for any Common Lisp with a metaobject protocol and ASDF: what docs/formats/records.md wants.
;;;;
;;;; Load this file, then call DUMP-SYSTEMS with the file to write and the systems to index:
;;;;
;;;;     ecl --norc --load producer.lisp --eval '(oblist-records:dump-systems "out.records" "alexandria")' \
;;;;         --eval '(quit)' </dev/null
;;;;     oblist index --records out.records
;;;;
;;;; The observer must leave no trace in what it observes.  So this file comes first, and uses no keyword that a bare
;;;; Lisp does not have; it loads the systems, takes the baseline, and only then loads the others.  What is not in
;;;; the baseline is not written, and neither is the package OBLIST-RECORDS.

(defpackage "OBLIST-RECORDS"
  (:use "COMMON-LISP")
  (:export "DUMP-SYSTEMS"))

(in-package "OBLIST-RECORDS")

(defvar *folder* (make-pathname :name nil :type nil :version nil :defaults (or *load-truename* *compile-file-truename*))
  "The folder of these sources.")

(defvar *files* '("internals" "json" "text" "source" "symbols" "definitions" "classes" "systems" "stream")
  "The files that are loaded once the baseline is taken, in order.")

(defvar *packages* '()
  "The packages in the baseline, in the order of their names.")

(defvar *symbols* #()
  "The symbols that are present in these packages, in order: the first has the number 1.")

(defvar *numbers* (make-hash-table :test 'eq)
  "The number of each of these symbols, and of each of these packages.")

(defvar *baseline-features* '()
  "The value of *FEATURES* in the baseline.")

(defvar *asked-systems* '()
  "The names of the systems that were asked for.")

(defmacro do-present-symbols ((symbol status package) &body body)
  "Run BODY for every SYMBOL that is present in PACKAGE, with its STATUS: :EXTERNAL or :INTERNAL."
  (let ((next (gensym)) (more (gensym)))
    `(with-package-iterator (,next ,package :internal :external)
       (loop
         (multiple-value-bind (,more ,symbol ,status) (,next)
           (unless ,more (return))
           ,@body)))))

(defun surrogate-p (char)
  "True for code points that UTF-8 cannot encode."
  (<= #xD800 (char-code char) #xDFFF))

(defun storable-p (name)
  "True unless the string NAME has a character that UTF-8 cannot encode."
  (notany #'surrogate-p name))

(defun take-baseline ()
  "Remember the packages, symbols and features that there are now, and number them."
  (let ((symbols '()))
    (clrhash *numbers*)
    (setf *baseline-features* (copy-list *features*)
          *packages* (sort (remove-if-not (lambda (package)
                                            (and (storable-p (package-name package))
                                                 (not (eq package (find-package "OBLIST-RECORDS")))))
                                          (list-all-packages))
                           #'string< :key #'package-name))
    (loop for package in *packages*
          for number from 1
          do (setf (gethash package *numbers*) number)
             (do-present-symbols (symbol status package)
               (unless (or (gethash symbol *numbers*)
                           (not (storable-p (symbol-name symbol)))
                           (eq (symbol-package symbol) (find-package "OBLIST-RECORDS")))
                 (setf (gethash symbol *numbers*) t)
                 (push symbol symbols))))
    (setf *symbols* (coerce (sort symbols #'symbol-before-p) 'vector))
    (loop for symbol across *symbols*
          for number from 1
          do (setf (gethash symbol *numbers*) number))))

(defun symbol-before-p (one other)
  "True when the symbol ONE is written before OTHER: by home package, then by name."
  (flet ((home (symbol) (if (symbol-package symbol) (package-name (symbol-package symbol)) "")))
    (if (string= (home one) (home other))
        (string< (symbol-name one) (symbol-name other))
        (string< (home one) (home other)))))

(defun dump-systems (file &rest systems)
  "Load SYSTEMS, names for ASDF, and write the records of everything that the image has to FILE.
Everything loaded before is written too.  This runs the code of the systems, as loading them always does."
  (require "asdf")
  ;; A newer ASDF on the way would be compiled in place of the one that is loading.
  (let ((keep (find-symbol "REGISTER-IMMUTABLE-SYSTEM" "ASDF")))
    (when (and keep (fboundp keep))
      (funcall keep "asdf")))
  (setf *asked-systems* (mapcar #'string-downcase systems))
  (dolist (system *asked-systems*)
    (funcall (find-symbol "LOAD-SYSTEM" "ASDF") system))
  (take-baseline)
  (let ((*load-verbose* nil) (*compile-verbose* nil) (*compile-print* nil))
    (dolist (name *files*)
      (load (make-pathname :name name :type "lisp" :defaults *folder*))))
  (funcall (find-symbol "WRITE-RECORDS" "OBLIST-RECORDS") file))
