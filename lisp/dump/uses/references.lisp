;;;; References: all calls, macro expansions, reads, writes and bindings, in one pass.
;;;;
;;;; SB-INTROSPECT:WHO-CALLS and its kin walk the image for each question.  Here every function that has
;;;; references is visited only once.

(in-package "OBLIST")

;;; Callees

(defun callee (name)
  "The symbol of the callee NAME and the position of its operator in *OPERATORS*;
NIL when the callee is not in the index because its symbol is uninterned or our own."
  (multiple-value-bind (operator symbol)
      (cond ((symbolp name) (values 0 name))
            ((typep name '(cons symbol (cons symbol null)))
             (values (position (first name) *operators*) (second name))))
    (and operator symbol (symbol-number symbol) (values symbol operator))))

(defun note-uses (packed caller scan toplevel-form)
  "Note the PACKED references of the code of CALLER, which was compiled from the TOPLEVEL-FORM of SCAN."
  (map-references
   (lambda (relation name form-number)
     (let ((relation (position relation *relations* :key #'car)))
       (multiple-value-bind (callee operator) (callee name)
         (when (and relation callee)
           (place-use (add-use (make-use callee operator relation caller form-number))
                      name scan toplevel-form)))))
   packed))

;;; Callers

(defun definition-named (name &rest kinds)
  "The number of NAME's definition of the first of KINDS for which there is one, or NIL."
  (loop for kind in kinds
          thereis (gethash (cons kind name) *definition-of-name*)))

(defparameter *caller-kinds*
  '(("SETF" "setf-function" "generic-function")
    ("CAS" "function" "generic-function"))
  "The kinds of the definitions that function names with an operator may have.")

(defun caller-by-name (name)
  "The number of the definition to which code called NAME belongs, or NIL if the name does not show it.
Local functions and lambdas belong to the definition around them."
  (flet ((kinds (table)
           (rest (assoc (first name) table :test #'string=))))
    (cond ((symbolp name)
           (definition-named name "function" "generic-function" "macro"))
          ((not (consp name)) nil)
          ((method-code-name-p name) (definition-named (rest name) "method"))
          ((member :in name) (caller-by-name (second (member :in name))))
          ((not (and (symbolp (first name)) (consp (rest name)))) nil)
          ((apply #'definition-named name (kinds *caller-kinds*)))
          (t (apply #'definition-named (second name) (kinds *code-kinds*))))))

(defun definition-of-code (code)
  "The number of the definition that CODE belongs to; if several definitions share it, the next of them."
  (let ((numbers (gethash code *definition-of-code*)))
    (when (rest numbers)
      (setf (gethash code *definition-of-code*) (rest numbers)))
    (first numbers)))

(defun caller-definition-of (name code)
  "The number of the definition that CODE, reached by NAME, belongs to, or NIL."
  (or (definition-of-code name)         ; a transform or vop
      (caller-by-name name)
      (definition-of-code code)
      (caller-by-name (simple-function-name code))))

(defun note-references-of (name code)
  "Note the references of CODE, which is reached by NAME."
  (let ((packed (packed-references code)))
    (when (and packed (known-form-p name) (not (generated-code-p name)))
      (let* ((definition (caller-definition-of name code))
             (source (sb-introspect:find-definition-source code))
             (pathname (and source (sb-introspect:definition-source-pathname source)))
             (file (and pathname (file-number pathname)))
             (scan (scan-of-source source))
             (toplevel-form (first (sb-introspect:definition-source-form-path source))))
        ;; A file without definitions may not have been met before, and in a refresh one of the base has not, of
        ;; which code got a new name.
        (when scan
          (walk-scan scan file))
        (note-uses packed
                   (caller-at definition
                              (and (null definition) (plain name))
                              file
                              (and pathname toplevel-form))
                   scan
                   toplevel-form)))))

(defun told-methods (generic-function-methods generic-function)
  "The wrapper around GENERIC-FUNCTION-METHODS while SBCL asks all generic functions."
  (guarding t (list-of 'method (funcall generic-function-methods generic-function)) (condition)
    '()))                               ; noted when its methods were written

(defun call-asking-for-methods (function)
  "Call FUNCTION, in which SBCL asks all generic functions for their methods: through the door if that may run the code
of others."
  (if (own-way-to-tell-methods-p)
      (unwind-protect (progn (wrap-function 'sb-mop:generic-function-methods 'told-methods)
                             (funcall function))
        (unwrap-function 'sb-mop:generic-function-methods 'told-methods))
      (funcall function)))

(defun note-references (&optional (wantedp (constantly t)))
  "Note all references: those of the named functions for whose name and code WANTEDP is true, then those
of all other code in *BASELINE-CODE*."
  (let ((seen (make-hash-table :test 'eq :size 50000)))
    (flet ((visit (name code)
             (setf (gethash code seen) t)
             (noting-problems ("references" (printed name) "references" :witness nil)
               (note-references-of name code))))
      (noting-problems ("references" "all functions" "references")
        (call-asking-for-methods
         (lambda ()
           (map-named-functions (lambda (name code)
                                  (when (funcall wantedp name code)
                                    (visit name code)))))))
      (dolist (code *baseline-code*)
        (map-code-functions
         (lambda (function)
           (unless (gethash function seen)
             (visit (simple-function-name function) function)))
         code)))))
