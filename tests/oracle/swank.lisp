;;;; Where Swank says that definitions stand: an independent reader of SBCL's positions.
;;;;
;;;; Environment: ORACLE_SYSTEMS (names, one a line), ORACLE_OUTPUT (file to write).
;;;; A line a definition, fields separated by tabs: package, symbol (newlines as ?), SETF or
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

(defun put-definitions (out)
  (dolist (package (list-all-packages))
    (unless (or (member package (list (find-package "KEYWORD") (find-package "COMMON-LISP-USER")))
                (sb-ext:package-locked-p package))
      (do-symbols (symbol package)
        (when (eq (symbol-package symbol) package)
          (dolist (name (list symbol `(setf ,symbol)))
            (dolist (definition (handler-case (let ((*package* package))
                                                (swank/backend:find-definitions name))
                                  (error () '())))
              (put-definition out symbol name definition))))))))

(with-open-file (out (uiop:getenv "ORACLE_OUTPUT") :direction :output :if-exists :supersede
                                                   :external-format :utf-8)
  (put-definitions out))

(sb-ext:exit :code 0 :abort t)
