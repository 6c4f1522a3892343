;;;; Classes: superclasses, precedence lists, slots; and the specializers of methods.
;;;;
;;;; Nothing is finalized to learn them.

(in-package "OBLIST-RECORDS")

(defun class-number (class)
  "The number of the symbol that names CLASS, or NIL."
  (let ((name (class-name class)))
    (and name (symbolp name) (number-of name))))

(defun class-numbers (classes)
  (remove nil (mapcar #'class-number classes)))

(defun accessor-rows (names)
  "The function NAMES as lists of the number of the symbol and the operator around it."
  (json-array (loop for name in names
                    for symbol = (if (consp name) (second name) name)
                    when (number-of symbol)
                      collect (list (number-of symbol) (if (consp name) "SETF" nil)))))

(defun slot-row (class slot)
  "SLOT of CLASS as a row: name, symbol, type, allocation, initform, documentation, read-only, initargs,
readers, writers."
  (let ((name (slot-definition-name slot))
        (readers (slot-definition-readers slot))
        (writers (slot-definition-writers slot))
        (read-only nil))
    (when (typep class 'structure-class)
      (multiple-value-bind (accessor sets-nothing) (structure-slot-accessor class name)
        (setf readers (and accessor (list accessor))
              writers (and accessor (not sets-nothing) (list `(setf ,accessor)))
              read-only sets-nothing)))
    (list (symbol-name name) (number-of name)
          (let ((type (slot-definition-type slot)))
            (if (eq type t) nil (printed type)))
          (if (eq (slot-definition-allocation slot) :class) "class" "instance")
          (and (slot-definition-initfunction slot) (plain (slot-definition-initform slot)))
          (as-text (documentation slot t))
          (json-boolean read-only)
          (written-list (slot-definition-initargs slot) #'printed)
          (accessor-rows readers) (accessor-rows writers))))

(defun put-class (symbol number)
  "Write the class SYMBOL, whose definition has this NUMBER."
  (let* ((class (find-class symbol))
         (finalized (class-finalized-p class)))
    (flet ((ask (part function)
             (json-array (noting-problems ("class" (printed symbol) part) (funcall function)))))
      (put-record "class"
                  "definition" number
                  "metaclass" (class-number (class-of class))
                  "finalized" (json-boolean finalized)
                  "superclasses" (ask "superclasses" (lambda () (class-numbers (class-direct-superclasses class))))
                  "precedence" (ask "precedence list"
                                    (lambda () (and finalized (class-numbers (class-precedence-list class)))))
                  "slots" (ask "slots" (lambda ()
                                         (mapcar (lambda (slot) (slot-row class slot)) (class-direct-slots class))))
                  "default_initargs" (ask "default initargs"
                                          (lambda ()
                                            (loop for (initarg form) in (class-direct-default-initargs class)
                                                  collect (list (printed initarg) (plain form)))))
                  "functions" :empty))))

(defun specializer-row (specializer)
  "SPECIALIZER as a row: the symbol of a class, the text of an EQL object, the symbol of the class of that object."
  (if (typep specializer 'eql-specializer)
      (let ((object (eql-specializer-object specializer)))
        (list nil (printed object) (class-number (class-of object))))
      (list (class-number specializer) nil nil)))

(defun put-classes ()
  "Write all classes, then the specializers of all methods."
  (loop for (symbol . number) in (reverse *class-definitions*)
        do (put-class symbol number))
  (loop for (method . number) in (reverse *method-definitions*)
        do (put-record "specializers"
                       "definition" number
                       "rows" (json-array (mapcar #'specializer-row (method-specializers method))))))
