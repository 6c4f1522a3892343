;;;; The places of definitions according to Swank, an independent reader of SBCL's positions.
;;;;
;;;; Environment: ORACLE_SYSTEMS (names, one per line), ORACLE_OUTPUT (file to write), ORACLE_SYMBOLS
;;;; (file of package and name, a tab between; when it is empty, all symbols but SBCL's own).
;;;; One line per definition, fields separated by tabs: package, symbol (newlines as ?), SETF or
;;;; nothing, Swank's word for the kind, file, position (from 1, in characters).

(require "ASDF")

(handler-bind ((warning #'muffle-warning))
  (let ((*standard-output* (make-broadcast-stream))
        (*error-output* (make-broadcast-stream)))
    (dolist (system (uiop:split-string (uiop:getenv "ORACLE_SYSTEMS") :separator '(#\Newline)))
      (asdf:load-system system))
    (asdf:load-system "swank")))

(defun put-definition (out symbol name definition)
  (destructuring-bind (specifier &optional location &rest more) definition
    (declare (ignore more))
    (when (and (consp specifier) (consp location) (eq (first location) :location))
      (let ((file (second (assoc :file (rest location))))
            (position (second (assoc :position (rest location)))))
        (when (and file position)
          (format out "~{~A~^	~}~%"
                  (list (package-name (symbol-package symbol))
                        (substitute #\? #\Newline (symbol-name symbol))
                        (if (consp name) "SETF" "")
                        (string (first specifier)) file position)))))))

(defun put-definitions-of (out symbol)
  (dolist (name (list symbol `(setf ,symbol)))
    (dolist (definition (handler-case (let ((*package* (symbol-package symbol)))
                                        (swank/backend:find-definitions name))
                          (error () '())))
      (put-definition out symbol name definition))))

(defun put-all-definitions (out)
  (dolist (package (list-all-packages))
    (unless (or (member package (list (find-package "KEYWORD") (find-package "COMMON-LISP-USER")))
                (sb-ext:package-locked-p package))
      (do-symbols (symbol package)
        (when (eq (symbol-package symbol) package)
          (put-definitions-of out symbol))))))

(defun put-definitions (out)
  (let ((lines (uiop:read-file-lines (uiop:getenv "ORACLE_SYMBOLS") :external-format :utf-8)))
    (if lines
        (dolist (line lines)
          (destructuring-bind (package name) (uiop:split-string line :separator '(#\Tab))
            (put-definitions-of out (find-symbol name package))))
        (put-all-definitions out))))

(with-open-file (out (uiop:getenv "ORACLE_OUTPUT") :direction :output :if-exists :supersede
                                                   :external-format :utf-8)
  (put-definitions out))

(sb-ext:exit :code 0 :abort t)
