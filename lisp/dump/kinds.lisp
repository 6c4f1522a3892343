;;;; The kinds of definitions: one table, which the dump loops over.
;;;;
;;;; A kind determines the names it applies to, the instances (methods, transforms) that a name has, and
;;;; how to get the lambda list, type, documentation and location of an instance.  The kinds' names and
;;;; descriptions are sent in the header record: there is no other list of kinds.

(in-package "OBLIST")

(defstruct kind
  (name "" :type string)
  (description "" :type string)
  ;; :FUNCTION kinds apply to FOO, (SETF FOO) and (CAS FOO); :SYMBOL kinds to FOO.
  (names :symbol :type (member :symbol :function))
  ;; The DOC-TYPE of its documentation in CL:DOCUMENTATION, a string, or NIL.
  (documentation-type nil)
  (namespace nil)                       ; for DEPRECATION: FUNCTION, VARIABLE or TYPE
  (instances nil :type function)        ; name -> list of instances, NIL when there are none
  (lambda-list nil)                     ; name, instance -> lambda list, known?
  (type nil)                            ; name, instance -> type specifier
  (signature-p nil)                     ; does the type have arguments and results?
  (documentation nil)                   ; name, instance -> string or NIL
  (source nil)                          ; name, instance -> SB-INTROSPECT:DEFINITION-SOURCE
  (maker nil)                           ; name, instance -> the method in whose form it is made, or NIL
  (qualifiers nil)                      ; name, instance -> list
  (specializers nil)                    ; name, instance -> list
  (value nil)                           ; name, instance -> string
  (codes nil))                          ; name, instance -> list of the objects that hold its references

(defvar *kinds* '()
  "All kinds, in the order in which the definitions of a name are listed.")

(defun add-kind (kind)
  "Add KIND to the table, replacing a kind of the same name: this file may be loaded more than once."
  (setf *kinds* (append (remove (kind-name kind) *kinds* :key #'kind-name :test #'string=)
                        (list kind))))

(defmacro define-kind (name description &body options)
  "Add the kind NAME (a string) to the table; OPTIONS are slots of KIND."
  `(add-kind (make-kind :name ,name :description ,description ,@options)))

(defmacro at-name ((name) &body body)
  "A function of a name and an instance that looks at the NAME only."
  (let ((instance (gensym)))
    `(lambda (,name ,instance) (declare (ignore ,instance)) ,@body)))

(defmacro at-instance ((instance) &body body)
  "A function of a name and an instance that looks at the INSTANCE only."
  (let ((name (gensym)))
    `(lambda (,name ,instance) (declare (ignore ,name)) ,@body)))

(defmacro when-true (condition)
  "A function of a NAME that returns a list of one instance, T, if CONDITION holds, else NIL."
  `(lambda (name) (and ,condition (list t))))

(defun introspected (kind)
  "A source function for sb-introspect's KIND, a keyword."
  (at-name (name)
    (first (sb-introspect:find-definition-sources-by-name name kind))))

;;; Functions

(defun plain-function-p (name)
  (and (fboundp name)
       (not (and (symbolp name)
                 (or (macro-function name) (special-operator-p name))))
       (not (typep (fdefinition name) 'generic-function))))

(defun generic-function-named (name)
  (and (fboundp name)
       (not (and (symbolp name)
                 (or (macro-function name) (special-operator-p name))))
       (let ((function (fdefinition name)))
         (and (typep function 'generic-function) function))))

(defun macro-lambda-list (name instance)
  "The lambda list of the macro NAME.  That of an expander which (SETF MACRO-FUNCTION) installed is not known: its own
parameters are the form and the environment."
  (multiple-value-bind (lambda-list known) (known-lambda-list name instance)
    (let ((expander (macro-function name)))
      (if (and (not (typep (code-name expander) '(cons (eql macro-function))))
               (equal lambda-list (lambda-list-of expander)))
          (values nil nil)
          (values lambda-list known)))))

(defun known-lambda-list (name instance)
  "The lambda list of the function NAME, and whether SBCL knows it."
  (declare (ignore instance))
  (multiple-value-bind (lambda-list unknown) (sb-introspect:function-lambda-list name)
    (values lambda-list (not (or unknown
                                 (and (null lambda-list)
                                      (untyped-p (or (and (symbolp name) (macro-function name))
                                                     (fdefinition name)))))))))

(defun function-documentation (name instance)
  (declare (ignore instance))
  (documentation name 'function))

(defun own-code (name instance)
  (declare (ignore instance))
  (list (simple-function (fdefinition name))))

(defun declared-function-type (name instance)
  (declare (ignore instance))
  (sb-introspect:function-type name))

;;; A generic function without DEFGENERIC is made by the first of its methods, which may be that of a slot.

(defun has-file-p (object)
  "True when SBCL has recorded the file that defines OBJECT."
  (let ((source (sb-introspect:find-definition-source object)))
    (and source (sb-introspect:definition-source-pathname source) t)))

(defun accessed-condition (method)
  "The condition class one of whose slots METHOD reads or writes, or NIL."
  (let ((class (first (last (specializers-of method))))
        (generic-function (function-of-method method)))
    (and generic-function
         (typep class 'class)
         (eq :condition (class-kind class))
         (let ((name (name-of-function generic-function)))
           (some (lambda (slot)
                   (or (member name (sb-mop:slot-definition-readers slot) :test #'equal)
                       (member name (sb-mop:slot-definition-writers slot) :test #'equal)))
                 (sb-mop:class-direct-slots class)))
         class)))

(defun accessor-method-p (method)
  "True when a slot's :READER, :WRITER or :ACCESSOR makes METHOD."
  (or (typep method 'sb-mop:standard-accessor-method)
      (and (accessed-condition method) t)))

(defun implicit-maker (generic-function)
  "The method that made GENERIC-FUNCTION because there was no DEFGENERIC, or NIL: the one that was added first
of those that have a place.  Methods that are added later change nothing."
  (unless (has-file-p generic-function)
    (find-if (lambda (method)
               (and (known-method-p method) (has-file-p method)))
             (methods-of generic-function)
             :from-end t)))

(defun generic-function-source (generic-function)
  "The source of GENERIC-FUNCTION, or of the method that made it."
  (sb-introspect:find-definition-source (or (implicit-maker generic-function) generic-function)))

(define-kind "function" "Ordinary function (CLHS glossary), not generic"
  :names :function :documentation-type "FUNCTION" :namespace 'function
  :instances (when-true (and (not (typep name '(cons (eql setf))))
                             (plain-function-p name)))
  :lambda-list #'known-lambda-list :type #'declared-function-type :signature-p t
  :documentation #'function-documentation :source (introspected :function)
  :codes #'own-code)

(define-kind "generic-function" "Generic function"
  :names :function :documentation-type "FUNCTION" :namespace 'function
  :instances (when-true (generic-function-named name))
  :lambda-list #'known-lambda-list :type #'declared-function-type :signature-p t
  :documentation #'function-documentation
  :maker (at-name (name) (implicit-maker (generic-function-named name)))
  :source (at-name (name) (generic-function-source (generic-function-named name))))

(define-kind "method" "Method of the generic function of that name"
  :names :function
  :instances (lambda (name)
               (let ((generic-function (generic-function-named name)))
                 (and generic-function
                      (remove-if-not #'known-method-p
                                     (methods-of generic-function)))))
  :lambda-list (at-instance (method) (values (sb-mop:method-lambda-list method) t))
  :documentation (at-instance (method) (documentation method t))
  :maker (at-instance (method) method)
  :source (at-instance (method) (sb-introspect:find-definition-source method))
  :qualifiers (at-instance (method) (qualifiers-of method))
  :specializers (at-instance (method) (unparsed-specializers method))
  :codes (at-instance (method) (list (method-code method))))

(define-kind "macro" "Macro"
  :documentation-type "FUNCTION" :namespace 'function
  :instances (when-true (macro-function name))
  :lambda-list #'macro-lambda-list :documentation #'function-documentation
  :source (introspected :macro)
  :codes (at-name (name) (list (simple-function (macro-function name)))))

(define-kind "special-operator" "Special operator (CLHS 3.1.2.1.2.1, and SBCL's own)"
  :documentation-type "FUNCTION" :namespace 'function
  :instances (when-true (special-operator-p name))
  :lambda-list #'known-lambda-list :documentation #'function-documentation
  :source (introspected :ir1-convert))

(define-kind "setf-function" "Function named (setf name), not generic"
  :names :function :documentation-type "FUNCTION" :namespace 'function
  :instances (when-true (and (typep name '(cons (eql setf))) (plain-function-p name)))
  :lambda-list #'known-lambda-list :type #'declared-function-type :signature-p t
  :documentation #'function-documentation :source (introspected :function)
  :codes #'own-code)

(define-kind "setf-expander" "Setf expander: DEFSETF or DEFINE-SETF-EXPANDER"
  :documentation-type "SETF"
  :instances (when-true (setf-expander name))
  :lambda-list (at-name (name)
                 (let ((expander (setf-expander name)))
                   (cond ((functionp expander) (lambda-list-of expander))
                         ((and (consp expander) (functionp (cdr expander)))
                          (lambda-list-of (cdr expander)))
                         (t (values nil nil)))))
  :documentation (at-name (name) (documentation name 'setf))
  :source (introspected :setf-expander)
  :codes (at-name (name)
           (let ((expander (setf-expander name)))
             (list (simple-function (if (consp expander) (cdr expander) expander))))))

(define-kind "compiler-macro" "Compiler macro"
  :names :function :documentation-type "COMPILER-MACRO"
  :instances (when-true (compiler-macro-function name))
  :lambda-list (at-name (name) (lambda-list-of (compiler-macro-function name)))
  :documentation (at-name (name) (documentation name 'compiler-macro))
  :source (introspected :compiler-macro)
  :codes (at-name (name) (list (simple-function (compiler-macro-function name)))))

;;; Classes and types

(defun class-named (symbol kind)
  "The class SYMBOL when it is of KIND: :CLASS, :STRUCTURE or :CONDITION."
  (let ((class (find-class symbol nil)))
    (and class (eq kind (class-kind class)) class)))

(defun type-documentation (name instance)
  (declare (ignore instance))
  (documentation name 'type))

(define-kind "class" "Class, standard or built in"
  :documentation-type "TYPE" :namespace 'type
  :instances (when-true (class-named name :class))
  :documentation #'type-documentation :source (introspected :class))

(define-kind "structure" "Structure class, or typed structure"
  :documentation-type "TYPE" :namespace 'type
  :instances (when-true (or (class-named name :structure) (typed-structure-p name)))
  :documentation (at-name (name) (documentation
                                  name (if (typed-structure-p name) 'structure 'type)))
  :source (introspected :structure))

(define-kind "condition" "Condition type"
  :documentation-type "TYPE" :namespace 'type
  :instances (when-true (class-named name :condition))
  :documentation #'type-documentation :source (introspected :condition))

(define-kind "type" "Type specifier that expands (DEFTYPE), or is built in without a class"
  :documentation-type "TYPE" :namespace 'type
  :instances (when-true (or (type-expander name)
                            (and (primitive-type-p name) (not (find-class name nil)))
                            (sb-introspect:find-definition-sources-by-name name :type)))
  :lambda-list (at-name (name) (sb-introspect:deftype-lambda-list name))
  :documentation #'type-documentation :source (introspected :type)
  :codes (at-name (name) (list (simple-function (type-expander name)))))

;;; Variables

(defun variable-documentation (name instance)
  (declare (ignore instance))
  (documentation name 'variable))

(define-kind "variable" "Special, global or alien variable"
  :documentation-type "VARIABLE" :namespace 'variable
  :instances (when-true (case (variable-kind name)
                          ((:special :global :alien) t)
                          (:unknown (boundp name))))
  :type (at-name (name) (or (variable-alien-type name) (variable-type name)))
  :documentation #'variable-documentation :source (introspected :variable))

(define-kind "constant" "Constant variable; keywords are constants as well"
  :documentation-type "VARIABLE" :namespace 'variable
  :instances (when-true (eq (variable-kind name) :constant))
  :type (at-name (name) (if (keywordp name) nil (variable-type name)))
  :documentation (at-name (name) (documentation name 'variable))
  :source (at-name (name)
            (if (keywordp name) nil (funcall (introspected :constant) name t)))
  :value (at-name (name) (and (boundp name) (constant-text (symbol-value name)))))

(define-kind "symbol-macro" "Symbol macro (DEFINE-SYMBOL-MACRO)"
  :documentation-type "VARIABLE" :namespace 'variable
  :instances (when-true (eq (variable-kind name) :macro))
  :documentation #'variable-documentation :source (introspected :symbol-macro)
  :value (at-name (name) (plain (symbol-macro-expansion name))))

;;; The rest

(define-kind "method-combination" "Method combination"
  :documentation-type "METHOD-COMBINATION"
  :instances (when-true (method-combination-known-p name))
  :lambda-list (at-name (name) (lambda-list-of-method-combination name))
  :documentation (at-name (name) (documentation name 'method-combination))
  :source (introspected :method-combination))

(define-kind "declaration" "Declaration identifier, or a proclamation about the name"
  :instances (lambda (name)
               (or (sb-introspect:find-definition-sources-by-name name :declaration)
                   (and (declaration-known-p name) (list t))))
  :source (at-instance (source) (if (eq source t) nil source))
  :qualifiers (at-instance (source)
                (if (eq source t)
                    nil
                    (source-description source))))

(define-kind "alien-type" "Alien type, struct, union or enum"
  :instances (when-true (or (alien-type-known-p name)
                            (sb-introspect:find-definition-sources-by-name
                             name :alien-type)))
  :source (introspected :alien-type))

;;; SBCL's own: how the compiler treats a function.

(define-kind "vop" "Virtual operation: a template of machine code"
  :instances (when-true (vop-known-p name))
  :source (introspected :vop)
  :codes (at-name (name) (vop-and-code name)))

(define-kind "transform" "Compiler transform; its specializers are the argument types"
  :names :function
  :instances (lambda (name)             ; pairs: source, transform
               (mapcar #'cons
                       (and (function-info name)
                            (sb-introspect:find-definition-sources-by-name
                             name :transform))
                       (transforms name)))
  :source (at-instance (pair) (car pair))
  :specializers (at-instance (pair)
                  (source-description (car pair)))
  :codes (at-instance (pair) (transform-and-code (cdr pair))))

(define-kind "optimizer" "Compiler optimizer; its qualifier names the stage"
  :names :function
  :instances (lambda (name)
               (and (symbolp name) (function-info name)
                    (sb-introspect:find-definition-sources-by-name name :optimizer)))
  :source (at-instance (source) source)
  :qualifiers (at-instance (source)
                (source-description source)))

(define-kind "source-transform" "Compiler source transform"
  :names :function
  :instances (when-true (source-transform name))
  :source (introspected :source-transform)
  :codes (at-name (name)
           (let ((transform (source-transform name)))
             (and (functionp transform) (list (simple-function transform))))))

(define-kind "ir1-convert" "Translator of a special form into the compiler's IR1"
  :instances (when-true (ir1-converter name))
  :source (introspected :ir1-convert)
  :codes (at-name (name) (list (simple-function (ir1-converter name)))))

;;; Packages are not symbols: the loop over *KINDS* does not reach them.

(defvar *package-kind*
  (make-kind :name "package" :description "Package (DEFPACKAGE)"
             :instances (constantly nil)
             :source (at-instance (package) (sb-introspect:find-definition-source package))))
