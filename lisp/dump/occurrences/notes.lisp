;;;; Occurrences: the places where the text of a file has a symbol of the index.
;;;;
;;;; SBCL records which code uses a name, but only for calls, expansions and variables.  The text shows the rest:
;;;; classes that are instantiated, types that are declared, names that are exported or quoted.
;;;;
;;;; In all files those symbols count that have a definition or that a package exports; a keyword counts only where it is
;;;; an initarg, and the name of a slot only where slots are named.  In the project's own files every other name counts
;;;; too that is not local: what is quoted, the keys of CASE, the arguments of macros, and all keywords.

(in-package "OBLIST")

(defvar *template* nil
  "True while a backquoted form is walked as the code that it will be.")

(defstruct (occurrence (:constructor make-occurrence
                           (offset length symbol operator relation caller form toplevel-form)))
  (offset 0 :type fixnum)
  (length 0 :type fixnum)
  symbol
  (operator 0 :type fixnum)             ; its position in *OPERATORS*
  (relation 0 :type fixnum)             ; its position in *RELATIONS*
  (caller nil)                          ; the number of the definition around it, or NIL
  (form nil)                            ; the offset of the form that makes that definition, or NIL
  (toplevel-form 0 :type fixnum)
  (template *template*)                 ; true when it is what a backquoted form will do
  (claims '() :type list))              ; the relations and operators of SBCL's references to it

(defvar *occurrences* '()
  "The occurrences found in the file so far.")
(defvar *renamings* '()
  "The forms in the file so far whose bindings name what their bodies use under other names: lists of the
form's start and end, and the start and end of its bindings.")
(defvar *unread* '()
  "The texts in the file so far that are not in standard syntax: conses of start and end.")
(defvar *macro-heads* '()
  "The starts of the names of local macros in the forms of the file so far that they expand.")
(defvar *caller* nil
  "The number of the definition around the current form, or NIL.")
(defvar *caller-form* nil
  "The offset of the form that makes the definition around the current form, or NIL.")
(defvar *toplevel-form* 0
  "The number of the current toplevel form.")
(defvar *file* nil
  "The number of the current file.")
(defvar *certain* t
  "False inside the forms of macros that are not standard: what such a macro makes of its arguments is unknown.")
(defvar *note-local* (constantly nil)
  "A function called with the node of each name that is local, or that only marks a place: a block or a tag.")

(defvar *named-symbols* (make-hash-table :test 'eq)
  "The symbols that have a definition or that a package exports.")

(defun indexed-p (symbol)
  "True when SYMBOL is indexed.  In a refresh, what the base has is asked for when it is needed."
  (multiple-value-bind (indexed known) (gethash symbol *named-symbols*)
    (cond (known indexed)
          ((eql symbol +no-symbol+) nil)
          (t (setf (gethash symbol *named-symbols*)
                   (and *base-symbol-count*
                        (<= (or (symbol-number symbol) most-positive-fixnum) *base-symbol-count*)
                        (defined-p symbol)))))))

(defun defined-p (symbol)
  "True when SYMBOL has a definition of any kind."
  (flet ((instances-p (kind name)
           (guarding t (funcall (kind-instances kind) name) (condition) nil)))
    (some (lambda (kind)
            (or (instances-p kind symbol)
                (and (eq (kind-names kind) :function)
                     (not (keywordp symbol))
                     (or (instances-p kind `(setf ,symbol))
                         (instances-p kind `(sb-ext:cas ,symbol))))))
          *kinds*)))

(defun push-occurrence (node symbol relation operator)
  (push (make-occurrence (node-start node) (- (node-end node) (node-start node))
                         symbol operator (relation-number relation)
                         *caller* *caller-form* *toplevel-form*)
        *occurrences*))

(defparameter *relations-of-templates* '(:instantiates :handles :tests :declares :inherits)
  "The relations that a backquoted form has as code would.  Everything else that it mentions is merely named.")

(defun note-symbol (node symbol relation &optional (operator 0))
  "Note that NODE names SYMBOL, an indexed symbol, in this RELATION, unless NODE has been seen."
  (unless (or (node-seen node)
              (and *template* (not (member relation *relations-of-templates*))))
    (setf (node-seen node) t)
    (push-occurrence node symbol relation operator)))

(defun note (node relation &optional (operator 0))
  "Note the symbol that NODE names, if it is indexed, in this RELATION."
  (cond ((not (and node (member (node-kind node) '(:symbol :keyword)))))
        ((and (symbol-node-p node) (indexed-p (node-value node)))
         (note-symbol node (node-value node) relation operator))
        ((own-name-p (node-value node)) (note-symbol node (node-value node) relation operator))
        ((local-variable-p (node-value node)) (skip-local node))
        (*template*)
        (t (setf (node-seen node) t))))

(defun note-accessor (node symbol changed)
  "Note that NODE names SYMBOL as the accessor of a place that is written to.  A place that is CHANGED is read first:
that calls the accessor."
  (let ((operator (setf-operator symbol)))
    (note node :names operator)
    (when (and changed (plusp operator) (not *template*) (indexed-p symbol))
      (push-occurrence node symbol (cond ((not *certain*) :mentions)
                                         ((macro-function symbol) :macroexpands)
                                         (t :calls))
                       0))))

(defun note-if-certain (node relation)
  "Note the symbol that NODE names in this RELATION, or as a mention where the relation is not certain."
  (note node (if *certain* relation :mentions)))

(defun note-slot-name (node)
  "Note the name of a slot, indexed or not."
  (let ((symbol (node-symbol node)))
    (when (and symbol (not (keywordp symbol)) (symbol-number symbol))
      (note-symbol node symbol :names))))

(defun note-initarg (node)
  "Note the initarg that NODE names, indexed or not."
  (let ((symbol (node-symbol node)))
    (when (and symbol (symbol-number symbol))
      (note-symbol node symbol :names))))

(defun skip-local (node)
  "Leave out NODE, which names nothing global."
  (unless (or *template* (node-seen node))
    (setf (node-seen node) t)
    (when (member (node-kind node) '(:symbol :keyword))
      (funcall *note-local* node))))

(defun note-designated (node package relation)
  "Note the symbol of PACKAGE that NODE designates: a symbol of any kind, or a string."
  (let ((name (node-name node)))
    (multiple-value-bind (symbol status) (and name package (find-symbol name package))
      (cond ((and status (indexed-p symbol)) (note-symbol node symbol relation))
            (t (note node relation))))))
