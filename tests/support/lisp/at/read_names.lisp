;;;; For each line of the file $QUESTIONS, a package, a name as it is in a text, and a name as one types it: is it
;;;; the same symbol if the first is read in the package?
;;;;
;;;; The answer, a line in $ANSWERS, is "same", or what the name in the text is.

(load (merge-pathnames "../lines.lisp" *load-truename*))

(in-package "TEST-ORACLE")

(defun read-in (package text)
  (let ((*package* (or (find-package package) (error "no package ~A" package))))
    (read-from-string text)))

(defun plain (name)
  (if (consp name) (second name) name))

(defun answer (package text written)
  (handler-case
      (let ((there (read-in package text)))
        (if (eq there (plain (read-in "COMMON-LISP-USER" written)))
            "same"
            (format nil "~S" there)))
    (error (condition) (princ-to-string condition))))

(with-open-file (in (sb-ext:posix-getenv "QUESTIONS"))
  (with-open-file (out (sb-ext:posix-getenv "ANSWERS") :direction :output)
    (loop for line = (read-line in nil)
          while line
          do (format out "~A~%" (escaped (apply #'answer (fields line)))))))
