;;;; For each text in the file $QUESTIONS, which begins with a call, and the name of what is called:
;;;; where the reader finds the items of that list, and which arguments the function takes.

(load (merge-pathnames "lines.lisp" *load-truename*))

(in-package "TEST-ORACLE")

(require "SB-INTROSPECT")

(defun item-places (text)
  "Start and end of each item of the list at the beginning of TEXT, and its own end; NIL if it is not read."
  (handler-case
      (with-input-from-string (in text)
        (with-standard-io-syntax
          ;; Only the ends of things matter, not which symbols they are.
          (let ((*read-suppress* t))
            (read-char in)
            (loop until (char= (peek-char t in) #\))
                  collect (file-position in) into places
                  do (read-preserving-whitespace in)
                  collect (file-position in) into places
                  finally (return (append places (list (1+ (file-position in)))))))))
    (error () nil)))

(defun function-named (package name)
  "The ordinary function of that name; NIL for macros, generic functions and everything else."
  (let* ((home (find-package package))
         (symbol (and home (find-symbol name home))))
    (when (and symbol (fboundp symbol)
               (not (macro-function symbol)) (not (special-operator-p symbol))
               (not (typep (fdefinition symbol) 'generic-function)))
      (fdefinition symbol))))

(defun lambda-keyword-p (part)
  (member part lambda-list-keywords))

(defun keyword-names (lambda-list)
  "The keywords that LAMBDA-LIST names; none if it also allows others, or optional arguments come before."
  (unless (intersection lambda-list '(&allow-other-keys &optional))
    (loop for part in (rest (member '&key lambda-list))
          until (lambda-keyword-p part)
          collect (let ((variable (if (consp part) (first part) part)))
                    (string (if (consp variable) (first variable) variable))))))

(defun put-answer (out text package name)
  (let ((places (item-places text)) (function (function-named package name)))
    (if (and places function)
        (let ((lambda-list (sb-introspect:function-lambda-list function)))
          (put-line out
                    (format nil "~{~D~^ ~}" places)
                    (format nil "~D" (or (position-if #'lambda-keyword-p lambda-list) (length lambda-list)))
                    (format nil "~{~A~^ ~}" (keyword-names lambda-list))))
        (put-line out nil nil nil))))

(let ((questions (read-lines "QUESTIONS")))
  (with-open-file (out (environment-file "ANSWERS") :direction :output)
    (loop for (text package name) in questions
          do (put-answer out text package name))))
