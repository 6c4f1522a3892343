;;;; Classes: superclasses, precedence lists, slots; and the specializers of methods.
;;;;
;;;; The dump must change nothing to learn these facts: it finalizes no class, so a precedence list is
;;;; written only if SBCL has one already.

(in-package "OBLIST")

(defmacro asking-class ((name part) &body body)
  "Run BODY, which may run the code of others, noting problems with that PART of the class or generic function
NAME."
  `(noting-problems ("class" (printed ,name) ,part :open t) ,@body))

(defun class-number (class)
  "The number of the symbol that names CLASS, or NIL; the name of an anonymous class is NIL."
  (let ((name (name-of-class class)))
    (and name (written-number name))))

(defun class-numbers (classes)
  "The numbers of the symbols that name CLASSES, except anonymous classes."
  (remove nil (mapcar #'class-number (list-of 'class classes))))

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
  "The list that stands for a slot in a record: TYPE, INITFORM and INITARGS are texts or NIL, READERS and WRITERS lists
as ACCESSOR-LIST returns."
  (list (symbol-name name) (written-number name)
        type (string-downcase allocation)
        initform documentation (json-boolean read-only)
        initargs (or readers :empty) (or writers :empty)))

(defun slot-type-text (type)
  (and (not (eq type t)) (printed type)))

(defun printed-list (list)
  (and list (format nil "~{~A~^ ~}" (mapcar #'printed list))))

(defun initform-text (slot class-name)
  "The text of the initform of the direct SLOT of a standard class or a condition, or NIL."
  (if (class-named class-name :condition)
      (multiple-value-bind (form there)
          (condition-slot-parts class-name (sb-mop:slot-definition-name slot))
        (and there (plain form)))
      (and (sb-mop:slot-definition-initfunction slot)
           (plain (sb-mop:slot-definition-initform slot)))))

(defun slot-documentation (slot class-name)
  (as-documentation
   (if (class-named class-name :condition)
       (nth-value 2 (condition-slot-parts class-name (sb-mop:slot-definition-name slot)))
       (documentation slot t))))

(defun standard-slot-row (slot class-name)
  "The row of the direct SLOT of a standard class or a condition.  Its class may be the project's own, so each part is
a question."
  (let ((name (the symbol (sb-mop:slot-definition-name slot))))
    (flet ((ask (part function)
             (asking-class (class-name (format nil "slot ~A, ~A" name part))
               (funcall function slot))))
      (slot-row name
                (ask "type" (lambda (slot) (slot-type-text (sb-mop:slot-definition-type slot))))
                (or (ask "allocation" #'sb-mop:slot-definition-allocation) :instance)
                (ask "initform" (lambda (slot) (initform-text slot class-name)))
                (ask "documentation" (lambda (slot) (slot-documentation slot class-name)))
                nil
                (ask "initargs" (lambda (slot) (printed-list (sb-mop:slot-definition-initargs slot))))
                (ask "readers" (lambda (slot) (accessor-list (sb-mop:slot-definition-readers slot))))
                (ask "writers" (lambda (slot) (accessor-list (sb-mop:slot-definition-writers slot))))))))

(defun structure-slot-row (slot direct-slot)
  "The row of SLOT in a structure's description; DIRECT-SLOT is the same slot of its class, if any.
SBCL's build may change the initform in the description, but not the initform in the class."
  (multiple-value-bind (name type initform accessor read-only) (structure-slot-parts slot)
    (when direct-slot
      (setf initform (sb-mop:slot-definition-initform direct-slot)))
    (slot-row name (slot-type-text type) :instance
              (and initform (plain initform)) ; SBCL does not distinguish a missing form from NIL
              nil read-only nil
              (accessor-list (and accessor (list accessor)))
              (accessor-list (and accessor (not read-only) `((setf ,accessor)))))))

(defun structure-slot-rows (class description)
  "The rows of the slots that a structure itself defines; CLASS is NIL for a typed structure."
  (let* ((above (and (null class) (included-structure description)
                     (structure-description (included-structure description))))
         (inherited (and above (mapcar #'structure-slot-parts (structure-slots above))))
         (direct-slots (and class (sb-mop:class-direct-slots class))))
    (loop for slot in (structure-slots description)
          for name = (structure-slot-parts slot)
          for direct-slot = (find name direct-slots :key #'sb-mop:slot-definition-name)
          for row = (and (if class direct-slot (not (member name inherited)))
                         (asking-class ((structure-name description) (format nil "slot ~A" name))
                           (structure-slot-row slot direct-slot)))
          when row collect row)))

(defun slot-rows (symbol class description)
  (if description
      (structure-slot-rows class description)
      (loop for slot in (listed (sb-mop:class-direct-slots class))
            for row = (asking-class (symbol "a slot") (standard-slot-row slot symbol))
            when row collect row)))

(defun default-initarg-rows (class)
  "The direct default initargs of CLASS: lists of an initarg and its form, both as text."
  (loop for (initarg form) in (listed (sb-mop:class-direct-default-initargs class))
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
  (let ((finalized (asking-class (symbol "finalized") (and class (sb-mop:class-finalized-p class)))))
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

(defun put-bare-class (number)
  "Write the class with the definition NUMBER without anything about it: each has a record."
  (put-record "class" "definition" number "finalized" :false
                      "superclasses" :empty "precedence" :empty "slots" :empty
                      "default_initargs" :empty "functions" :empty))

(defun put-class-named (symbol)
  (let* ((class (find-class symbol nil))
         (description (and (or (typed-structure-p symbol) (class-named symbol :structure))
                           (structure-description symbol)))
         (number (and (or class description) (class-definition symbol))))
    (when number
      (guarding nil (put-class symbol class description number) (condition)
        (note-trouble condition)
        (put-bare-class number)))))

;;; Methods

(defvar *specialized* '()
  "The methods with the classes they specialize on: lists of the method's definition and the class's symbol.")

(defun specializer-row (specializer)
  "SPECIALIZER as a list of the number of its class's symbol and the text of its EQL object; one is NIL."
  (if (typep specializer 'sb-mop:eql-specializer)
      (list nil (printed (sb-mop:eql-specializer-object specializer)))
      (list (class-number specializer) nil)))

(defvar *classes-of-objects* (make-hash-table :test 'eq)
  "The names by which classes of EQL objects are written, or NIL, as NAME-FOR-OBJECTS returns them.")

(defun proper-name (class)
  "The indexed symbol that names CLASS, and no other class; else NIL."
  (let ((name (name-of-class class)))
    (and name
         (symbol-number name)
         (eq (find-class name nil) class)
         name)))

(defun superclasses-of (class)
  "CLASS and all classes above it, in no certain order: a class above a finalized one need not be finalized."
  (let ((found '()) (left (list class)))
    (loop while left
          do (let ((one (pop left)))
               (unless (member one found)
                 (push one found)
                 (setf left (append (list-of 'class (sb-mop:class-direct-superclasses one)) left)))))
    found))

(defun name-for-objects (class)
  "The name of the class that tells of which classes the objects of CLASS are: CLASS itself; or, if it has no proper
name, the first above it that has one, as long as all others that have one are above that, too.  Else NIL."
  (loop for (one . others) on (and (sb-mop:class-finalized-p class)
                                   (list-of 'class (sb-mop:class-precedence-list class)))
        for name = (proper-name one)
        when name
          return (and (or (eq one class)
                          (subsetp (remove-if-not #'proper-name others) (superclasses-of one)))
                      name)))

(defun class-of-object (object)
  "The number of the symbol that names the class of OBJECT, as NAME-FOR-OBJECTS; NIL if there is none."
  (let ((class (class-of object)))
    (multiple-value-bind (name known) (gethash class *classes-of-objects*)
      (unless known
        (setf name (through-door (nil) (name-for-objects class))
              (gethash class *classes-of-objects*) name))
      (and name (written-number name)))))

(defun whole-specializer-row (specializer)
  "The row of SPECIALIZER as SPECIALIZER-ROW returns it, and the number of the class of its EQL object, or NIL."
  (append (specializer-row specializer)
          (list (and (typep specializer 'sb-mop:eql-specializer)
                     (class-of-object (sb-mop:eql-specializer-object specializer))))))

(defun put-specializers (name method)
  "Write the specializers of METHOD of the generic function NAME, one for each required argument."
  (let ((number (cdr (assoc name (gethash method *definitions-of-method*) :test #'equal))))
    (when number
      (let ((specializers (specializers-of method)))
        (dolist (specializer specializers)
          (unless (typep specializer 'sb-mop:eql-specializer)
            (when (class-number specializer)
              (push (list number (name-of-class specializer)) *specialized*))))
        (put-record "specializers"
                    "definition" number
                    "rows" (json-array (mapcar #'whole-specializer-row specializers)))))))

(defun put-methods-of (name)
  (let ((generic-function (generic-function-named name)))
    (when generic-function
      (dolist (method (asking-class (name "methods") (methods-of generic-function)))
        (noting-problems ("class" (printed name) "specializers")
          (when (known-method-p method)
            (put-specializers name method)))))))

(defun put-classes-of (symbol)
  "Write the class that SYMBOL names, and the specializers of its methods."
  (noting-problems ("class" (printed symbol) "class")
    (put-class-named symbol))
  (unless (keywordp symbol)
    (put-methods-of symbol)
    (put-methods-of `(setf ,symbol))
    (put-methods-of `(sb-ext:cas ,symbol))))

(defun put-classes ()
  "Write all classes, and the specializers of all methods."
  (loop for symbol across *symbols*
        do (about (symbol)
             (noting-problems ("class" (printed symbol) "classes")
               (put-classes-of symbol)))))
