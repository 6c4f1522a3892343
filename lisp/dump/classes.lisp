;;;; Classes: superclasses, precedence lists, slots; and the specializers of methods.
;;;;
;;;; The dump must change nothing to learn these facts: it finalizes no class, so a precedence list is
;;;; written only if SBCL has one already.

(in-package "OBLIST")

(defmacro asking-class ((name part) &body body)
  "Run BODY, noting problems with that PART of the class or generic function NAME."
  `(noting-problems ("class" (printed ,name) ,part) ,@body))

(defun class-number (class)
  "The number of the symbol that names CLASS, or NIL; the name of an anonymous class is NIL."
  (let ((name (class-name class)))
    (and name (written-number name))))

(defun class-numbers (classes)
  "The numbers of the symbols that name CLASSES, except anonymous classes."
  (remove nil (mapcar #'class-number classes)))

;;; Slots.  A slot is written as a list: name, symbol, type, allocation, initform,
;;; documentation, read-only, initargs, readers, writers.  The last two are lists of
;;; (SYMBOL OPERATOR).

(defun accessor-list (names)
  "The function NAMES as lists (SYMBOL OPERATOR), except those whose symbols are not indexed."
  (json-array
   (loop for name in names
         for (operator symbol) = (multiple-value-list (operator-and-symbol name))
         for number = (written-number symbol)
         when number collect (list number operator))))

(defun slot-row (name type allocation initform documentation read-only initargs readers writers)
  "The list that stands for a slot in a record; INITFORM is a text or NIL."
  (list (symbol-name name) (written-number name)
        (and (not (eq type t)) (printed type))
        (string-downcase allocation)
        initform documentation (json-boolean read-only)
        (and initargs (format nil "~{~A~^ ~}" (mapcar #'printed initargs)))
        (accessor-list readers) (accessor-list writers)))

(defun standard-slot-row (slot class-name)
  "The row of the direct SLOT of a standard class or a condition."
  (let ((name (sb-mop:slot-definition-name slot))
        (initform nil) (documentation nil))
    (cond ((class-named class-name :condition)
           (multiple-value-bind (form there text) (condition-slot-parts class-name name)
             (setf initform (and there (plain form)) documentation text)))
          (t
           (setf initform (and (sb-mop:slot-definition-initfunction slot)
                               (plain (sb-mop:slot-definition-initform slot)))
                 documentation (documentation slot t))))
    (slot-row name (sb-mop:slot-definition-type slot)
              (sb-mop:slot-definition-allocation slot)
              initform documentation nil
              (sb-mop:slot-definition-initargs slot)
              (sb-mop:slot-definition-readers slot)
              (sb-mop:slot-definition-writers slot))))

(defun structure-slot-row (slot direct-slot)
  "The row of SLOT in a structure's description; DIRECT-SLOT is the same slot of its class, if any.
SBCL's build may change the initform in the description, but not the initform in the class."
  (multiple-value-bind (name type initform accessor read-only) (structure-slot-parts slot)
    (when direct-slot
      (setf initform (sb-mop:slot-definition-initform direct-slot)))
    (slot-row name type :instance
              (and initform (plain initform)) ; SBCL does not distinguish a missing form from NIL
              nil read-only nil
              (and accessor (list accessor))
              (and accessor (not read-only) `((setf ,accessor))))))

(defun structure-slot-rows (class description)
  "The rows of the slots that a structure itself defines; CLASS is NIL for a typed structure."
  (let* ((above (and (null class) (included-structure description)
                     (structure-description (included-structure description))))
         (inherited (and above (mapcar #'structure-slot-parts (structure-slots above))))
         (direct-slots (and class (sb-mop:class-direct-slots class))))
    (loop for slot in (structure-slots description)
          for name = (structure-slot-parts slot)
          for direct-slot = (find name direct-slots :key #'sb-mop:slot-definition-name)
          when (if class direct-slot (not (member name inherited)))
            collect (structure-slot-row slot direct-slot))))

(defun slot-rows (symbol class description)
  (if description
      (structure-slot-rows class description)
      (loop for slot in (sb-mop:class-direct-slots class)
            collect (standard-slot-row slot symbol))))

(defun default-initarg-rows (class)
  "The direct default initargs of CLASS: lists of an initarg and its form, both as text."
  (loop for (initarg form) in (sb-mop:class-direct-default-initargs class)
        collect (list (printed initarg) (plain form))))

;;; Structures.  A function is written as a list: role, by position, symbol.

(defun structure-function-row (role by-position name)
  "The row of the function NAME of a structure; NIL if it is not defined or its symbol is not indexed.
SBCL's build removes some, but keeps their names in the description."
  (let ((number (and name (fboundp name) (written-number name))))
    (and number (list role (json-boolean by-position) number))))

(defun structure-function-rows (description)
  "The rows of the constructors, the predicate and the copier in DESCRIPTION."
  (remove nil
          (append (loop for (name by-position) in (structure-constructors description)
                        collect (structure-function-row "constructor" by-position name))
                  (list (structure-function-row "predicate" nil (structure-predicate description))
                        (structure-function-row "copier" nil (structure-copier description))))))

;;; Classes

(defun superclass-numbers (class description)
  (cond (class (class-numbers (sb-mop:class-direct-superclasses class)))
        ((included-structure description)
         (remove nil (list (written-number (included-structure description)))))))

(defun put-class (symbol class description number)
  "Write the CLASS that SYMBOL names, or, if CLASS is NIL, the typed structure with this DESCRIPTION."
  (let ((finalized (and class (sb-mop:class-finalized-p class))))
    (put-record
     "class"
     "definition" number
     "metaclass" (and class (class-number (class-of class)))
     "finalized" (json-boolean finalized)
     "representation" (and description (null class)
                           (printed (structure-representation description)))
     "prefix" (and description (structure-prefix description))
     "superclasses" (json-array (asking-class (symbol "superclasses")
                                  (superclass-numbers class description)))
     "precedence" (json-array (asking-class (symbol "precedence list")
                                (and finalized
                                     (class-numbers
                                      (sb-mop:class-precedence-list class)))))
     "slots" (json-array (asking-class (symbol "slots")
                           (slot-rows symbol class description)))
     "default_initargs" (json-array (asking-class (symbol "default initargs")
                                      (and class (null description)
                                           (default-initarg-rows class))))
     "functions" (json-array (asking-class (symbol "structure's functions")
                               (and description
                                    (structure-function-rows description)))))))

(defun class-definition (symbol)
  "The number of the definition of SYMBOL as a class, structure or condition, or NIL."
  (loop for kind in '("class" "structure" "condition")
          thereis (gethash (cons kind symbol) *definition-of-name*)))

(defun put-class-named (symbol)
  (let* ((class (find-class symbol nil))
         (description (and (or (typed-structure-p symbol) (class-named symbol :structure))
                           (structure-description symbol)))
         (number (and (or class description) (class-definition symbol))))
    (when number
      (put-class symbol class description number))))

;;; Methods

(defvar *specialized* '()
  "The methods with the classes they specialize on: lists of the method's definition and the class's symbol.")

(defun specializer-row (specializer)
  "SPECIALIZER as a list of the number of its class's symbol and the text of its EQL object; one is NIL."
  (if (typep specializer 'sb-mop:eql-specializer)
      (list nil (printed (sb-mop:eql-specializer-object specializer)))
      (list (class-number specializer) nil)))

(defun put-specializers (name method)
  "Write the specializers of METHOD of the generic function NAME, one for each required argument."
  (let ((number (gethash (cons "method" (method-code-name name method))
                         *definition-of-name*)))
    (when number
      (dolist (specializer (sb-mop:method-specializers method))
        (unless (typep specializer 'sb-mop:eql-specializer)
          (when (class-number specializer)
            (push (list number (class-name specializer)) *specialized*))))
      (put-record "specializers"
                  "definition" number
                  "rows" (json-array (mapcar #'specializer-row
                                             (sb-mop:method-specializers method)))))))

(defun put-methods-of (name)
  (let ((generic-function (generic-function-named name)))
    (when generic-function
      (dolist (method (sb-mop:generic-function-methods generic-function))
        (when (known-method-p method)
          (asking-class (name "specializers") (put-specializers name method)))))))

(defun put-classes ()
  "Write all classes, and the specializers of all methods."
  (loop for symbol across *symbols*
        do (asking-class (symbol "class") (put-class-named symbol))
           (unless (keywordp symbol)
             (put-methods-of symbol)
             (put-methods-of `(setf ,symbol))
             (put-methods-of `(sb-ext:cas ,symbol)))))
