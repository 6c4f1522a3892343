;;;; References: all calls, macro expansions, reads, writes and bindings, in one pass.
;;;;
;;;; SB-INTROSPECT:WHO-CALLS and its kin walk the image for each question.  Here every function that has
;;;; references is visited only once.

(in-package "OBLIST")

(defparameter *relations*
  '((:calls . "calls") (:macroexpands . "macroexpands") (:references . "references")
    (:sets . "sets") (:binds . "binds"))
  "SBCL's word and our word for each relation, in the order of their numbers in the stream.")

(defparameter *operators* '(nil setf sb-ext:cas)
  "The operators around function names, in the order of their numbers in the stream.")

;;; Callees

(defun callee-place (name)
  "The number of the callee NAME and the position of its operator in *OPERATORS*;
NIL when the callee is not in the index because its symbol is uninterned or our own."
  (multiple-value-bind (operator symbol)
      (cond ((symbolp name) (values 0 name))
            ((typep name '(cons symbol (cons symbol null)))
             (values (position (first name) *operators*) (second name))))
    (let ((number (and symbol (symbol-number symbol))))
      (and operator number (values number operator)))))

(defun uses-in (packed scan toplevel-form)
  "The PACKED references of one function, grouped by relation and operator: lists
(RELATION OPERATOR (CALLEE FORM-NUMBER LINE COLUMN EXPANSION ..)), five integers per use.
LINE and COLUMN are null where unknown; EXPANSION is the number of the macro or inline
function whose form contains the use, or null.  Flat lists of small integers are the fastest to
write and to read."
  (let ((groups (make-array (* (length *relations*) (length *operators*))
                            :initial-element '())))
    (map-references
     (lambda (relation name form-number)
       (let ((relation (position relation *relations* :key #'car)))
         (multiple-value-bind (callee operator) (callee-place name)
           (when (and relation callee)
             (let ((group (+ operator (* relation (length *operators*)))))
               (multiple-value-bind (line column expansion)
                   (use-place scan toplevel-form form-number name (< relation 2))
                 (push expansion (aref groups group))
                 (push column (aref groups group))
                 (push line (aref groups group)))
               (push form-number (aref groups group))
               (push callee (aref groups group)))))))
     packed)
    (loop for uses across groups
          for group from 0
          when uses
            collect (multiple-value-bind (relation operator)
                        (floor group (length *operators*))
                      (list relation operator uses)))))

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

(defun caller-definition (name code)
  "The number of the definition that CODE, reached by NAME, belongs to, or NIL."
  (or (definition-of-code name)         ; a transform or vop
      (caller-by-name name)
      (definition-of-code code)
      (caller-by-name (simple-function-name code))))

(defun put-references-of (name code)
  "Write the references of CODE, which is reached by NAME."
  (let ((packed (packed-references code)))
    (when (and packed (known-form-p name) (not (generated-code-p name)))
      (let* ((definition (caller-definition name code))
             (source (sb-introspect:find-definition-source code))
             (location (recorded-fields source))
             (uses (uses-in packed (scan-of-source source)
                            (first (sb-introspect:definition-source-form-path source)))))
        (when uses
          (apply #'put-record "references"
                 "caller" definition
                 "name" (and (null definition) (plain name))
                 "uses" uses
                 location))))))

(defun put-references (&optional (wantedp (constantly t)))
  "Write all references: those of the named functions for whose name and code WANTEDP is true, then those
of all other code in *BASELINE-CODE*."
  (let ((seen (make-hash-table :test 'eq :size 50000)))
    (flet ((visit (name code)
             (setf (gethash code seen) t)
             (noting-problems ("references" (printed name) "references")
               (put-references-of name code))))
      (map-named-functions (lambda (name code)
                             (when (funcall wantedp name code)
                               (visit name code))))
      (dolist (code *baseline-code*)
        (map-code-functions
         (lambda (function)
           (unless (gethash function seen)
             (visit (simple-function-name function) function)))
         code)))))
