;;;; The grammar says what each argument of the standard's operators (CLHS) is, and where names are visible.
;;;;
;;;; Each rule begins with an operator, or with a list of operators, and describes the list of its arguments.  A rule
;;;; that begins with a keyword names a description, so that other rules can refer to it by that keyword.  A description
;;;; consists of these parts:
;;;;
;;;;   a symbol                  what one argument is
;;;;   a keyword                 the description that the rule of that name gives
;;;;   a list                    an argument that is a list of such arguments
;;;;   (or ATOM LIST)            the first if the argument is an atom, the second if it is a list
;;;;   (atom THING)              the thing, which must not be a list
;;;;   (in THING)                the thing; the names that the rule binds are visible in it
;;;;   (each LIST)               a list with names of its own, which are visible only there
;;;;   (by-key (KEYS . ARGUMENTS)..)  a list whose first element determines what the others are; T stands for all other keys
;;;;   (type RELATION)           a type specifier, whose names have this relation
;;;;   (key RELATION)            a type specifier, OTHERWISE or T
;;;;   (type-argument RELATION)  a form that may be a quoted type specifier
;;;;   (either ARGUMENTS ARGUMENTS)  the first of these that fits all arguments
;;;;   &optional                 all that follow may be missing
;;;;   &rest THING               any number of such arguments
;;;;   &rest (in-order THING)    any number of THINGs; each sees the names that those before it bind
;;;;   &last THING               after &rest: the last argument is THING
;;;;   &pairs THING THING        any number of pairs; the last pair may lack its second element
;;;;   &keys (KEYS THING)..      pairs whose keys determine what their values are; T stands for all other keys
;;;;   &options THING            pairs of a keyword and THING, as long as keywords follow
;;;;   &body                     declarations and forms, to the end
;;;;   &tags                     tags and forms, to the end
;;;;   &method                   qualifiers, a specialized lambda list, and a body
;;;;   &initargs                 initargs and their values
;;;;   &condition                a condition designator and its arguments
;;;;
;;;; The names that a rule binds are visible in &BODY, &TAGS and &METHOD, and where IN says so.  Everything else is
;;;; evaluated before these names are bound, outside their scope.  An OPEN-FORM may use variables that no surrounding
;;;; code binds: PROGV takes the names of its variables from a form, and the expansion of a symbol macro appears
;;;; elsewhere.  LOOP, the forms about packages, and whatever depends on more than the position of an argument are
;;;; handled by code.

(in-package "OBLIST")

(defparameter *grammar*
  '(;; Arguments that are forms
    ((progn if catch throw unwind-protect multiple-value-call multiple-value-prog1 locally and or when unless prog1
      prog2 return ignore-errors multiple-value-list nth-value time step load-time-value with-standard-io-syntax)
     &body)
    (progv form form &rest open-form)
    (with-compilation-unit (&rest form) &body)
    (with-condition-restarts form form &body)
    (quote &optional quoted)
    (function &optional function-name)
    ((the sb-ext:truly-the) (type :tests) &rest form)
    (declare &rest declaration)
    (eval-when datum &rest form)

    ;; Places
    ((setq psetq setf psetf) &pairs place form)
    ((incf decf pop) changed-place &rest form)
    (remf changed-place form)
    ((push pushnew) form changed-place &rest form)
    (shiftf &rest changed-place &last form)
    (rotatef &rest changed-place)
    (multiple-value-setq (&rest place) &rest form)
    (check-type place (type :tests) &rest form)
    (assert form &optional (&rest place) &rest form)

    ;; Blocks and tags
    (block block-name &rest (in form))
    (return-from block-used &rest form)
    (go tag-used)
    (tagbody &tags)

    ;; Variables
    (:binding (or variable (variable &rest form)))
    (:iteration (or variable (variable &optional form &rest (in form))))
    (let (&rest :binding) &body)
    (let* (&rest (in-order :binding)) &body)
    (prog (&rest :binding) &tags)
    (prog* (&rest (in-order :binding)) &tags)
    (do (&rest :iteration) (&rest (in form)) &tags)
    (do* (&rest (in-order :iteration)) (&rest (in form)) &tags)
    ((dolist dotimes do-symbols do-external-symbols do-all-symbols) (variable &optional form &rest (in form)) &tags)
    ((with-open-file with-open-stream with-output-to-string with-input-from-string) (variable &rest form) &body)
    (multiple-value-bind (&rest variable) form &body)
    (destructuring-bind destructuring-lambda-list form &body)
    (with-slots (&rest (or slot-variable (symbol-macro slot-name))) form &body)
    (with-accessors (&rest (symbol-macro &optional name)) form &body)
    (symbol-macrolet symbol-macros &body)
    ((print-unreadable-object pprint-logical-block) (&rest form) &body)

    ;; Functions
    (lambda lambda-list &body)
    (flet functions &body)
    (labels recursive-functions &body)
    (macrolet macros &body)
    ((with-hash-table-iterator with-package-iterator) (macro &rest form) &body)

    ;; Clauses
    (cond &rest (or form (&rest form)))
    ((case ccase ecase) form &rest (datum &rest form))
    ((typecase ctypecase etypecase) form &rest ((key :tests) &rest form))
    (handler-case form &rest (each ((key :handles) &optional lambda-list &body)))
    (handler-bind (&rest ((key :handles) &rest form)) &body)
    (restart-case form &rest (each (name lambda-list &options named-function &body)))
    (restart-bind (&rest (name &rest form)) &body)
    (with-simple-restart (name &rest form) &body)

    ;; Functions that take the name of a class or a type
    ((make-instance make-condition) class-argument &initargs)
    ((error signal warn) &condition)
    (cerror form &condition)
    ((reinitialize-instance change-class) form &initargs)
    ((slot-value slot-boundp slot-makunbound slot-exists-p) form slot-argument)
    (typep form &optional (type-argument :tests) &rest form)
    (subtypep (type-argument :tests) &optional (type-argument :tests) &rest form)
    (coerce form &optional (type-argument :names))
    (proclaim declaration-argument)

    ;; Definitions
    (defun defined-function lambda-list &body)
    ((defmacro define-compiler-macro deftype define-setf-expander)
     defined-operator destructuring-lambda-list &body)
    ((defvar defparameter defconstant sb-ext:defglobal) defined &rest form)
    (define-symbol-macro defined open-form)
    (defsetf (either (defined (atom name) &rest form)
                     (defined-operator lambda-list (&rest variable) &body)))
    (define-modify-macro defined (each lambda-list) function-name &rest form)
    (define-method-combination defined &rest uncertain)
    (defmethod defined-operator &method)
    (defgeneric defined-operator (each lambda-list) &rest (in generic-function-option))
    (defclass defined (&rest inherited) (&rest :slot) &rest :class-option)
    (define-condition defined (&rest inherited) (&rest :slot) &rest :class-option)
    (:slot (or slot-name
               (slot-name &keys ((:accessor :reader :writer) defined-accessor)
                                (:initarg initarg)
                                (:type (type :declares))
                                (:initform form)
                                ((:allocation :documentation) nothing)
                                (t uncertain))))
    (:class-option (by-key (:default-initargs &pairs initarg form)
                           (:report &rest named-function)
                           (t &rest named)))
    (defstruct (or defined (defined &rest :structure-option)) &rest :structure-slot)
    (:structure-slot (or slot-name
                         (slot-name &optional form &keys (:type (type :declares)) (t form))))
    (:structure-option (by-key (:include &optional inherited &rest :structure-slot)
                               (:constructor &optional defined (each lambda-list))
                               ((:copier :predicate) &rest defined)
                               (:conc-name &rest local)
                               (:type &rest (type :declares))
                               (t &rest named-function)))

    ;; Proclamations
    (declaim &rest declaration)
    ((trace untrace) &rest named)
    (in-package package-name))
  "What the arguments of the standard's operators are.")
