;;;; A live SBCL's facts about its classes and about the specializers of methods.

(in-package "ORACLE")

(defun home (symbol)
  (and (symbol-package symbol) (package-name (symbol-package symbol))))

(defun names (symbol)
  "Home package and name of SYMBOL."
  (list (home symbol) (symbol-name symbol)))

(defun operator (name)
  (and (consp name) (symbol-name (first name))))

(defun answer-names (tag symbol symbols)
  "Answer SYMBOLS, one per line, about SYMBOL, each with its place."
  (loop for other in symbols
        for place from 0
        do (apply #'answer tag (append (names symbol) (list place) (names other)))))

;;; Slots

(defun answer-accessor (class slot role function)
  (apply #'answer "accessor"
         (append (names class) (list (symbol-name slot) role (operator function))
                 (names (if (consp function) (second function) function)))))

(defun initform (slot class)
  "The text of the form; the metaobject protocol gives that of a condition quoted, and to a
structure's slot without form the form NIL."
  (let ((form (sb-mop:slot-definition-initform slot)))
    (cond ((typep class 'structure-class) (and form (bare-text form)))
          ((null (sb-mop:slot-definition-initfunction slot)) nil)
          ((and (subtypep class 'condition) (typep form '(cons (eql quote))))
           (bare-text (second form)))
          (t (bare-text form)))))

(defun answer-slot (symbol class slot place)
  (let ((name (sb-mop:slot-definition-name slot))
        (type (sb-mop:slot-definition-type slot)))
    (apply #'answer "slot"
           (append (names symbol)
                   (list place (symbol-name name) (home name)
                         (if (eq type t) nil (full-text type))
                         (string-downcase (sb-mop:slot-definition-allocation slot))
                         (initform slot class)
                         (and (sb-mop:slot-definition-initargs slot)
                              (format nil "~{~A~^ ~}"
                                      (mapcar #'full-text
                                              (sb-mop:slot-definition-initargs slot)))))))
    (when (typep slot 'sb-mop:standard-slot-definition)
      (apply #'answer "slot-documentation"
             (append (names symbol) (list (symbol-name name) (documentation slot t)))))
    (loop for (role . functions) in `(("reader" ,@(sb-mop:slot-definition-readers slot))
                                      ("writer" ,@(sb-mop:slot-definition-writers slot)))
          do (dolist (function functions)
               (answer-accessor symbol name role function)))))

;;; Accessors of structures are known by how the compiler treats a call of them.

(defun structure-and-slot (function)
  "The names of structure and slot that FUNCTION reads or writes, as two values, or NIL."
  (let ((transform (sb-int:info :function :source-transform function)))
    (when (and (consp transform)
               (typep (car transform) 'sb-kernel:defstruct-description)
               (typep (cdr transform) 'sb-kernel:defstruct-slot-description))
      (values (sb-kernel:dd-name (car transform)) (sb-kernel:dsd-name (cdr transform))))))

(defvar *structure-accessors* (make-hash-table :test 'equal)
  "(STRUCTURE . SLOT), with lists of role and function.")

(defun note-structure-accessor (function role)
  (multiple-value-bind (structure slot) (structure-and-slot function)
    (when structure
      (push (list role function) (gethash (cons structure slot) *structure-accessors*)))))

(defun answer-structure-accessors (class slot)
  "Answer what reads and writes SLOT: a slot that is changed when it is included may keep the
accessors of the structure above."
  (loop for above in (sb-mop:class-precedence-list class)
        for found = (gethash (cons (class-name above) slot) *structure-accessors*)
        until found
        finally (loop for (role function) in found
                      do (answer-accessor (class-name class) slot role function))))

;;; Structures

(defun answer-structure-functions (symbol)
  (let ((description (or (sb-int:info :typed-structure :info symbol)
                         (and (typep (find-class symbol nil) 'structure-class)
                              (sb-kernel:find-defstruct-description symbol nil)))))
    (flet ((tell (role name by-position)
             (when (and name (fboundp name))
               (apply #'answer "structure-function"
                      (append (names symbol) (list role by-position) (names name))))))
      (when description
        (loop for (name . arguments) in (sb-kernel:dd-constructors description)
              do (tell "constructor" name (if (eq arguments :default) 0 1)))
        (tell "predicate" (sb-kernel::dd-predicate-name description) 0)
        (tell "copier" (sb-kernel::dd-copier-name description) 0)))))

;;; Classes

(defun answer-class (symbol)
  (let* ((class (find-class symbol nil))
         (finalized (and class (sb-mop:class-finalized-p class))))
    (when class
      (apply #'answer "class"
             (append (names symbol) (names (class-name (class-of class)))
                     (list (if finalized 1 0))))
      (answer-names "superclass" symbol
                    (mapcar #'class-name (sb-mop:class-direct-superclasses class)))
      (answer-names "precedence" symbol
                    (and finalized
                         (mapcar #'class-name (sb-mop:class-precedence-list class))))
      (loop for slot in (sb-mop:class-direct-slots class)
            for place from 0
            do (answer-slot symbol class slot place)
               (when (typep class 'structure-class)
                 (answer-structure-accessors class (sb-mop:slot-definition-name slot))))
      (loop for (initarg form) in (sb-mop:class-direct-default-initargs class)
            for place from 0
            do (apply #'answer "default-initarg"
                      (append (names symbol)
                              (list place (full-text initarg) (bare-text form))))))))

;;; Methods

(defun answer-specializers (method)
  (let* ((name (sb-mop:generic-function-name (sb-mop:method-generic-function method)))
         (symbol (if (consp name) (second name) name)))
    (loop for specializer in (sb-mop:method-specializers method)
          for place from 0
          do (apply #'answer "specializer"
                    (append (names symbol)
                            (list (operator name) (elements-text (method-qualifiers method)) place)
                            (if (typep specializer 'sb-mop:eql-specializer)
                                (list nil nil
                                      (full-text (sb-mop:eql-specializer-object specializer)))
                                (append (names (class-name specializer)) (list nil))))))))

(defun answer-all ()
  (loop for symbol across *symbols*
        do (dolist (name (names-of symbol))
             (note-structure-accessor name (if (consp name) "writer" "reader"))))
  (map nil #'answer-class *symbols*)
  (map nil #'answer-structure-functions *symbols*)
  (loop for method being the hash-keys of *methods*
        do (answer-specializers method)))
