;;;; Definitions: of which kinds a name is defined, and what is known of each.

(in-package "OBLIST-RECORDS")

(defvar *kinds*
  '(("function" "FUNCTION" "Ordinary function, not generic")
    ("generic-function" "FUNCTION" "Generic function")
    ("method" nil "Method of the generic function of that name")
    ("macro" "FUNCTION" "Macro")
    ("special-operator" "FUNCTION" "Special operator")
    ("setf-function" "FUNCTION" "Function named (setf name), not generic")
    ("setf-expander" "SETF" "Setf expander: DEFSETF or DEFINE-SETF-EXPANDER")
    ("compiler-macro" "COMPILER-MACRO" "Compiler macro")
    ("class" "TYPE" "Class, standard or built in")
    ("structure" "TYPE" "Structure class")
    ("condition" "TYPE" "Condition type")
    ("type" "TYPE" "Type specifier that expands (DEFTYPE)")
    ("variable" "VARIABLE" "Special or global variable")
    ("constant" "VARIABLE" "Constant variable; keywords are constants as well")
    ("symbol-macro" "VARIABLE" "Symbol macro (DEFINE-SYMBOL-MACRO)")
    ("package" nil "Package (DEFPACKAGE)"))
  "The kinds: name, documentation type, description.")

(defvar *count* 0 "The number of definitions so far.")
(defvar *class-definitions* '()
  "Conses of the symbol and the number of each class, structure and condition, newest first.")
(defvar *method-definitions* '() "Conses of each method and the number of its definition, newest first.")

(defparameter *definers*
  '(("function" defun) ("generic-function" defgeneric) ("macro" defmacro) ("setf-function" defun)
    ("setf-expander" defsetf define-setf-expander) ("compiler-macro" define-compiler-macro)
    ("class" defclass) ("condition" define-condition defclass) ("structure" defstruct) ("type" deftype)
    ("variable" defvar defparameter) ("constant" defconstant) ("symbol-macro" define-symbol-macro))
  "The operators under which a Lisp records the places of definitions, by kind.")

(defun constant-text (symbol)
  (let ((*print-length* 20) (*print-level* 3) (*print-circle* t))
    (printed (symbol-value symbol))))

(defun definition-place (kind name)
  "The fields of the place of NAME's definition of KIND."
  (loop for (form file position) in (source-places name)
        when (member (first form) (rest (assoc kind *definers* :test #'string=)))
          return (place-fields (if (consp name) (second name) name) file position)))

(defun put-definition (kind name &rest fields)
  "Write the definition of NAME of KIND, with these FIELDS and the place; returns its number."
  (apply #'put-record "definition"
         "id" (incf *count*)
         "symbol" (number-of (if (consp name) (second name) name))
         "operator" (and (consp name) "SETF")
         "kind" kind
         (append fields (noting-problems ("definition" (printed name) "location") (definition-place kind name))))
  *count*)

(defun documented (name type)
  (noting-problems ("definition" (printed name) "documentation")
    (as-text (documentation name type))))

(defun without-hidden-parameters (lambda-list)
  "The LAMBDA-LIST of a macro without &WHOLE and &ENVIRONMENT, for which no argument is given."
  (cond ((atom lambda-list) lambda-list)
        ((member (first lambda-list) '(&whole &environment))
         (without-hidden-parameters (cddr lambda-list)))
        (t (cons (first lambda-list) (without-hidden-parameters (rest lambda-list))))))

(defun put-function (kind name)
  (let ((known (noting-problems ("definition" (printed name) "lambda list")
                 (multiple-value-bind (lambda-list known) (known-lambda-list name)
                   (and known (plain-list (if (string= kind "macro")
                                              (without-hidden-parameters lambda-list)
                                              lambda-list)))))))
    (put-definition kind name "arglist" known "documentation" (documented name 'function))))

(defun put-generic-function (name function)
  (put-definition "generic-function" name
                  "arglist" (plain-list (generic-function-lambda-list function))
                  "documentation" (documented name 'function))
  (dolist (method (generic-function-methods function))
    (noting-problems ("definition" (printed name) "method")
      (put-method name method))))

(defun specializer-name (specializer)
  (if (typep specializer 'eql-specializer)
      `(eql ,(eql-specializer-object specializer))
      (class-name specializer)))

(defun specializers-in (parameters number)
  "The specializers of the first of PARAMETERS, that NUMBER of them."
  (loop for parameter in parameters
        repeat number
        collect (if (consp parameter) (second parameter) t)))

(defun method-place (name method)
  "The fields of the place of METHOD: of the form whose qualifiers and specializers are those of METHOD."
  (let* ((qualifiers (method-qualifiers method))
         (specializers (mapcar #'specializer-name (method-specializers method)))
         (wanted (plain (list qualifiers specializers))))
    (loop for (form file position) in (source-places name)
          for parts = (and (eq (first form) 'defmethod) (cddr form))
          for number = (length qualifiers)
          when (and parts
                    (<= number (length parts))
                    (string= wanted (plain (list (subseq parts 0 number)
                                                 (specializers-in (nthcdr number parts) (length specializers))))))
            return (place-fields (if (consp name) (second name) name) file position))))

(defun put-method (name method)
  (apply #'put-record "definition"
         "id" (incf *count*)
         "symbol" (number-of (if (consp name) (second name) name))
         "operator" (and (consp name) "SETF")
         "kind" "method"
         "qualifiers" (written-list (method-qualifiers method))
         "specializers" (plain-list (mapcar #'specializer-name (method-specializers method)))
         "arglist" (plain-list (method-lambda-list method))
         "documentation" (documented method t)
         (noting-problems ("definition" (printed name) "method, location") (method-place name method)))
  (push (cons method *count*) *method-definitions*))

(defun put-function-definitions (name)
  "Write what NAME, a symbol or (SETF symbol), is defined as among functions."
  (cond ((not (fboundp name)))
        ((and (symbolp name) (macro-function name)) (put-function "macro" name))
        ((and (symbolp name) (special-operator-p name))
         (put-definition "special-operator" name "documentation" (documented name 'function)))
        ((typep (fdefinition name) 'generic-function) (put-generic-function name (fdefinition name)))
        (t (put-function (if (consp name) "setf-function" "function") name)))
  (when (compiler-macro-function name)
    (put-definition "compiler-macro" name "documentation" (documented name 'compiler-macro))))

(defun class-kind (class)
  (cond ((typep class 'structure-class) "structure")
        ((condition-class-p class) "condition")
        (t "class")))

(defun condition-class-p (class)
  (or (eq (class-name class) 'condition)
      (some #'condition-class-p (class-direct-superclasses class))))

(defun put-type-definitions (symbol)
  (let ((class (find-class symbol nil)))
    (when class
      (push (cons symbol (put-definition (class-kind class) symbol "documentation" (documented symbol 'type)))
            *class-definitions*))
    (when (type-expander-p symbol)
      (put-definition "type" symbol "documentation" (documented symbol 'type)))))

(defun put-variable-definitions (symbol)
  (multiple-value-bind (expansion symbol-macro-p) (macroexpand-1 symbol)
    (cond (symbol-macro-p
           (put-definition "symbol-macro" symbol "documentation" (documented symbol 'variable)
                                                 "value" (plain expansion)))
          ((and (constantp symbol) (boundp symbol))
           (put-definition "constant" symbol "documentation" (documented symbol 'variable)
                                             "value" (noting-problems ("definition" (printed symbol) "value")
                                                       (constant-text symbol))))
          ((special-variable-p symbol)
           (put-definition "variable" symbol "documentation" (documented symbol 'variable))))))

(defun put-definitions ()
  "Write all definitions of all symbols, then those of the packages."
  (loop for symbol across *symbols*
        do (noting-problems ("definition" (printed symbol) "definitions")
             (put-function-definitions symbol)
             (put-function-definitions `(setf ,symbol))
             (when (setf-expander-p symbol)
               (put-definition "setf-expander" symbol "documentation" (documented symbol 'setf)))
             (put-type-definitions symbol)
             (put-variable-definitions symbol)))
  (dolist (package *packages*)
    (put-record "definition" "id" (incf *count*) "package" (number-of package) "kind" "package")))
