;;;; Read every form in the file $FORMS with the live reader under standard syntax in the package that it was
;;;; written for, and write into the file $READ what came of it, both in lines of fields:
;;;;
;;;; PACKAGE HAS NAME OPERATOR FORM ADD  the form of the symbol NAME that is present in the package HAS
;;;;
;;;; VERDICT INTERNED CONFLICTS SHORTEST HELPS
;;;;
;;;; VERDICT is "same" if the form is that symbol, or the list of OPERATOR and that symbol; else what was read.
;;;; INTERNED is how many symbols that made. CONFLICTS is "yes" if SBCL finds a conflict when PACKAGE imports
;;;; the symbol. SHORTEST is the length of the shortest name in PACKAGE of a package that exports the symbol, as
;;;; it is printed.
;;;; HELPS is "yes" if ADD, an option of defpackage, makes the symbol's name shorter in PACKAGE.
;;;; $GRAPH, if it is set, is a file to load before, which makes packages.

(load (merge-pathnames "lines.lisp" *load-truename*))
(when (sb-ext:posix-getenv "GRAPH")
  (load (sb-ext:posix-getenv "GRAPH")))

(in-package "TEST-ORACLE")

(defun operator-symbol (operator)
  (find-symbol operator (if (string= operator "CAS") "SB-EXT" "COMMON-LISP")))

(defun read-in (form package)
  "What FORM, the whole of it, is to the reader in PACKAGE; else the condition."
  (handler-case
      (with-standard-io-syntax
        (let ((*package* package) (*read-eval* nil))
          (multiple-value-bind (object end) (read-from-string form)
            (assert (= end (length form)))
            object)))
    (error (condition) condition)))

(defun verdict (object symbol operator)
  (if (equal object (if operator (list (operator-symbol operator) symbol) symbol))
      "same"
      (with-standard-io-syntax
        (let ((*package* (find-package "KEYWORD")) (*print-readably* nil))
          (princ-to-string object)))))

(defun conflicts-p (symbol package)
  "Whether SBCL finds a conflict when PACKAGE imports SYMBOL, which is undone."
  (if (eq (find-symbol (symbol-name symbol) package) symbol)
      nil
      (sb-ext:without-package-locks
        (handler-case (progn (import (list symbol) package)
                             (unintern symbol package)
                             nil)
          (sb-ext:name-conflict () t)))))

(defun names-seen-in (package other)
  "The names by which code in PACKAGE may call the package OTHER."
  (let ((*package* package))
    (remove-if-not (lambda (name) (eq (find-package name) other))
                   (append (list (package-name other))
                           (package-nicknames other)
                           (mapcar #'car (sb-ext:package-local-nicknames package))))))

(defun printed-length (name)
  (with-standard-io-syntax
    (let ((*print-gensym* nil) (*print-readably* nil))
      (length (prin1-to-string (make-symbol name))))))

(defun shortest (symbol package)
  "The length of the shortest name in PACKAGE of a package that exports SYMBOL; nil without any."
  (let ((lengths (loop for other in (list-all-packages)
                       when (multiple-value-bind (found status) (find-symbol (symbol-name symbol) other)
                              (and (eq found symbol) (eq status :external)))
                         append (mapcar #'printed-length
                                        (remove "" (names-seen-in package other) :test #'string=)))))
    (and lengths (princ-to-string (reduce #'min lengths)))))

(defun helps-p (option symbol package)
  "Whether OPTION, a text, imports SYMBOL into PACKAGE, or gives its package a nickname that works there."
  (destructuring-bind (kind what &rest names) (with-standard-io-syntax (read-from-string option))
    (ecase kind
      (:import-from
       (and (some (lambda (name) (eq symbol (find-symbol (string name) what))) names)
            (not (conflicts-p symbol package))))
      (:local-nicknames
       (destructuring-bind (nickname other) what
         (sb-ext:add-package-local-nickname nickname other package)
         (unwind-protect
              (let ((*package* package))
                (eq symbol (find-symbol (symbol-name symbol) (find-package nickname))))
           (sb-ext:remove-package-local-nickname nickname package)))))))

(defun number-of-symbols (package)
  (+ (sb-impl::package-internal-symbol-count package)
     (sb-impl::package-external-symbol-count package)))

(defun all-symbols ()
  (loop for package in (list-all-packages) sum (number-of-symbols package)))

(let ((questions (read-lines "FORMS")))
  (with-open-file (out (environment-file "READ") :direction :output :if-exists :supersede)
    (loop for (name has symbol-name operator form add) in questions
          for package = (find-package name)
          for symbol = (find-symbol symbol-name has)
          for before = (all-symbols)
          for object = (read-in form package)
          do (put-line out
                       (verdict object symbol operator)
                       (princ-to-string (- (all-symbols) before))
                       (if (conflicts-p symbol package) "yes" "no")
                       (shortest symbol package)
                       (and add (if (helps-p add symbol package) "yes" "no"))))))
