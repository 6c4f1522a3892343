;;;; What no standard tells, by implementation: everything here that is neither Common Lisp nor the metaobject protocol.
;;;;
;;;; A new implementation needs the package of its metaobject protocol.  The rest has a portable answer, which says that
;;;; something is not known: then name it in *LEFT-OUT*.

(in-package "OBLIST-RECORDS")

(import (mapcar (lambda (name) (or (find-symbol name #+ecl "CLOS" #+sbcl "SB-MOP" #-(or ecl sbcl) "CLOSER-MOP")
                                   (error "The metaobject protocol has no ~A." name)))
                '("CLASS-DIRECT-SLOTS" "CLASS-DIRECT-SUPERCLASSES" "CLASS-PRECEDENCE-LIST" "CLASS-FINALIZED-P"
                  "CLASS-DIRECT-DEFAULT-INITARGS" "EQL-SPECIALIZER" "EQL-SPECIALIZER-OBJECT"
                  "GENERIC-FUNCTION-LAMBDA-LIST" "GENERIC-FUNCTION-METHODS"
                  "METHOD-LAMBDA-LIST" "METHOD-SPECIALIZERS"
                  "SLOT-DEFINITION-ALLOCATION" "SLOT-DEFINITION-INITARGS" "SLOT-DEFINITION-INITFORM"
                  "SLOT-DEFINITION-INITFUNCTION" "SLOT-DEFINITION-NAME" "SLOT-DEFINITION-READERS"
                  "SLOT-DEFINITION-TYPE" "SLOT-DEFINITION-WRITERS"))
        "OBLIST-RECORDS")

(defvar *left-out*
  (append '("references" "types" "argument-counts" "form-numbers" "structures" "components" "deprecation")
          #-ecl '("files" "extents"))
  "The parts of the format that are not written, by the names that docs/formats/records.md has for them.")

(defun known-lambda-list (name)
  "The lambda list of the function or macro NAME, and whether it is known."
  #+ecl (ext:function-lambda-list (if (consp name) (fdefinition name) name))
  #+sbcl (let ((function (or (and (symbolp name) (macro-function name)) (fdefinition name))))
           (values (sb-kernel:%fun-lambda-list function) t))
  #-(or ecl sbcl) (multiple-value-bind (expression closed own-name)
                      (function-lambda-expression (fdefinition name))
                    (declare (ignore closed own-name))
                    (values (second expression) (and expression t))))

(defun special-variable-p (symbol)
  "True when SYMBOL is proclaimed special, if that can be known, or has a value."
  (or (boundp symbol)
      #+ecl (si:specialp symbol)
      #+sbcl (eq (sb-int:info :variable :kind symbol) :special)))

(defun setf-expander-p (symbol)
  "True when DEFSETF or DEFINE-SETF-EXPANDER has defined how to set a place that begins with SYMBOL."
  #+ecl (and (si:get-sysprop symbol 'si::setf-method) t)
  #+sbcl (and (sb-int:info :setf :expander symbol) t))

(defun type-expander-p (symbol)
  "True when DEFTYPE has defined SYMBOL."
  #+ecl (and (si:get-sysprop symbol 'si::deftype-definition) (not (find-class symbol nil)))
  #+sbcl (and (sb-int:info :type :expander symbol) t))

(defun locked-p (package)
  #+ecl (ext:package-locked-p package)
  #+sbcl (sb-ext:package-locked-p package)
  #-(or ecl sbcl) (progn package nil))

(defun local-nicknames (package)
  "The package-local nicknames of PACKAGE: conses of nickname and package."
  #+ecl (ext:package-local-nicknames package)
  #+sbcl (sb-ext:package-local-nicknames package)
  #-(or ecl sbcl) (progn package nil))

(defun structure-slot-accessor (class slot-name)
  "The function that reads the slot SLOT-NAME of the structure CLASS, and whether nothing sets it; NIL if not known."
  #+ecl (let ((slot (find slot-name (si:get-sysprop (class-name class) 'si:structure-slot-descriptions)
                          :key #'first)))
          (values (sixth slot) (fourth slot)))
  #-ecl (progn class slot-name nil))

(defun source-places (name)
  "Where the forms are that define NAME, as far as that is known: lists of the head of the form, such as
(DEFMETHOD NAME (X INTEGER)), a pathname, and the position in bytes after which the toplevel form begins."
  #+ecl (loop for (form file . position) in (ext:get-annotation (if (consp name) (second name) name)
                                                                'ext:location :all)
              when (equal (second form) name)
                collect (list form file position))
  #-ecl (progn name '()))
