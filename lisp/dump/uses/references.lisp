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

(defstruct (visited (:constructor make-visited (code source path place)))
  "Code that has references; where it was compiled from, with the path, and the numbers of the toplevel form and of the
form in it, as one number; and the names by which it is met."
  code source path place (names '() :type list))

(defun visit (code)
  "A VISITED for the function CODE."
  (let* ((source (source-of-function code))
         (pathname (and source (sb-introspect:definition-source-pathname source))))
    (flet ((number-of (value) (or value -1)))
      (make-visited code source
                    (if pathname (namestring pathname) "")
                    (if source
                        (+ (ash (number-of (first (sb-introspect:definition-source-form-path source))) 32)
                           (number-of (sb-introspect:definition-source-form-number source)))
                        -1)))))

(defun source-of-function (code)
  "What SBCL recorded of where the function CODE was compiled from, or NIL if it cannot tell."
  (noting-problems ("references" (printed (simple-function-name code)) "references" :witness nil)
    (sb-introspect:find-definition-source code)))

(defun name-key (name)
  "The symbols in NAME, the name of a function, and their packages, as text.  NAME may be circular."
  (let ((nodes-left 100) (symbols '()))
    (labels ((collect (form)
               (cond ((minusp (decf nodes-left)))
                     ((consp form) (collect (car form)) (collect (cdr form)))
                     ((and form (symbolp form)) (push form symbols)))))
      (collect name))
    (format nil "~:{~A ~A ~}" (loop for symbol in (nreverse symbols)
                                    collect (list (symbol-name symbol) (home-name symbol))))))

(defun visited-before-p (one other)
  "True when the text of what ONE visits comes before that of the OTHER, or where SBCL does not tell their places
apart, when its name does."
  (let ((path (visited-path one)) (other-path (visited-path other))
        (place (visited-place one)) (other-place (visited-place other)))
    (cond ((string/= path other-path) (string< path other-path))
          ((/= place other-place) (< place other-place))
          (t (string< (name-key (first (visited-names one))) (name-key (first (visited-names other))))))))

(defun in-order-of-text (all)
  "ALL that is visited, in the order of the text: code that comes first takes what the text has for it first.  SBCL's
own order depends on what else is in the image."
  (dolist (visited all)
    (setf (visited-names visited)
          (sort (or (visited-names visited) (list (simple-function-name (visited-code visited))))
                #'string< :key #'name-key)))
  (stable-sort all #'visited-before-p))

(defun note-references-of (name visited)
  "Note the references of the code that is VISITED by NAME."
  (let ((code (visited-code visited)))
    (when (and (known-form-p name) (not (generated-code-p name)))
      (let* ((definition (caller-definition-of name code))
             (source (visited-source visited))
             (pathname (and source (sb-introspect:definition-source-pathname source)))
             (file (and pathname (file-number pathname)))
             (scan (scan-of-source source))
             (toplevel-form (first (sb-introspect:definition-source-form-path source))))
        ;; A file without definitions may not have been met before, and in a refresh one of the base has not, of
        ;; which code got a new name.
        (when scan
          (walk-scan scan file))
        (note-uses (packed-references code)
                   (caller-at definition
                              (and (null definition) (plain name))
                              file
                              (and pathname toplevel-form))
                   scan
                   toplevel-form)))))

(defvar *asked-for-methods* (make-hash-table :test 'eq)
  "The generic functions that have told their methods.")

(defun told-methods (generic-function-methods generic-function)
  "The wrapper around GENERIC-FUNCTION-METHODS while SBCL asks all generic functions, by each of their names: only the
first answer has the methods."
  (unless (gethash generic-function *asked-for-methods*)
    (setf (gethash generic-function *asked-for-methods*) t)
    (guarding t (list-of 'method (funcall generic-function-methods generic-function)) (condition)
      '())))                            ; noted when its methods were written

(defun call-asking-once-for-methods (function)
  "Call FUNCTION, in which SBCL asks all generic functions for their methods: once, and through the door, since that may
run the code of others."
  (clrhash *asked-for-methods*)
  (unwind-protect (progn (wrap-function 'sb-mop:generic-function-methods 'told-methods)
                         (funcall function))
    (unwrap-function 'sb-mop:generic-function-methods 'told-methods)))

(defun replaced-code-p (code)
  "True when the object CODE has global functions, and all of them have been replaced.  Whether such an object is still
there depends on when the collector came by."
  (let ((found nil) (left nil))
    (map-code-functions
     (lambda (function)
       (let ((name (simple-function-name function)))
         (when (typep name '(or symbol (cons (eql setf) (cons symbol null))))
           (if (and name (fboundp name) (not (eq function (simple-function (fdefinition name)))))
               (setf found t)
               (setf left t)))))
     code)
    (and found (not left))))

(defun all-code (wantedp)
  "All code with references that has a global name, if WANTEDP is true for the name and the code, and then all other
code in *BASELINE-CODE*.  Code that SBCL has folded, and functions by other names, have several names."
  (let ((met (make-hash-table :test 'eq :size 50000)) (all '()))
    (labels ((meet (code)
               (or (gethash code met)
                   (setf (gethash code met) (first (push (visit code) all)))))
             (meet-by-name (name code)
               (when (and (packed-references code) (funcall wantedp name code))
                 (push name (visited-names (meet code))))))
      (call-asking-once-for-methods
       (lambda ()
         (map-named-functions #'meet-by-name)))
      (dolist (code (remove-if #'replaced-code-p *baseline-code*))
        (map-code-functions
         (lambda (function)
           (when (packed-references function)
             (meet function)))
         code)))
    (nreverse all)))

(defun note-references (&optional (wantedp (constantly t)))
  "Note all references: those of the named functions for whose name and code WANTEDP is true, and those of all other
code in *BASELINE-CODE*."
  (noting-problems ("references" "all functions" "references")
    (dolist (visited (in-order-of-text (all-code wantedp)))
      (dolist (name (visited-names visited))
        (noting-problems ("references" (printed name) "references" :witness nil)
          (note-references-of name visited))))))
