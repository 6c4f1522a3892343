;;;; What classes, generic functions and methods say of themselves: a project may have its own methods for that.
;;;;
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defconstant +longest-list+ 1000000)

(defun listed (value)
  "VALUE, which should be a list; an error if it is not one, is circular, or is very long."
  (loop with rest = value
        repeat +longest-list+
        do (when (null rest) (return value))
           (if (consp rest)
               (pop rest)
               (error "It is not a list, but of type ~A." (type-of value)))
        finally (error "It is circular, or has more than ~D elements." +longest-list+)))

(defun list-of (type value)
  "VALUE, which should be a list of objects of TYPE; an error if it is not."
  (dolist (element (listed value) value)
    (unless (typep element type)
      (error "It has an element of type ~A, not of type ~A." (type-of element) type))))

(defun name-of-class (class)
  "The name of CLASS; NIL if it has none, or does not tell it."
  (through-door (nil)
    (the symbol (class-name class))))

(defun methods-of (generic-function)
  "The methods of GENERIC-FUNCTION; none if it does not tell them."
  (through-door ('())
    (list-of 'method (sb-mop:generic-function-methods generic-function))))

(defun specializers-of (method)
  "The specializers of METHOD; none if it does not tell them."
  (through-door ('())
    (list-of 'sb-mop:specializer (sb-mop:method-specializers method))))

(defun qualifiers-of (method)
  (through-door ('())
    (listed (method-qualifiers method))))

(defun function-of-method (method)
  "The generic function of METHOD, or NIL."
  (through-door (nil)
    (sb-mop:method-generic-function method)))

(defun name-of-function (generic-function)
  "The name of GENERIC-FUNCTION, or NIL."
  (through-door (nil)
    (sb-mop:generic-function-name generic-function)))
