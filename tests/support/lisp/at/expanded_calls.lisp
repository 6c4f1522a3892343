;;;; For each line of the file $QUESTIONS, a package and the text of a form: which global functions does the form
;;;; call when all its macros are expanded?
;;;;
;;;; The answer, a line in $ANSWERS, is their packages and names, one field each, as "PACKAGE NAME"; or one field
;;;; that begins with "!" if the form cannot be expanded.

(require "SB-CLTL2")
(load (merge-pathnames "../lines.lisp" *load-truename*))

(in-package "TEST-ORACLE")

(declaim (ftype function walk-form))
(defvar *found*)
(defvar *local*)

(defun local-functions (form)
  "The names that FLET and LABELS anywhere in FORM bind."
  (let ((found '()))
    (labels ((walk (part)
               (when (consp part)
                 (when (and (member (car part) '(flet labels)) (consp (cdr part)) (listp (cadr part)))
                   (dolist (binding (cadr part))
                     (when (and (consp binding) (symbolp (car binding))) (push (car binding) found))))
                 (loop for rest = part then (cdr rest)
                       while (consp rest)
                       do (walk (car rest))))))
      (walk form))
    found))

(defun note (name)
  (when (and (symbolp name) (symbol-package name) (fboundp name)
             (not (member name *local*))
             (not (macro-function name)) (not (special-operator-p name)))
    (pushnew (format nil "~A ~A" (package-name (symbol-package name)) (symbol-name name)) *found*
             :test #'string=)))

(defun walk-body (forms) (mapc #'walk-form forms))

(defun walk-lambda (lambda-list body)
  (dolist (parameter lambda-list)
    (when (and (consp parameter) (consp (cdr parameter))) (walk-form (second parameter))))
  (walk-body (remove-if (lambda (form) (and (consp form) (eq (car form) 'declare))) body)))

(defun walk-form (form)
  "Note the calls in FORM, which has no macros left."
  (when (consp form)
    (let ((head (car form)) (rest (cdr form)))
      (cond ((and (consp head) (eq (car head) 'lambda))
             (walk-lambda (second head) (cddr head))
             (walk-body rest))
            (t
             (case head
               ((quote go declare sb-int:quasiquote) nil)
               ((load-time-value) nil)          ; is evaluated before
               ((lambda) (walk-lambda (first rest) (rest rest)))
               ((defun sb-int:named-lambda) (walk-lambda (second rest) (cddr rest)))
               ((function)
                (let ((what (first rest)))
                  (cond ((symbolp what) (note what))
                        ((member (car what) '(lambda)) (walk-lambda (second what) (cddr what)))
                        ((member (car what) '(sb-int:named-lambda))
                         (walk-lambda (third what) (cdddr what))))))
               ((let let*)
                (dolist (binding (first rest)) (when (consp binding) (walk-form (second binding))))
                (walk-body (remove 'declare (rest rest) :key (lambda (one) (and (consp one) (car one))))))
               ((flet labels macrolet symbol-macrolet)
                (when (member head '(flet labels))
                  (dolist (binding (first rest)) (walk-lambda (second binding) (cddr binding))))
                (walk-body (remove 'declare (rest rest) :key (lambda (one) (and (consp one) (car one))))))
               ((block return-from eval-when the sb-ext:truly-the) (walk-body (rest rest)))
               ((setq) (loop for (nil value) on rest by #'cddr do (walk-form value)))
               ((tagbody) (walk-body (remove-if #'atom rest)))
               (t
                (when (symbolp head)
                  ;; SBCL's own THE* is as THE, and WITH-SOURCE-FORM has first what its form was made from.
                  (cond ((member head '("THE*" "WITH-SOURCE-FORM") :test #'string=) (walk-body (rest rest)))
                        ((special-operator-p head) (walk-body rest))
                        (t (note head) (walk-body rest)))))))))))

(defun answer (package text)
  (handler-case
      (let* ((*package* (or (find-package package) (error "no package ~A" package)))
             (form (read-from-string text))
             (expanded (sb-cltl2:macroexpand-all form))
             (*local* (local-functions expanded))
             (*found* '()))
        (walk-form expanded)
        (sort *found* #'string<))
    (error (condition) (list (format nil "!~A" (type-of condition))))))

(with-open-file (in (sb-ext:posix-getenv "QUESTIONS"))
  (with-open-file (out (sb-ext:posix-getenv "ANSWERS") :direction :output)
    (loop for line = (read-line in nil)
          while line
          do (format out "~{~A~^	~}~%" (mapcar #'escaped (apply #'answer (fields line)))))))
