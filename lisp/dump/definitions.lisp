;;;; Definitions: all definitions of every name, of every kind, with what SBCL knows about each.

(in-package "OBLIST")

(defvar *definition-count* 0)
(defvar *definition-of-code* (make-hash-table :test 'eq)
  "A table from compiled functions, transforms and vops to lists of the numbers of their definitions:
several definitions may share code, because SBCL folds identical code.")
(defvar *definition-of-name* (make-hash-table :test 'equal)
  "A table from (NAME-OF-KIND . NAME) to the number of the definition.")

(defvar *definitions-of-method* (make-hash-table :test 'eq)
  "A table from methods to conses of the name and the number of each of their definitions: a generic function may have
several names.")

(defvar *definition-places* (make-hash-table)
  "The file, toplevel form, line and offset of each definition that has them, by number.")

(defvar *definitions-at* (make-hash-table :test 'eql)
  "The definitions that a form makes, by the form's PLACE-KEY: conses of number and name, newest first.")

(defvar *of-other-names* (make-hash-table)
  "True for the numbers of definitions that a function has by another name than its own.")

(defun place-key (file offset)
  (+ offset (ash file 32)))

(defun note-place (number name location)
  "Remember that the form at LOCATION (fields of a record) makes the definition NUMBER of NAME."
  (flet ((field (wanted)
           (loop for (field value) on location by #'cddr
                 when (string= field wanted) return value)))
    (let ((file (field "file")) (offset (field "offset")))
      (when file
        (setf (gethash number *definition-places*) (list file (field "toplevel_form") (field "line") offset)))
      (when offset
        (push (cons number name) (gethash (place-key file offset) *definitions-at*))))))

(defmacro asking-definition ((name kind part) &body body)
  "Run BODY, which may run the code of others, noting problems with that PART of NAME's definitions of KIND."
  `(noting-problems ("definition" (printed ,name) (format nil "~A, ~A" (kind-name ,kind) ,part) :open t)
     ,@body))

(defun as-documentation (value)
  "VALUE, which should be a string or NIL; an error if it is not."
  (if (typep value '(or null string))
      value
      (error "The documentation is of type ~A." (type-of value))))

;;; Locations

(defun recorded-fields (source)
  "The location in SOURCE as fields of a record, exactly as SBCL recorded it."
  (let ((pathname (and source (sb-introspect:definition-source-pathname source))))
    (and pathname
         (list "file" (file-number pathname)
               "toplevel_form" (first (sb-introspect:definition-source-form-path source))
               "form_number" (sb-introspect:definition-source-form-number source)
               "toplevel_offset" (sb-introspect:definition-source-character-offset source)))))

(defun location-fields (source kind name maker)
  "The location in SOURCE as fields of a record: SBCL's numbers, and the exact form."
  (let ((recorded (recorded-fields source)))
    (and recorded
         (append recorded (place-fields source kind name maker)))))

(defun place-fields (source kind name maker)
  "The line, column and extent of the form that defines NAME, or of the part that makes the method MAKER.  If the
form cannot be identified, return the line of the toplevel form and write a problem record: never guess."
  (let ((scan (scan-of-source source))
        (pathname (sb-introspect:definition-source-pathname source))
        (toplevel-form (first (sb-introspect:definition-source-form-path source)))
        (form-number (sb-introspect:definition-source-form-number source)))
    (when scan
      (multiple-value-bind (start end exact)
          (form-interval scan toplevel-form form-number)
        (when (and start (not exact))
          (multiple-value-bind (from to)
              (told-interval scan toplevel-form form-number name kind maker
                             (namestring pathname))
            (when from (setf start from end to exact t))))
        (cond ((null start)
               (put-problem "location" (printed name) (kind-name kind) "NO-SUCH-FORM"
                            (format nil "~A has no toplevel form number ~A."
                                    (namestring pathname) toplevel-form))
               nil)
              ((not exact)
               (put-problem "location" (printed name) (kind-name kind) "FORM-NOT-KNOWN"
                            (format nil "~:[SBCL has not recorded which form it is in~;~:*Form ~A in~] ~
                                         toplevel form ~A of ~A~3:*~:[~; cannot be identified in the text~]; ~
                                         the line is that of the toplevel form."
                                    form-number toplevel-form (namestring pathname)))
               (list "line" (line-of scan start)))
              (t
               (exact-fields scan toplevel-form start end name maker)))))))

(defun exact-fields (scan toplevel-form start end name maker)
  "The fields of the form between START and END, or of the part of it that makes the method MAKER: a slot, or a
clause of a DEFGENERIC."
  (let* ((slot-p (and maker (accessor-method-p maker)))
         (part-p (or slot-p (and maker (component-of maker) t))))
    (multiple-value-setq (start end) (own-interval scan toplevel-form start end name))
    (let ((operator (defining-operator scan toplevel-form start end part-p)))
      (cond (slot-p
             (multiple-value-setq (start end) (slot-interval scan start end name)))
            ((and maker (equal operator "defgeneric"))
             (multiple-value-setq (start end) (method-interval scan start end maker))))
      (append (interval-fields scan start end)
              (list "defined_by" operator)))))

(defun interval-fields (scan start end)
  (multiple-value-bind (line column) (line-of scan start)
    (list "offset" start "end_offset" end "line" line "column" column
          "end_line" (line-of scan (max start (1- end))))))

(defun defined-symbol (definition)
  (let ((name (cdr definition)))
    (if (consp name) (second name) name)))

(defun first-by-name (definitions)
  "Of DEFINITIONS, conses of number and name, newest first, the one whose name is the first in the alphabet, and of
these the oldest.  Numbers alone would not do: they depend on which symbols were there before."
  (flet ((name-of (definition)
           (let ((symbol (defined-symbol definition)))
             (if (typep symbol '(or symbol string)) (string symbol) (printed symbol)))))
    (reduce (lambda (one older)
              (if (string< (name-of one) (name-of older)) one older))
            definitions)))

(defun definition-at (file start)
  "The number of the definition that the form at START of FILE makes: if there are several, the first whose
name is in the form, such as a generic function before its methods, else the first by name; NIL if there is none.
Those by other names of a function come last: they may have been made elsewhere."
  (let* ((definitions (gethash (place-key file start) *definitions-at*))
         (own (or (remove-if (lambda (definition) (gethash (car definition) *of-other-names*)) definitions)
                  definitions)))
    (car (or (find-if (lambda (definition) (defines-name-p start (cdr definition)))
                      own :from-end t)
             (and own (first-by-name own))))))

(defun other-name-p (kind name instance)
  "True when the INSTANCE of KIND is a function, or a method of one, whose own name is not NAME."
  (flet ((kind-p (wanted) (string= (kind-name kind) wanted)))
    (cond ((kind-p "function")
           (not (equal name (recorded-function-name (fdefinition name)))))
          ((kind-p "generic-function")
           (not (equal name (name-of-function (generic-function-named name)))))
          ((kind-p "method")
           (not (equal name (name-of-function (function-of-method instance))))))))

;;; One definition

(defun operator-and-symbol (name)
  "Two values: \"SETF\" and FOO for (SETF FOO), NIL and FOO for FOO."
  (if (consp name)
      (values (symbol-name (first name)) (second name))
      (values nil name)))

(defun written-list (list)
  "LIST as space-separated text without packages, or NIL when it is empty."
  (and list (format nil "~{~A~^ ~}" (mapcar #'plain list))))

(defun deprecation-fields (kind name)
  (when (kind-namespace kind)
    (multiple-value-bind (state since replacements)
        (deprecation (kind-namespace kind) name)
      (and state
           (list "deprecated" (string-downcase state)
                 "deprecated_since" (format nil "~{~A~^ ~}" (remove nil since))
                 "replacement" (written-list replacements))))))

(defvar *defined-symbols* (make-hash-table :test 'eq)
  "The symbols whose definitions have been written; the value of those with methods only is :METHODS.")

(defun note-kind-defined (symbol kind)
  (cond ((string/= (kind-name kind) "method") (setf (gethash symbol *defined-symbols*) t))
        ((not (gethash symbol *defined-symbols*))
         (setf (gethash symbol *defined-symbols*) :methods))))

(defun put-definition (kind name instance)
  "Write the definition of NAME that is the INSTANCE of KIND, and remember the definition's number."
  (about (name kind instance)
    (noting-problems ("definition" (printed name) (kind-name kind))
      (put-definition-record kind name instance))))

(defun put-definition-record (kind name instance)
  (multiple-value-bind (operator symbol) (operator-and-symbol name)
    (let ((number (1+ *definition-count*)))
      (flet ((ask (part function &optional (convert #'identity))
               (and function
                    (asking-definition (name kind part)
                      (funcall convert (funcall function name instance))))))
        (let* ((codes (ask "code" (kind-codes kind)))
               (type (ask "type" (kind-type kind)))
               (method-name (and (typep instance 'method) (method-code-name name instance)))
               (lambda-list (boxed-lambda-list kind name instance))
               (maker (ask "maker" (kind-maker kind)))
               (location (noting-problems ("definition" (printed name)
                                           (format nil "~A, location" (kind-name kind)))
                          (location-fields (ask "source" (kind-source kind)) kind name maker))))
          (apply #'put-record "definition"
                 "id" number
                 "symbol" (written-number symbol)
                 "kind" (kind-name kind)
                 "operator" operator
                 "qualifiers" (ask "qualifiers" (kind-qualifiers kind) #'written-list)
                 "specializers" (ask "specializers" (kind-specializers kind) #'plain-list)
                 "arglist" (and lambda-list
                                (asking-definition (name kind "lambda list")
                                  (plain-list (first lambda-list))))
                 "ftype" (and type (asking-definition (name kind "type") (printed type)))
                 "documentation" (ask "documentation" (kind-documentation kind) #'as-documentation)
                 "value" (ask "value" (kind-value kind))
                 "fresh" (and *base-symbol-count* (json-boolean (some #'new-object-p codes)))
                 (append (asking-definition (name kind "deprecation")
                           (deprecation-fields kind name))
                         (and lambda-list
                              (kind-signature-p kind)
                              (asking-definition (name kind "signature")
                                (signature-fields (first lambda-list) type)))
                         location))
          (setf *definition-count* number)
          (note-definition-name number name)
          (note-kind-defined symbol kind)
          (when (other-name-p kind name instance)
            (setf (gethash number *of-other-names*) t))
          ;; The text of a method that makes its generic function as well is the method's.
          (when (or (null maker) (eq maker instance))
            (note-place number name location))
          (setf (gethash (cons (kind-name kind) name) *definition-of-name*) number)
          (when (typep instance 'method)
            (push (cons name number) (gethash instance *definitions-of-method*)))
          (when method-name
            (setf (gethash (cons "method" method-name) *definition-of-name*) number))
          (dolist (code codes)
            (when code
              (setf (gethash code *definition-of-code*)
                    (append (gethash code *definition-of-code*) (list number))))))))))

(defun method-code-name (name method)
  "SBCL's name for the code of METHOD, without FAST-METHOD: (NAME QUALIFIER .. SPECIALIZERS).  NIL if that is circular
or very long, so that it cannot be used as the key of a table."
  (let ((full-name `(,name ,@(qualifiers-of method) ,(unparsed-specializers method))))
    (and (finite-p full-name) full-name)))

(defun finite-p (form)
  "True when FORM has few conses, so that EQUAL soon ends."
  (let ((left 1000))
    (labels ((walk (form)
               (cond ((atom form) t)
                     ((minusp (decf left)) nil)
                     (t (and (walk (car form)) (walk (cdr form)))))))
      (walk form))))

(defun boxed-lambda-list (kind name instance)
  "The lambda list of a definition, in a list because it may be NIL itself; NIL when SBCL does not know it."
  (and (kind-lambda-list kind)
       (asking-definition (name kind "lambda list")
         (multiple-value-bind (lambda-list known) (funcall (kind-lambda-list kind) name instance)
           (and known (list lambda-list))))))

;;; All definitions

(defun written-separately-p (kind name)
  "True in a refresh if KIND is the kind of methods and NAME, which the base has, names a generic function of the
base: it may have many methods, and only the new ones are written (delta.lisp)."
  (and *base-symbol-count*
       (string= (kind-name kind) "method")
       (<= (symbol-number (nth-value 1 (operator-and-symbol name))) *base-symbol-count*)
       (let ((generic-function (generic-function-named name)))
         (and generic-function (not (new-object-p generic-function))))))

(defvar *deferring* nil
  "True while a layer is dumped that leaves *DEFERRED-FILES* to the images above it.")

(defvar *deferred-symbols* (make-hash-table :test 'eq)
  "The symbols that have definitions from these files.")

(defun deferred-p (source)
  "True when the definition source SOURCE is in a deferred file."
  (let ((pathname (and *deferred-files* source (sb-introspect:definition-source-pathname source))))
    (and pathname (deferred-file-p (namestring pathname)))))

(defun deferred-definition-p (kind name instance)
  "True when NAME's INSTANCE of KIND is left to the images above; that is noted."
  (when (and *deferring* (deferred-p (source-of-definition kind name instance)))
    (setf (gethash (nth-value 1 (operator-and-symbol name)) *deferred-symbols*) t)))

(defun put-definitions-of (name names)
  "Write the definitions of NAME: those of all kinds if NAMES is :SYMBOL, or those of the kinds for function
names if it is :FUNCTION."
  (dolist (kind *kinds*)
    (when (and (or (eq names :symbol) (eq (kind-names kind) :function))
               (not (written-separately-p kind name)))
      (dolist (instance (asking-definition (name kind "existence")
                          (funcall (kind-instances kind) name)))
        (when (if *written-numbers*
                  (brought-p kind name instance)
                  (not (deferred-definition-p kind name instance)))
          (put-definition kind name instance))))))

(defun source-of-definition (kind name instance)
  "What SBCL recorded of where the definition of NAME that is the INSTANCE of KIND was made, or NIL."
  (and (kind-source kind)
       (guarding t (funcall (kind-source kind) name instance) (condition) nil)))

(defun brought-p (kind name instance)
  "True in a slice when the release brings the definition of NAME that is the INSTANCE of KIND: all those of new
symbols, and for a symbol of the base those that are not from the base's files."
  (let* ((symbol (nth-value 1 (operator-and-symbol name)))
         (source (source-of-definition kind name instance))
         (pathname (and source (sb-introspect:definition-source-pathname source))))
    (cond ((new-symbol-p symbol) t)
          ((of-others-p source) nil)
          (pathname (not (gethash (namestring pathname) *base-files*)))
          ((kind-codes kind)
           (some #'new-object-p (guarding t (funcall (kind-codes kind) name instance) (condition) '()))))))

(defun put-definitions-of-symbol (symbol)
  "Write the definitions of FOO, (SETF FOO), then (CAS FOO)."
  (put-definitions-of symbol :symbol)
  (unless (keywordp symbol)
    (put-definitions-of `(setf ,symbol) :function)
    (put-definitions-of `(sb-ext:cas ,symbol) :function))
  (unless (and *written-numbers* (<= (symbol-number symbol) *base-symbol-count*))
    (put-stray-documentation symbol)))

(defun put-definitions ()
  "Write all definitions of all symbols."
  (loop for symbol across *symbols*
        do (about (symbol)
             (noting-problems ("definition" (printed symbol) "definitions")
               (put-definitions-of-symbol symbol)))))

(defun put-package-definitions (packages)
  "Write the definitions of PACKAGES."
  (dolist (package packages)
    (noting-problems ("definition" (package-name package) "package")
      (apply #'put-record "definition" "id" (1+ *definition-count*) "kind" "package"
                          "package" (gethash package *package-numbers*)
                          "documentation" (package-documentation package)
                          (noting-problems ("definition" (package-name package) "package, location")
                            (location-fields (funcall (kind-source *package-kind*) nil package)
                                             *package-kind* (package-name package) nil)))
      (incf *definition-count*))))

;;; A symbol may have documentation of a type for which it has no definition.

(defparameter *documentation-types*
  '(function variable type structure setf compiler-macro method-combination))

(defun put-stray-documentation (symbol)
  "Write SYMBOL's documentation of the types for which it has no definition."
  (dolist (type *documentation-types*)
    (let ((text (noting-problems ("definition" (printed symbol) (format nil "documentation of type ~A" type)
                                               :open t)
                  (as-documentation (documentation symbol type)))))
      (when (and text
                 (notany (lambda (kind)
                           (and (documented-as-p kind type)
                                (gethash (cons (kind-name kind) symbol)
                                         *definition-of-name*)))
                         *kinds*))
        (put-record "documentation" "symbol" (written-number symbol)
                                    "type" (symbol-name type) "text" text)))))

(defun documented-as-p (kind type)
  "True when definitions of KIND carry the CL:DOCUMENTATION of TYPE."
  (equal (kind-documentation-type kind)
         (if (eq type 'structure) "TYPE" (symbol-name type))))
