;;;; Expand macros, in a separate child process that evaluates nothing else.
;;;;
;;;; Like evaluate.lisp, whose limits, streams and replies it uses.  A macro may do anything while it expands:
;;;; what it leaves behind is in this process only.

(in-package "OBLIST")

(defconstant +most-steps+ 20)
(defconstant +expansion-margin+ 100)

(defun expansion-text (form)
  "FORM printed as code, in the current package."
  (printed-bounded
   "<error printing the expansion>"
   (lambda (stream)
     (let ((*print-pretty* t) (*print-right-margin* +expansion-margin+) (*print-miser-width* nil)
           (*print-case* :downcase) (*print-circle* nil) (*print-gensym* t) (*print-readably* nil)
           (*print-length* nil) (*print-level* nil))
       (prin1 form stream)))))

(defun position-in (part whole)
  "The indices that lead from the list WHOLE to PART, which is EQ to one of its parts; :NONE without any."
  (if (eq part whole)
      '()
      (loop for rest = whole then (cdr rest)
            for index from 0
            while (consp rest)
            do (let ((found (if (consp (car rest)) (position-in part (car rest)) :none)))
                 (when (or (listp found) (eq (car rest) part))
                   (return (cons index (if (listp found) found '())))))
            finally (return :none))))

(defun expanded-step (form)
  "FORM with the first of its macro forms expanded once, and a list of that macro form and its expansion; NIL
if there is none.  The first is the outermost, then the leftmost, of those that are evaluated."
  (let ((step nil))
    (values (walked form
                    (lambda (subform context environment)
                      (declare (ignore context))
                      (multiple-value-bind (expansion expanded-p)
                          ;; After FUNCTION, (LAMBDA ...) is not a macro form; the walker leaves them all.
                          (if (or step (typep subform '(cons (eql lambda))))
                              (values subform nil)
                              (macroexpand-1 subform environment))
                        (when expanded-p
                          (setf step (list subform expansion)))
                        (values expansion (and step t)))))
            step)))

(defun write-step (number form macro-form expansion out)
  "Write the EXPANSION of MACRO-FORM below its number, its macro, and where it is in FORM."
  (let ((position (position-in macro-form form)))
    (format out "~:[~%~%~;~];; ~D. ~A~@[ at ~{~D~^.~}~]~%~A"
            (= number 1) number
            (expansion-text (if (consp macro-form) (first macro-form) macro-form))
            (and (listp position) position)
            (expansion-text expansion))))

(defun steps-text (form)
  "The expansions of the macro forms in FORM, one after the other.  Each has its place in the form as it is by
then: the indices, from 0, that lead to it through lists in lists."
  (shortened
   (with-output-to-string (out)
     (loop for number from 1
           do (multiple-value-bind (next step) (expanded-step form)
                (cond ((null step)
                       (when (= number 1)
                         (format out ";; this is not a macro form~%~A" (expansion-text form)))
                       (return))
                      ((> number +most-steps+)
                       (format out "~2%;; and more: this stops after ~D steps" +most-steps+)
                       (return)))
                (write-step number form (first step) (second step) out)
                (setf form next))))
   nil))

(defun expansion (how form)
  "The text of the expansion of FORM; HOW is once, all or steps."
  (cond ((equal how "all") (expansion-text (macroexpanded-all form)))
        ((equal how "steps") (steps-text form))
        (t (multiple-value-bind (expansion expanded-p) (macroexpand-1 form)
             (format nil "~:[;; this is not a macro form~%~;~]~A" expanded-p (expansion-text expansion))))))

(defun single-form (text)
  "The only form in TEXT."
  (let* ((in (make-string-input-stream text))
         (form (next-form in)))
    (when (eq form in)
      (error "There is no form."))
    (unless (eq (next-form in) in)
      (error "There is more than one form."))
    form))

(defun expand-request (how package-name text)
  (let ((*gensym-counter* 1)) ; the same question has the same answer
    (work-request package-name "the macro" (lambda () (expansion how (single-form text))) #'identity)))
