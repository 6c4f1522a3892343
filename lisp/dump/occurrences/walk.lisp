;;;; Walk code: tell what each symbol in a form is there for.
;;;;
;;;; Standard operators (CLHS) are known to *WALKERS*.  Arguments of functions are forms.  What the macro of a
;;;; program makes of its arguments is unknown: names there are mentions, unless a standard form around them tells.

(in-package "OBLIST")

(defvar *walkers* (make-hash-table :test 'eq)
  "Functions that walk the arguments of standard operators: of the list of argument nodes.")

(defmacro define-walker (names lambda-list &body body)
  "Define how the arguments of the operators NAMES are walked: BODY, with LAMBDA-LIST bound to their nodes."
  (let ((arguments (gensym)))
    `(let ((walker (lambda (,arguments)
                     (destructuring-bind (,@lambda-list) ,arguments
                       ,@body))))
       (dolist (name ',names)
         (setf (gethash name *walkers*) walker)))))

(defun walk (node)
  "Walk the form NODE."
  (ecase (node-kind node)
    (:symbol (walk-variable node))
    (:list (walk-list node))
    (:quote (walk-quoted (first (node-children node))))
    (:function (walk-function-name (first (node-children node)) :names))
    (:backquote (unless *template*
                  (walk-as-code (first (node-children node)))
                  (walk-template (first (node-children node)) 1)))
    (:comma (walk (first (node-children node))))
    (:read-time (with-empty-scope () (walk (first (node-children node)))))
    (:data (mapc #'walk-datum (node-children node)))
    (:unknown (walk-all-uncertain (node-children node)))
    (:keyword (note node :mentions))
    ((:uninterned :string :atom :hole))))

(defun walk-forms (nodes)
  (mapc #'walk nodes))

(defun walk-variable (node)
  "Walk the symbol NODE where a form is expected."
  (let ((symbol (node-symbol node)))
    (cond ((null symbol) (note-if-certain node :references))
          ((not *certain*) (note node :mentions))
          ((member symbol *local-variables*) (skip-local node))
          ((or (global-variable-p symbol) (symbol-macro-p symbol)) (note node :references))
          (t (note node :mentions)))))

(defun symbol-macro-p (symbol)
  (eq (variable-kind symbol) :macro))

(defun walk-uncertain (node)
  (let ((*certain* nil))
    (walk node)))

(defun walk-all-uncertain (nodes)
  (mapc #'walk-uncertain nodes))

;;; Lists

(defmacro with-caller ((definition start) &body body)
  "Run BODY with DEFINITION, which the text at START makes, as the caller; NIL leaves it as it is."
  (let ((made (gensym)))
    `(let* ((,made ,definition)
            (*caller* (or ,made *caller*))
            (*caller-form* (if ,made ,start *caller-form*)))
       ,@body)))

(defun walk-list (node)
  "Walk the list NODE, a form; if it makes a definition, that is the caller from here on."
  (let* ((start (node-start node))
         (definitions (gethash (place-key *file* start) *definitions-at*))
         (operator (node-symbol (first (node-children node))))
         (made (and definitions operator
                    (or (macro-function operator) (special-operator-p operator))
                    (definition-at *file* start))))
    (when definitions
      (note-defined (second (node-children node)) definitions))
    (with-caller (made start)
      (walk-call node operator))))

(defun note-defined (node definitions)
  "Note that NODE, the second element of a form that makes DEFINITIONS, is the name of one of them."
  (when node
    (let ((name (if (list-node-p node) (first (node-children node)) node)))
      (when (member (node-symbol name) '(setf sb-ext:cas))
        (setf name (second (node-children node))))
      (when (and (symbol-node-p name)
                 (find (node-symbol name) definitions :key #'defined-symbol))
        (note name :defines)))))

(defun walk-call (node operator)
  (destructuring-bind (&optional head &rest arguments) (node-children node)
    (cond ((null head))
          ((list-node-p head) (walk-list-operator head arguments))
          ((not (symbol-node-p head)) (walk-all-uncertain (node-children node)))
          ((walk-local-call head arguments))
          ((null operator)
           (walk-variable head)
           (walk-all-uncertain arguments))
          ((gethash operator *walkers*) (walk-standard node head operator arguments))
          ((macro-function operator)
           (note-if-certain head :macroexpands)
           (walk-all-uncertain arguments))
          ((fboundp operator)
           (note-if-certain head :calls)
           (walk-forms arguments))
          (t                            ; a function that is not defined, or CALL-NEXT-METHOD
             (note-if-certain head :calls)
             (if *certain* (walk-forms arguments) (walk-all-uncertain arguments))))))

(defun walk-local-call (head arguments)
  "If HEAD names a local function or macro, walk the form that calls it, and return true."
  (let* ((operator (node-identity head))
         (function-p (and operator (member operator *local-functions*))))
    (when (or function-p (and operator (member operator *local-macros*)))
      (skip-local head)
      (unless function-p
        (push (node-start head) *macro-heads*))
      (if function-p (walk-forms arguments) (walk-all-uncertain arguments))
      t)))

(defun walk-list-operator (head arguments)
  "Walk a form whose operator is a list: a lambda expression, or part of the syntax of a macro."
  (if (eq (node-symbol (first (node-children head))) 'lambda)
      (walk-list head)
      (walk-uncertain head))
  (walk-forms arguments))

(defparameter *clear-operators*
  '(let let* lambda flet labels macrolet symbol-macrolet if when unless cond progn setf setq psetf incf decf push
    pushnew dolist dotimes do do* loop multiple-value-bind multiple-value-list destructuring-bind
    handler-case handler-bind ignore-errors unwind-protect block return-from with-slots with-accessors
    with-open-file with-output-to-string prog1 funcall apply defun defmethod defmacro defclass defgeneric
    defvar defparameter defstruct define-condition)
  "Standard operators that mean themselves wherever a list begins with them, but for quoted lists: AND, OR,
LIST and the like also occur in patterns and clauses of macros.")

(defun note-renaming (node bindings)
  "Remember that NODE is a form with BINDINGS that rename."
  (when (and bindings (not *template*))
    (push (list (node-start node) (node-end node) (node-start bindings) (node-end bindings)) *renamings*)))

(defun walk-standard (node head operator arguments)
  "Walk NODE, a form of a standard OPERATOR; if its ARGUMENTS do not fit, they are part of something else."
  (let ((*certain* (or *certain* (and (member operator *clear-operators*) t))))
    (note-if-certain head (cond ((eq operator 'declare) :declares)
                                ((special-operator-p operator) :calls)
                                ((macro-function operator) :macroexpands)
                                (t :calls)))
    (when (member operator '(with-accessors symbol-macrolet macrolet))
      (note-renaming node (first arguments)))
    (walk-standard-arguments operator arguments)))

(defun walk-standard-arguments (operator arguments)
  "Walk the ARGUMENTS of a standard OPERATOR; if its walker refuses them, they are not the operator's."
  (handler-case (funcall (gethash operator *walkers*) arguments)
    (error () (walk-all-uncertain arguments))))

;;; Names of functions

(defun setf-operator (symbol)
  "The position of SETF in *OPERATORS* when (SETF SYMBOL) is a function or SYMBOL has a setf expander, else 0."
  (if (and symbol (or (setf-expander symbol) (ignore-errors (fboundp `(setf ,symbol)))))
      (position 'setf *operators*)
      0))

(defun local-function-p (node)
  "True when NODE names a local function."
  (let ((name (node-identity node)))
    (and name (member name *local-functions*) t)))

(defun walk-function-name (node relation)
  "Walk NODE, a function's name or a lambda expression."
  (cond ((not (list-node-p node))
         (if (local-function-p node)
             (skip-local node)
             (note node relation)))
        (t
         (destructuring-bind (&optional head name &rest rest) (node-children node)
           (declare (ignore rest))
           (case (node-symbol head)
             ((setf sb-ext:cas)
              (note head :names)
              (when name
                (note name relation (position (node-symbol head) *operators*))))
             (t (if (eq relation :declares) (walk-uncertain node) (walk node))))))))

(defun walk-place (node &optional changed)
  "Walk NODE, a place that is written to (CLHS 5.1); a place that is CHANGED is read as well."
  (case (node-kind node)
    (:symbol
     (let ((symbol (node-symbol node)))
       (cond ((member symbol *local-variables*) (skip-local node))
             ((and symbol (global-variable-p symbol)) (note-if-certain node :sets))
             (t (note node (if (and symbol (symbol-macro-p symbol)) :sets :mentions))))))
    (:list
     (destructuring-bind (&optional head &rest arguments) (node-children node)
       (let ((operator (node-symbol head)))
         (cond ((walk-local-call head arguments))
               ((null operator) (walk node))
               ((member operator '(values the truly-the))
                (note head :names)
                (unless (eq operator 'values)
                  (when arguments (walk-type (pop arguments) :tests)))
                (dolist (argument arguments) (walk-place argument changed)))
               (t
                (note-accessor head operator changed)
                (cond ((not (gethash operator *walkers*))
                       (if (macro-function operator) (walk-all-uncertain arguments) (walk-forms arguments)))
                      ((or (macro-function operator) (special-operator-p operator)) (walk-forms arguments))
                      (t (walk-standard-arguments operator arguments))))))))
    (t (walk node))))

;;; What is not evaluated

(defun walk-quoted (node)
  "Walk NODE, which is quoted: a symbol is named, a list holds data."
  (if (symbol-node-p node)
      (note node :names)
      (walk-datum node)))

(defun walk-datum (node)
  "Walk NODE, data: its symbols are only mentioned."
  (case (node-kind node)
    ((:symbol :keyword) (note node :mentions))
    ((:comma :read-time) (walk node))
    (t (mapc #'walk-datum (node-children node)))))

(defun call-without-code (template function)
  "Call FUNCTION while what is evaluated in TEMPLATE, after commas and at read time, are holes."
  (let ((hidden '()))
    (labels ((hide (node)
               (cond ((member (node-kind node) '(:comma :read-time))
                      (push (list node (node-kind node) (node-children node)) hidden)
                      (setf (node-kind node) :hole
                            (node-children node) '()))
                     (t (mapc #'hide (node-children node))))))
      (hide template)
      (funcall function)
      (loop for (node kind children) in hidden
            do (setf (node-kind node) kind
                     (node-children node) children)))))

(defun walk-as-code (template)
  "Note what TEMPLATE, which is backquoted, will instantiate, handle, test, declare or inherit from; all other names in
it are left for WALK-TEMPLATE."
  (call-without-code template (lambda ()
                                (let ((*template* t))
                                  (with-empty-scope () (walk template))))))

(defun walk-template (node depth)
  "Walk NODE inside DEPTH backquotes: its symbols are named by the form it makes; what follows a comma is code."
  (case (node-kind node)
    (:symbol (note node :names))
    (:keyword (note node :mentions))
    (:backquote (walk-template (first (node-children node)) (1+ depth)))
    (:comma (if (= depth 1)
                (walk (first (node-children node)))
                (walk-template (first (node-children node)) (1- depth))))
    (:read-time (walk node))
    (t (dolist (child (node-children node)) (walk-template child depth)))))

;;; Bodies

(defun walk-body (nodes)
  "Walk NODES, the declarations and forms of a body; the declarations are walked first."
  (with-scope ()
    (dolist (node nodes)
      (when (and (list-node-p node) (eq (node-symbol (first (node-children node))) 'declare))
        (note-special-variables node)))
    (walk-forms nodes)))

(defun note-special-variables (declaration)
  "Forget, in this scope, the local variables that DECLARATION says are special."
  (dolist (node (rest (node-children declaration)))
    (when (and (list-node-p node) (eq (node-symbol (first (node-children node))) 'special))
      (dolist (variable (rest (node-children node)))
        (setf *local-variables* (remove (node-symbol variable) *local-variables*))))))
