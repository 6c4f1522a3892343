;;;; The internals of SBCL and ASDF that the dump needs, each with its reason.
;;;; Seen to work on SBCL 2.0.11, 2.2.9 and 2.6.7, with the ASDF of each.
;;;;
;;;; Names that not every version has are looked up as strings when they are needed: a missing name
;;;; costs one kind of answer, not the whole dump.

(in-package "OBLIST")

(defun internal-table (name package)
  "The hash table in the internal variable NAME of PACKAGE, or an empty one."
  (let ((symbol (internal name package)))
    (if (and symbol (boundp symbol) (hash-table-p (symbol-value symbol)))
        (symbol-value symbol)
        (make-hash-table))))

;;; Kinds of variables and types: only the globaldb distinguishes constants from special variables, and
;;; DEFTYPEs from classes.

(defun variable-kind (symbol)
  "The kind of SYMBOL: :SPECIAL, :CONSTANT, :GLOBAL, :ALIEN, :MACRO (a symbol macro) or :UNKNOWN."
  (sb-int:info :variable :kind symbol))

(defun variable-type (symbol)
  (sb-kernel:type-specifier (sb-int:info :variable :type symbol)))

(defun variable-alien-type (symbol)
  "The type of the alien variable SYMBOL, unparsed, or NIL."
  (let ((alien (sb-int:info :variable :alien-info symbol)))
    (and alien
         (sb-alien-internals:unparse-alien-type
          (sb-alien-internals:heap-alien-info-type alien)))))

(defun symbol-macro-expansion (symbol)
  (sb-int:info :variable :macro-expansion symbol))

(defun type-expander (symbol)
  "The object that expands the type specifier SYMBOL, or NIL; DEFTYPE stores one, FLOAT and AND have one."
  (sb-int:info :type :expander symbol))

(defun primitive-type-p (symbol)
  "True for type names built into the compiler that may have no class, such as FIXNUM."
  (eq (sb-int:info :type :kind symbol) :primitive))

(defun sbcl-type-name-p (symbol)
  "True for the names of the standard's types, and of those with which SBCL prints others, such as
SB-KERNEL:EXTENDED-SEQUENCE."
  (member (symbol-package symbol)
          (load-time-value (mapcar #'find-package '("COMMON-LISP" "SB-KERNEL")))))

(defun character-set-type-p (type)
  "True for (CHARACTER-SET ((0 . 255))), as SBCL prints a type of some characters."
  (eq (first type) (internal "CHARACTER-SET" "SB-KERNEL")))

(defun typed-structure-p (symbol)
  "True for (DEFSTRUCT (SYMBOL (:TYPE LIST)) ..), which defines no class."
  (and (sb-int:info :typed-structure :info symbol) t))

(defun setf-expander (symbol)
  "The object that DEFSETF or DEFINE-SETF-EXPANDER stored: a function, a list or a symbol."
  (sb-int:info :setf :expander symbol))

(defun declaration-known-p (symbol)
  "True for declaration identifiers: those proclaimed with DECLARATION, and SBCL's own."
  (sb-int:info :declaration :known symbol))

(defun alien-type-known-p (symbol)
  "True when SYMBOL names an alien type, or an alien struct, union or enum."
  (or (not (eq (sb-int:info :alien-type :kind symbol) :unknown))
      (sb-int:info :alien-type :struct symbol)
      (sb-int:info :alien-type :union symbol)
      (sb-int:info :alien-type :enum symbol)))

;;; The globaldb keeps its knowledge about a name in one object, which each change replaces.

(declaim (type function *symbol-info*))
(defvar *symbol-info* (fdefinition (or (internal "SYMBOL-%INFO" "SB-IMPL")
                                       (internal "SYMBOL-INFO" "SB-KERNEL"))) ; before SBCL 2.2
  "The globaldb's object about a symbol.")

(defun symbol-knowledge (symbol)
  "The globaldb's object about SYMBOL, whose age shows changes; NIL when there is none."
  (funcall *symbol-info* symbol))

;;; The compiler's own knowledge of a function.  SBCL changes it in place.

(defun newly-in-tables ()
  "The names of VOPs and method combinations that are new: SBCL keeps them in tables."
  (loop for (table package) in '(("*BACKEND-PARSED-VOPS*" "SB-C") ("*BACKEND-TEMPLATE-NAMES*" "SB-C")
                                 ("**METHOD-COMBINATIONS**" "SB-PCL"))
        append (loop for name being each hash-key of (internal-table table package) using (hash-value value)
                     when (and (symbolp name) (new-object-p value))
                       collect name)))

(defun newly-optimized-p (symbol)
  "True when a transform or optimizer of SYMBOL, or of its SETF function, is new."
  (flet ((new-parts-p (name)
           (let ((info (function-info name)))
             (and info
                  (or (new-object-p (call-internal "FUN-INFO-DERIVE-TYPE" "SB-C" info))
                      (new-object-p (call-internal "FUN-INFO-LTN-ANNOTATE" "SB-C" info))
                      (new-object-p (call-internal "FUN-INFO-OPTIMIZER" "SB-C" info))
                      (loop for transform in (transforms name)
                              thereis (some #'new-object-p (transform-and-code transform))))))))
    (and (symbol-knowledge symbol)
         (or (new-parts-p symbol)
             (new-parts-p `(setf ,symbol))))))

(defun function-info (name)
  "The FUN-INFO of NAME, which holds its transforms and optimizers."
  (sb-int:info :function :info name))

(defun source-transform (name)
  "The source transform of NAME, or NIL.  That of a structure accessor is left out, because it only says
that NAME is an accessor (sb-introspect leaves it out as well)."
  (let ((transform (sb-int:info :function :source-transform name)))
    (and transform (not (consp transform)) transform)))

(defun ir1-converter (name)
  (sb-int:info :function :ir1-convert name))

(defun vop-known-p (symbol)
  (or (nth-value 1 (gethash symbol (internal-table "*BACKEND-PARSED-VOPS*" "SB-C")))
      (nth-value 1 (gethash symbol (internal-table "*BACKEND-TEMPLATE-NAMES*" "SB-C")))))

(defun method-combination-known-p (symbol)
  "True for the names of method combinations, in long and short form."
  (nth-value 1 (gethash symbol (internal-table "**METHOD-COMBINATIONS**" "SB-PCL"))))

(defun lambda-list-of-method-combination (name)
  "The lambda list of the method combination NAME, and false when SBCL does not tell it, as before version 2.1.2."
  (let ((lambda-list (internal "METHOD-COMBINATION-LAMBDA-LIST" "SB-INTROSPECT")))
    (if lambda-list
        (values (funcall lambda-list name) t)
        (values nil nil))))

(defun deprecation (namespace name)
  "The state of the deprecated NAME, since when it has it, and the replacements; NIL for any other name.
NAMESPACE is FUNCTION, VARIABLE or TYPE (src/code/early-extensions.lisp)."
  (sb-int:deprecated-thing-p namespace name))

(defun unparsed-specializers (method)
  "The specializers of METHOD as written in DEFMETHOD."
  (let ((generic-function (function-of-method method)))
    (loop for specializer in (specializers-of method)
          collect (if generic-function
                      (through-door (specializer)
                        (first (sb-pcl::unparse-specializers generic-function (list specializer))))
                      specializer))))

(defun method-code (method)
  "The compiled function of METHOD that holds its references."
  (call-internal "SAFE-METHOD-FAST-FUNCTION" "SB-PCL" method))

(defun method-code-name-p (name)
  "True for the name of a method's code: (FAST-METHOD NAME QUALIFIER .. SPECIALIZERS)."
  (and (consp name)
       (member (first name) '(sb-pcl::fast-method sb-pcl::slow-method))))

(defun code-name (function)
  "SBCL's name for the code of FUNCTION: (MACRO-FUNCTION name) when DEFMACRO has made it."
  (sb-kernel:%fun-name function))

(defun untyped-p (function)
  "True when SBCL has stored no type for the code of FUNCTION, which was compiled with (DEBUG 0), nor a lambda list."
  (and (compiled-function-p function)
       (not (typep function 'generic-function))
       (eq (sb-kernel:%simple-fun-type (sb-kernel:%fun-fun function)) 'function)))

(defun lambda-list-of (function)
  "The lambda list of a function object, and false when SBCL does not know it: older SBCLs (2.0.11) then say ()."
  (let ((lambda-list (sb-kernel:%fun-lambda-list function)))
    (if (or (eq lambda-list :unknown)
            (and (null lambda-list) (untyped-p function)))
        (values nil nil)
        (values lambda-list t))))

;;; A backquote is a macro call and a comma is a structure; the printer shows them as such unless it prints
;;; prettily.

(defun backquote-form-p (form)
  "True when FORM was read from a backquote; its argument is the backquoted form."
  (and (consp form)
       (eq (first form) 'sb-int:quasiquote)
       (consp (rest form))
       (null (cddr form))))

(defun comma-parts (object)
  "The text (\",\", \",.\" or \",@\") and the form of a comma inside a backquote; NIL for other objects."
  (when (sb-int:comma-p object)
    (values (ecase (sb-int:comma-kind object) (0 ",") (1 ",.") (2 ",@"))
            (sb-int:comma-expr object))))

;;; References: SBCL keeps them packed, one vector for each compiled function.

(defun map-named-functions (function)
  "Call FUNCTION with the name and the compiled function of everything that has a global name, as
SB-INTROSPECT:WHO-CALLS does; return NIL in versions where WHO-CALLS walks code instead."
  (let ((symbol (or (internal "MAP-SIMPLE-FUNS" "SB-C")
                    (internal "MAP-SIMPLE-FUNS" "SB-INTROSPECT"))))
    (when (and symbol (fboundp symbol))
      (funcall symbol function)
      t)))

(defun map-code-functions (function code)
  "Call FUNCTION with every compiled function in the CODE object."
  (dotimes (i (sb-kernel:code-n-entries code))
    (funcall function (sb-kernel:%code-entry-point code i))))

(defun packed-references (simple-fun)
  (sb-kernel:%simple-fun-xrefs simple-fun))

(defun map-references (function packed)
  "Call FUNCTION with the relation, the name and the form number of each PACKED reference."
  (sb-c:map-packed-xref-data function packed))

(defun package-location (package)
  "The object, a new one for each definition of PACKAGE, in which SBCL records where it was defined, or NIL."
  (call-internal "PACKAGE-SOURCE-LOCATION" "SB-IMPL" package))

(defun simple-function (function)
  "The compiled function of FUNCTION, which may be a closure; NIL for a generic function or another object."
  (typecase function
    (generic-function nil)
    (function (sb-kernel:%fun-fun function))))

(defun simple-function-name (simple-fun)
  (sb-kernel:%simple-fun-name simple-fun))

;;; Names of code: the name of the function, or a list of one of these words and the name of a definition.

(defparameter *code-kinds*
  '(("MACRO-FUNCTION" "macro") ("COMPILER-MACRO" "compiler-macro")
    ("SETF-EXPANDER" "setf-expander") ("%DEFSETF" "setf-expander")
    ("TYPE-EXPANDER" "type") ("SOURCE-TRANSFORM" "source-transform")
    ("CONDITION-REPORT" "condition"))
  "The kinds of definition that SBCL's names for code, such as (MACRO-FUNCTION FOO), stand for.")

(defun generated-code-p (name)
  "True for the NAME of code that SBCL generates while running or loading: such code differs between runs."
  (and (consp name)
       (member (princ-to-string (first name)) '("EMF" "TOP-LEVEL-FORM")
               :test #'string=)))

(defun recorded-function-name (function)
  "The name that SBCL has recorded for FUNCTION, which may be a closure."
  (sb-kernel:%fun-name function))

(defun transforms (name)
  "The TRANSFORM structures of the function NAME, in SBCL's order."
  (let ((info (function-info name)))
    (and info (call-internal "FUN-INFO-TRANSFORMS" "SB-C" info))))

(defun transform-and-code (transform)
  "The objects that hold the references of TRANSFORM: the transform itself and its function."
  (let ((function (call-internal "TRANSFORM-FUNCTION" "SB-C" transform)))
    (list transform (and (functionp function) (simple-function function)))))

(defun vop-and-code (symbol)
  "The objects that hold the references of the VOP named SYMBOL: the VOP itself and its generator function."
  (let ((vop (gethash symbol (internal-table "*BACKEND-TEMPLATE-NAMES*" "SB-C"))))
    (and vop
         (let ((function (call-internal "VOP-INFO-GENERATOR-FUNCTION" "SB-C" vop)))
           (list vop (and function (simple-function function)))))))

(defun internal-features ()
  "The features of SBCL's own build, as reader conditionals in its sources see them."
  (let ((symbol (internal "+INTERNAL-FEATURES+" "SB-IMPL")))
    (and symbol (boundp symbol) (symbol-value symbol))))

(defstruct compiled-source
  "What compiled code knows of its source file: the reader's position before each toplevel form, in bytes; the date
of the file; and the code."
  (positions #() :type vector) (date nil) (code '()))

(defun all-compiled-sources ()
  "A table from the namestrings of source files to COMPILED-SOURCEs."
  (let ((table (make-hash-table :test 'equal)))
    (dolist (code *baseline-code* table)
      (let ((info (sb-kernel:%code-debug-info code)))
        (when (typep info 'sb-c::compiled-debug-info)
          (note-compiled-source code (sb-c::debug-info-source info) table))))))

(defun note-compiled-source (code source table)
  "Note in TABLE what the debug source SOURCE of CODE knows."
  (let ((namestring (sb-c::debug-source-namestring source))
        (positions (call-internal "DEBUG-SOURCE-START-POSITIONS" "SB-C" source))) ; since SBCL 2.2.5
    (when (stringp namestring)
      (let ((compiled (or (gethash namestring table)
                          (setf (gethash namestring table) (make-compiled-source)))))
        (push code (compiled-source-code compiled))
        ;; Code that was evaluated while the file was being compiled has only the part of the vector that was known
        ;; by then: the longest vector is complete.
        (when (> (length positions) (length (compiled-source-positions compiled)))
          (setf (compiled-source-positions compiled) positions
                (compiled-source-date compiled) (sb-c::debug-source-created source)))
        (unless (compiled-source-date compiled) ; an older SBCL
          (setf (compiled-source-date compiled) (sb-c::debug-source-created source)))))))

;;; ASDF does not export the reader of a component's :IF-FEATURE.

(defun component-feature (component)
  "The feature expression that decides whether COMPONENT belongs to this image; NIL when it always does."
  (call-internal "COMPONENT-IF-FEATURE" "ASDF/COMPONENT" component))

;;; sb-introspect does not export all readers of a definition source.

(defun source-description (source)
  "The description in the definition source SOURCE: the argument types of a transform, the stage of an
optimizer, or the proclamation."
  (sb-introspect::definition-source-description source))

;;; Classes: the metaobject protocol does not know everything about structures and conditions, which SBCL
;;; describes in structures of its own.

(defun class-kind (class)
  "The kind of CLASS: :STRUCTURE, :CONDITION or :CLASS.  SBCL exports no name for conditions' metaclass."
  (typecase class
    (structure-class :structure)
    (sb-pcl::condition-class :condition)
    (t :class)))

(defun structure-description (symbol)
  "The DEFSTRUCT-DESCRIPTION of SYMBOL, which may name a typed structure too, or NIL."
  (or (sb-int:info :typed-structure :info symbol)
      (sb-kernel:find-defstruct-description symbol nil)))

(defun structure-name (description)
  (sb-kernel:dd-name description))

(defun structure-prefix (description)
  "The prefix of the accessors' names (:CONC-NAME), or NIL."
  (call-internal "DD-CONC-NAME" "SB-KERNEL" description))

(defun structure-representation (description)
  "STRUCTURE, or LIST or VECTOR for a typed structure."
  (call-internal "DD-TYPE" "SB-KERNEL" description))

(defun included-structure (description)
  "The name of the structure that the described structure includes, or NIL."
  (let ((include (call-internal "DD-INCLUDE" "SB-KERNEL" description)))
    (if (consp include) (first include) include)))

(defun structure-slots (description)
  "The slots in DESCRIPTION, the inherited slots first."
  (sb-kernel:dd-slots description))

(defun structure-slot-parts (slot)
  "The name, type, initform and accessor of a structure's SLOT, and whether it is read-only."
  (values (sb-kernel:dsd-name slot) (sb-kernel:dsd-type slot)
          (sb-kernel:dsd-default slot) (sb-kernel:dsd-accessor-name slot)
          (sb-kernel:dsd-read-only slot)))

(defun structure-constructors (description)
  "The constructors in DESCRIPTION: lists of a name and whether it takes arguments by position (BOA).
SBCL keeps conses of a name and :DEFAULT or the parts of a lambda list."
  (loop for (name . how) in (call-internal "DD-CONSTRUCTORS" "SB-KERNEL" description)
        collect (list name (not (eq how :default)))))

(defun structure-predicate (description)
  "The name of the predicate of the described structure, or NIL."
  (call-internal "DD-PREDICATE-NAME" "SB-KERNEL" description))

(defun structure-copier (description)
  "The name of the copier of the described structure, or NIL."
  (call-internal "DD-COPIER-NAME" "SB-KERNEL" description))

(defun condition-slot-parts (condition-name slot-name)
  "The initform of a condition type's slot, whether there is one, and the slot's documentation.
The metaobject protocol would return the form quoted, and no documentation."
  (let* ((classoid (sb-kernel:find-classoid condition-name nil))
         (slot (find slot-name (call-internal "CONDITION-CLASSOID-SLOTS" "SB-KERNEL" classoid)
                     :key (internal "CONDITION-SLOT-NAME" "SB-KERNEL"))))
    (when slot
      (values (call-internal "CONDITION-SLOT-INITFORM" "SB-KERNEL" slot)
              (call-internal "CONDITION-SLOT-INITFORM-P" "SB-KERNEL" slot)
              (call-internal "CONDITION-SLOT-DOCUMENTATION" "SB-KERNEL" slot)))))
