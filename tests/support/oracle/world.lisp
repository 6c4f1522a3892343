;;;; A live SBCL's facts about its packages, its symbols and everything that they name.

(in-package "ORACLE")

;;; Packages and symbols

(defun answer-package (package)
  (let ((name (package-name package)))
    (answer "package" name (documentation package t)
            (if (sb-ext:package-locked-p package) 1 0))
    (dolist (nickname (package-nicknames package))
      (answer "nickname" nickname name))
    (loop for (nickname . target) in (sb-ext:package-local-nicknames package)
          do (answer "local-nickname" name nickname (package-name target)))
    (loop for used in (package-use-list package)
          for place from 0
          do (answer "use" name place (package-name used)))
    (dolist (symbol (package-shadowing-symbols package))
      (answer "shadowing" name (gethash symbol *numbers*)))))

(defun contract-type (symbol)
  (cond ((macro-function symbol) "MACRO")
        ((generic-function-named symbol) "GENERIC-FUNCTION")
        ((fboundp symbol) "FUNCTION")
        ((find-class symbol nil) "CLASS")
        ((boundp symbol) "VARIABLE")
        (t "SYMBOL")))

(defun answer-accessible (package status numbers)
  (answer "accessible" (package-name package) status (format nil "~{~D~^ ~}" numbers)))

;;; Names: a symbol's number, and SETF or CAS when the name is a list.

(defun operator (name)
  (and (consp name) (symbol-name (first name))))

(defun function-sorts (name)
  "The kinds of function that NAME names; several for special operators that are macros too."
  (append (and (symbolp name) (special-operator-p name) '("special-operator"))
          (and (symbolp name) (macro-function name) '("macro"))
          (and (fboundp name)
               (not (and (symbolp name)
                         (or (special-operator-p name) (macro-function name))))
               (list (cond ((typep (fdefinition name) 'generic-function) "generic-function")
                           ((equal (operator name) "SETF") "setf-function")
                           (t "function"))))))

(defun class-sort (symbol)
  (let ((class (find-class symbol nil)))
    (and class
         (cond ((typep class 'structure-class) "structure")
               ((subtypep class 'condition) "condition")
               (t "class")))))

(defun variable-sort (symbol)
  "What SB-CLTL2 says; it has no word for variables that were set but never declared."
  (ecase (sb-cltl2:variable-information symbol)
    ((:special :global :alien) "variable")
    (:constant "constant")
    (:symbol-macro "symbol-macro")
    ((nil) (and (boundp symbol) "variable"))))

(defun sources (name kind)
  (sb-introspect:find-definition-sources-by-name name kind))

(defparameter *compound-only-types*
  '(and eql member mod not or satisfies values ; CLHS figure 4-3
    sb-int:constant-arg sb-kernel:character-set))

(defun type-specifier-p (symbol)
  "True for names that expand, or that mean a type without being a class."
  (or (sources symbol :type)
      (nth-value 1 (sb-introspect:deftype-lambda-list symbol))
      (member symbol *compound-only-types*)
      (and (not (find-class symbol nil))
           (handler-case (sb-ext:valid-type-specifier-p symbol)
             (error () nil)))))

(defun alien-type-p (symbol)
  (or (sources symbol :alien-type)
      (sb-int:info :alien-type :translator symbol)
      (sb-int:info :alien-type :definition symbol)))

(defun answer-names (symbol number)
  "What SYMBOL names, asked of Common Lisp and SB-CLTL2."
  (dolist (name (names-of symbol))
    (dolist (sort (function-sorts name))
      (answer "named" number (operator name) sort)))
  (dolist (sort (list (class-sort symbol) (variable-sort symbol)
                      (and (type-specifier-p symbol) "type")
                      (and (alien-type-p symbol) "alien-type")))
    (when sort (answer "named" number nil sort))))

;;; Sources

(defparameter *symbol-kinds*
  '(:class :compiler-macro :condition :constant :function :generic-function :macro
    :method-combination :setf-expander :structure :symbol-macro :type :alien-type :variable
    :declaration :optimizer :source-transform :transform :ir1-convert))

(defparameter *list-kinds*
  '(:compiler-macro :function :generic-function :source-transform :transform)
  "What SB-INTROSPECT can be asked about (SETF FOO).")

(defun own-sources (name kind)
  "The SOURCES of NAME; for want of a source transform of (SETF FOO) they would be FOO's."
  (if (and (eq kind :source-transform)
           (not (sb-int:info :function :source-transform name)))
      '()
      (sources name kind)))

(defun answer-sources (name number)
  (dolist (kind (if (consp name) *list-kinds* *symbol-kinds*))
    (dolist (source (own-sources name kind))
      (let ((description (sb-introspect::definition-source-description source)))
        (apply #'answer "source" number (operator name) (string-downcase kind)
               (case kind
                 (:transform (list-text description))
                 ((:optimizer :declaration) (elements-text description)))
               (place source))))))

(defun answer-vops-of (name)
  "The sources of the operations that are named NAME or translate the function NAME."
  (dolist (source (sources name :vop))
    (let ((vop (first (sb-introspect::definition-source-description source))))
      (when (gethash vop *numbers*)
        (apply #'answer "vop-source" (gethash vop *numbers*) (place source))))))

(defun specializer-name (specializer)
  (typecase specializer
    (sb-mop:eql-specializer (list 'eql (sb-mop:eql-specializer-object specializer)))
    (class (if (eq specializer (find-class (class-name specializer) nil))
               (class-name specializer)
               specializer))
    (t specializer)))

(defun answer-methods (name number)
  (let ((function (generic-function-named name)))
    (dolist (method (and function (sb-mop:generic-function-methods function)))
      (when (gethash method *methods*)
        (apply #'answer "method" number (operator name)
               (elements-text (method-qualifiers method))
               (list-text (mapcar #'specializer-name (sb-mop:method-specializers method)))
               (list-text (sb-mop:method-lambda-list method))
               (documentation method t)
               (place (sb-introspect:find-definition-source method)))))))

;;; Lambda lists, documentation, types, values, deprecation

(defun answer-arglist (name number)
  (when (fboundp name)
    (multiple-value-bind (lambda-list unknown-p)
        (handler-case (sb-introspect:function-lambda-list name)
          (error () (values nil t)))
      (answer "arglist" number (operator name)
              (and (not unknown-p)
                   (or lambda-list (typed-p (fdefinition name)))
                   (list-text lambda-list))))))

(defun typed-p (function)
  "False for code that was compiled with (DEBUG 0): SBCL has neither its type nor its lambda list, which is then (), not
:UNKNOWN, before 2.2."
  (or (typep function 'generic-function)
      (not (eq 'function (sb-kernel:%simple-fun-type (sb-kernel:%fun-fun function))))))

(defparameter *documentation-types*
  '(function variable type structure setf compiler-macro method-combination))

(defun answer-documentation (name number)
  (dolist (type (if (consp name)
                    ;; A deprecated (SETF FOO) is documented as such for any type.
                    (list* 'function (and (compiler-macro-function name) '(compiler-macro)))
                    *documentation-types*))
    (let ((text (documentation name type)))
      (when text (answer "documentation" number (operator name) (symbol-name type) text)))))

(defun answer-function-type (name number)
  (let ((type (sb-introspect:function-type name)))
    (when type (answer "ftype" number (operator name) (full-text type)))))

(defun value-text (value)
  (handler-case
      (sb-ext:with-timeout 1
        (write-to-string value :length 20 :level 3 :circle t :pretty nil :readably nil))
    (sb-ext:timeout () "<value not printed: time limit>")
    (serious-condition () "<error printing value>")))

(defun alien-type (symbol)
  (sb-alien-internals:unparse-alien-type
   (sb-alien-internals:heap-alien-info-type (sb-int:info :variable :alien-info symbol))))

(defun answer-variable (symbol number)
  "The declared type of a variable; the value of a constant; the expansion of a symbol macro."
  (multiple-value-bind (sort local-p declarations) (sb-cltl2:variable-information symbol)
    (declare (ignore local-p))
    (let ((type (if (eq sort :alien)
                    (alien-type symbol)
                    (cdr (assoc 'type declarations)))))
      (when (and type (or sort (boundp symbol)))
        (answer "variable-type" number (full-text type))))
    (case sort
      (:constant (answer "value" number (value-text (symbol-value symbol))))
      (:symbol-macro (answer "value" number (bare-text (macroexpand-1 symbol)))))))

(defun answer-deprecation (name number)
  (dolist (namespace (if (consp name) '(function) '(function variable type)))
    (multiple-value-bind (state since replacements)
        (sb-int:deprecated-thing-p namespace name)
      (when state
        (answer "deprecated" number (operator name) (symbol-name namespace)
                (string-downcase state)
                (format nil "~{~A~^ ~}" (remove nil since))
                (elements-text replacements))))))

;;; Everything

(defun answer-symbol (symbol number)
  (answer "symbol" number
          (and (symbol-package symbol) (package-name (symbol-package symbol)))
          (symbol-name symbol)
          (contract-type symbol))
  (answer-names symbol number)
  (answer-variable symbol number)
  (dolist (name (names-of symbol))
    (answer-sources name number)
    (answer-vops-of name)
    (answer-methods name number)
    (answer-arglist name number)
    (answer-documentation name number)
    (answer-function-type name number)
    (answer-deprecation name number)))

(defun answer-declarations ()
  "Declaration identifiers that never had a place."
  (dolist (symbol (sb-cltl2:declaration-information 'declaration))
    (when (and (gethash symbol *numbers*) (null (sources symbol :declaration)))
      (answer "source" (gethash symbol *numbers*) nil "declaration" nil nil nil nil nil))))

(defun answer-vops ()
  "The names of all virtual operations: two tables that SB-INTROSPECT looks them up in."
  (let ((names (make-hash-table :test 'eq)))
    (dolist (table (list sb-c::*backend-parsed-vops* sb-c::*backend-template-names*))
      (maphash (lambda (name vop) (declare (ignore vop)) (setf (gethash name names) t)) table))
    (maphash (lambda (name true)
               (declare (ignore true))
               (when (gethash name *numbers*)
                 (answer "vop" (gethash name *numbers*))))
             names)))

(defun answer-all ()
  (mapc #'answer-package *packages*)
  (loop for (package status . numbers) in *accessible*
        do (answer-accessible package status numbers))
  (loop for symbol across *symbols*
        for number from 0
        do (answer-symbol symbol number))
  (answer-declarations)
  (answer-vops))
