;;;; Read every token in the file $TOKENS, one per line, with the live reader under standard syntax, but by the
;;;; READTABLE-CASE that follows it if one does.  Write the names of the symbols into the file $ANSWERS; nothing for
;;;; a token that is not a symbol.

(load (merge-pathnames "lines.lisp" *load-truename*))

(in-package "TEST-ORACLE")

(defvar *scratch* (make-package "SCRATCH" :use '()))

(defun name-read-from (token case)
  "The name of the symbol that TOKEN, the whole of it, is to the reader with this READTABLE-CASE."
  (handler-case
      (with-standard-io-syntax
        (let ((*package* *scratch*) (*read-eval* nil) (*readtable* (copy-readtable nil)))
          (setf (readtable-case *readtable*) case)
          (multiple-value-bind (object end) (read-from-string token)
            (and (symbolp object) (= end (length token)) (symbol-name object)))))
    (error () nil)))

(let ((tokens (read-lines "TOKENS")))
  (with-open-file (out (environment-file "ANSWERS") :direction :output)
    (loop for (token case) in tokens
          do (put-line out (name-read-from token (if case (intern case "KEYWORD") :upcase))))))
