;;;; The calls of toplevel forms, as the Lisp reader reads the files that the questions name.

(in-package "ORACLE")

(defun map-calls (function form local)
  "Call FUNCTION with the operators that FORM calls at toplevel (CLHS 3.2.3.1); LOCAL are
names of local macros."
  (when (and (consp form) (symbolp (first form)) (not (member (first form) local)))
    (flet ((body (forms &optional (local local))
             (dolist (form forms) (map-calls function form local))))
      (case (first form)
        ((progn locally) (body (rest form)))
        ((eval-when symbol-macrolet) (body (cddr form)))
        (macrolet (body (cddr form) (append (mapcar #'first (second form)) local)))
        (t (funcall function (first form)))))))

(defun relation-to (operator)
  (cond ((macro-function operator) "macroexpands")
        ((and (fboundp operator) (not (special-operator-p operator))) "calls")))

(defun skip-read-time (stream char argument)
  "Read #.X without evaluating X: the code that builds SBCL is not in the image."
  (declare (ignore char argument))
  (read stream t nil t)
  nil)

(defun answer-file (path)
  "Answer the calls in the file at PATH, then that it was read to its end."
  (with-open-file (in (sb-ext:parse-native-namestring path)
                      :external-format '(:utf-8 :replacement #\?))
    (let ((*package* (find-package "COMMON-LISP-USER"))
          (*readtable* (copy-readtable nil)))
      (set-dispatch-macro-character #\# #\. #'skip-read-time)
      (loop for number from 0
            for form = (read in nil in)
            until (eq form in)
            do (when (typep form '(cons (eql in-package)))
                 (setf *package* (find-package (second form))))
               (map-calls (lambda (operator)
                            (let ((relation (relation-to operator)))
                              (when relation
                                (answer "use" path number relation
                                        (package-name (symbol-package operator))
                                        (symbol-name operator)))))
                          form '()))
      (answer "read" path))))

(defun read-questions ()
  (with-open-file (in (sb-ext:posix-getenv "ORACLE_QUESTIONS") :external-format :utf-8)
    (loop for line = (read-line in nil)
          while line collect line)))

(defun answer-all ()
  ;; The last is gone from the image, but not from what it was built from.
  (let ((*features* (append *features* sb-impl:+internal-features+
                            '(:sb-xc :os-provides-poll))))
    (sb-ext:without-package-locks
      ;; The name that SBCL's own sources give CL while it is built.
      (rename-package "COMMON-LISP" "COMMON-LISP" '("CL" "SB-XC"))
      (dolist (path (read-questions))
        (handler-case (answer-file path)
          (error (condition)
            (answer "unread" path (princ-to-string condition))))))))
