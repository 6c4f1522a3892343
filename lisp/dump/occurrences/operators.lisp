;;;; Walk the arguments of standard operators as the grammar says.
;;;;
;;;; A description is made into a function of a list of nodes, which finds out whether they fit and gathers what is to
;;;; be done with each: first what is evaluated outside, then what binds names, then what sees these.

(in-package "OBLIST")

(defvar *outside* '() "What is to be done before names are bound: a list of functions, the last first.")
(defvar *binding* '() "What binds names.")
(defvar *inside* '() "What is to be done where they are visible.")

(defun gathered (function argument)
  "As three values, what FUNCTION gathers when it is called with ARGUMENT, pass by pass and each in order."
  (let ((*outside* '()) (*binding* '()) (*inside* '()))
    (funcall function argument)
    (values (nreverse *outside*) (nreverse *binding*) (nreverse *inside*))))

(defun do-in-scope (outside binding inside)
  "Do what was gathered, in a scope of its own."
  (with-scope ()
    (mapc #'funcall outside)
    (mapc #'funcall binding)
    (mapc #'funcall inside)))

;;; Terms

(defvar *terms* (make-hash-table :test 'eq)
  "What the terms of the grammar are: lists of a pass and a function of a node.")

(defmacro define-term (name pass (node) &body body)
  "Define that of a node which is a NAME, BODY is done in the PASS."
  `(setf (gethash ',name *terms*) (list ',pass (lambda (,node) ,@body))))

(define-term form *outside* (node) (walk node))
(define-term open-form *outside* (node) (walk node))
(define-term uncertain *outside* (node) (walk-uncertain node))
(define-term quoted *outside* (node) (walk-quoted node))
(define-term datum *outside* (node) (walk-datum node))
(define-term nothing *outside* (node) (declare (ignore node)))
(define-term name *outside* (node) (note node :names))
(define-term named *outside* (node) (walk-named node))
(define-term function-name *outside* (node) (walk-function-name node :names))
(define-term named-function *outside* (node)
  (if (list-node-p node) (walk-function-name node :names) (walk-named node)))
(define-term declaration *outside* (node) (walk-declaration node))
(define-term declaration-argument *outside* (node)
  (if (member (node-kind node) '(:quote :backquote))
      (walk-declaration (first (node-children node)))
      (walk node)))
(define-term place *outside* (node) (walk-place node))
(define-term changed-place *outside* (node) (walk-place node t))
(define-term local *outside* (node) (skip-local node))
(define-term block-name *outside* (node) (skip-local node))
(define-term block-used *outside* (node) (skip-local node))
(define-term tag-used *outside* (node) (skip-local node))
(define-term inherited *outside* (node) (note node :inherits))
(define-term slot-name *outside* (node) (note-slot-name node))
(define-term initarg *outside* (node)
  (if (eq (node-kind node) :keyword) (note-initarg node) (walk-named node)))
(define-term class-argument *outside* (node)
  (if (quoted-name-p node) (note (first (node-children node)) :instantiates) (walk node)))
(define-term slot-argument *outside* (node)
  (if (quoted-name-p node) (note-slot-name (first (node-children node))) (walk node)))
(define-term defined *outside* (node) (note-definition node))
(define-term defined-function *outside* (node) (note-definition node))
(define-term defined-operator *outside* (node) (note-definition node))
(define-term package-name *outside* (node) (walk-datum node))
(define-term defined-accessor *outside* (node)
  (if (list-node-p node) (walk-function-name node :defines) (note node :defines)))
(define-term variable *binding* (node) (bind-variable node))
(define-term symbol-macro *binding* (node) (bind-variable node))
(define-term slot-variable *binding* (node)
  (note-slot-name node)
  (when (node-symbol node)
    (push (node-symbol node) *local-variables*)))
(define-term symbol-macros *binding* (node)
  (let ((bindings (mapcar (lambda (one) (if (list-node-p one) (node-children one) (list one)))
                          (node-children node))))
    (mapc #'walk-forms (mapcar #'rest bindings))
    (mapc #'bind-variable (mapcar #'first bindings))))
(define-term lambda-list *binding* (node) (bind-lambda-list node))
(define-term destructuring-lambda-list *binding* (node) (bind-lambda-list node :destructuring t))
(define-term macro *binding* (node)
  (skip-local node)
  (push (node-identity node) *local-macros*))
(define-term functions *binding* (node)
  (walk-local-definitions node)
  (bind-local-functions node))
(define-term recursive-functions *binding* (node)
  (bind-local-functions node)
  (walk-local-definitions node))
(define-term macros *binding* (node)
  (walk-local-definitions node :destructuring t)
  (setf *local-macros* (append (mapcar #'local-function-name (node-children node)) *local-macros*)))
(define-term generic-function-option *outside* (node) (walk-generic-function-option node))

(defun quoted-name-p (node)
  (and (eq (node-kind node) :quote)
       (symbol-node-p (first (node-children node)))))

(defun walk-named (node)
  "Walk NODE, which may be a name, a form or options."
  (if (symbol-node-p node) (note node :names) (walk-uncertain node)))

(defun note-definition (name)
  "Note NAME, the name of a definition: a symbol, (SETF SYMBOL), or another list."
  (cond ((not (list-node-p name)) (note name :defines))
        ((member (node-symbol (first (node-children name))) '(setf sb-ext:cas))
         (walk-function-name name :defines))
        (t (walk-datum name))))

(defun walk-lambda (lambda-list body &key destructuring specialized)
  (with-scope ()
    (bind-lambda-list lambda-list :destructuring destructuring :specialized specialized)
    (walk-body body)))

(defun local-function-name (node)
  "The identity of the local function that NODE defines; its name is local."
  (let ((name (first (node-children node))))
    (cond ((list-node-p name)
           (mapc #'skip-local (node-children name))
           nil)
          (t (skip-local name)
             (node-identity name)))))

(defun bind-local-functions (definitions)
  (setf *local-functions* (append (mapcar #'local-function-name (node-children definitions))
                                  *local-functions*)))

(defun walk-local-definitions (definitions &key destructuring)
  (dolist (definition (node-children definitions))
    (destructuring-bind (name &optional lambda-list &rest body) (node-children definition)
      (declare (ignore name))
      (when lambda-list
        (walk-lambda lambda-list body :destructuring destructuring)))))

(defun walk-tagged (nodes)
  "Walk NODES, the tags and forms of a TAGBODY."
  (dolist (node nodes)
    (if (symbol-node-p node) (skip-local node) (walk node))))

(defun walk-method (qualifiers-and-rest)
  "Walk the qualifiers, the lambda list and the body of a method."
  (let ((rest (member-if #'list-node-p qualifiers-and-rest)))
    (mapc #'walk-datum (ldiff qualifiers-and-rest rest))
    (when rest
      (walk-lambda (first rest) (rest rest) :specialized t))))

(defun walk-generic-function-option (option)
  (destructuring-bind (key &rest arguments) (node-children option)
    (case (node-symbol key)
      (:method (with-caller ((definition-at *file* (node-start option)) (node-start option))
                 (walk-method arguments)))
      (declare (walk option))
      (:argument-precedence-order (mapc #'skip-local arguments))
      (t (mapc #'walk-named arguments)))))

(defun walk-initargs (nodes)
  "Walk NODES, initargs and their values."
  (loop for (initarg value) on nodes by #'cddr
        do (if (eq (node-kind initarg) :keyword) (note-initarg initarg) (walk initarg))
           (when value (walk value))))

(defun walk-condition (designator arguments)
  (cond ((quoted-name-p designator)
         (note (first (node-children designator)) :instantiates)
         (walk-initargs arguments))
        (t (walk designator)
           (walk-forms arguments))))

;;; Descriptions -> functions

(defun unfit ()
  (error "These are not the arguments of the operator."))

(defun in-pass (pass function)
  "A function of a node, which is to be called with FUNCTION in the PASS."
  (ecase pass
    (*outside* (lambda (node) (push (lambda () (funcall function node)) *outside*)))
    (*binding* (lambda (node) (push (lambda () (funcall function node)) *binding*)))
    (*inside* (lambda (node) (push (lambda () (funcall function node)) *inside*)))))

(defun thing-function (thing)
  "A function of a node, for what the description THING says of one argument."
  (cond ((keywordp thing) (thing-function (second (assoc thing *grammar*))))
        ((symbolp thing)
         (destructuring-bind (pass function) (or (gethash thing *terms*) (error "There is no term ~S." thing))
           (in-pass pass function)))
        (t (case (first thing)
             (or (or-function (second thing) (third thing)))
             (atom (or-function (second thing) nil))
             (in (inside-function (second thing)))
             (in-order (in-order-function (second thing)))
             (each (each-function (second thing)))
             (by-key (by-key-function (rest thing)))
             (type (let ((relation (second thing)))
                     (in-pass '*outside* (lambda (node) (walk-type node relation)))))
             (key (let ((relation (second thing)))
                    (in-pass '*outside* (lambda (node)
                                          (if (member (node-symbol node) '(otherwise t))
                                              (walk-datum node)
                                              (walk-type node relation))))))
             (type-argument (let ((relation (second thing)))
                              (in-pass '*outside* (lambda (node) (walk-type-argument node relation)))))
             (t (let ((function (arguments-function thing)))
                  (unless-hole (lambda (node) (funcall function (node-children node))))))))))

(defun unless-hole (function)
  "A function that calls FUNCTION with a node, unless that is a hole in a template, where anything may come."
  (lambda (node)
    (unless (eq (node-kind node) :hole)
      (funcall function node))))

(defun or-function (atom list)
  "A function of a node, which is an ATOM or a LIST; NIL stands for none."
  (let ((atom (thing-function atom)) (list (and list (thing-function list))))
    (lambda (node)
      (funcall (cond ((not (list-node-p node)) atom) (list) (t (unfit))) node))))

(defun inside-function (thing)
  (let ((function (thing-function thing)))
    (lambda (node)
      (setf *inside* (revappend (multiple-value-call #'append (gathered function node)) *inside*)))))

(defun in-order-function (thing)
  "A function of a node, which binds its names before what comes first in the next node is done."
  (let ((function (thing-function thing)))
    (lambda (node)
      (multiple-value-bind (outside binding inside) (gathered function node)
        (setf *binding* (revappend binding (revappend outside *binding*))
              *inside* (revappend inside *inside*))))))

(defun each-function (thing)
  (let ((function (thing-function thing)))
    (lambda (node)
      (let ((steps (multiple-value-list (gathered function node))))
        (push (lambda () (apply #'do-in-scope steps)) *outside*)))))

(defun clause-for (symbol clauses)
  "The rest of the one of CLAUSES that is for the keyword SYMBOL, or for all others."
  (loop for (keys . rest) in clauses
        when (or (eq keys t)
                 (if (listp keys) (member symbol keys) (eq symbol keys)))
          return rest))

(defun by-key-function (clauses)
  (let ((clauses (loop for (keys . arguments) in clauses
                       collect (cons keys (arguments-function arguments)))))
    (unless-hole
     (lambda (node)
       (destructuring-bind (key &rest arguments) (if (list-node-p node) (node-children node) (list node))
         (funcall (clause-for (node-symbol key) clauses) arguments))))))

(defun keys-function (clauses)
  "A function of nodes that are pairs of a keyword and a value."
  (let ((clauses (loop for (keys thing) in clauses
                       collect (cons keys (thing-function thing)))))
    (lambda (nodes)
      (loop for (key value) on nodes by #'cddr
            do (when value
                 (funcall (clause-for (node-symbol key) clauses) value))))))

(defun to-the-end (pass function)
  "A function of nodes, all of which are to be walked by FUNCTION."
  (ecase pass
    (*outside* (lambda (nodes) (push (lambda () (funcall function nodes)) *outside*)))
    (*inside* (lambda (nodes) (push (lambda () (funcall function nodes)) *inside*)))))

(defun arguments-function (description)
  "A function of a list of nodes, for arguments of this DESCRIPTION.  It signals an error if they do not fit."
  (destructuring-bind (&optional (first nil more) &rest rest) description
    (cond ((not more) (lambda (nodes) (when nodes (unfit))))
          ((and (consp first) (eq (first first) 'either)) (either-function (rest first)))
          (t (case first
               (&optional (optional-function rest))
               (&rest (rest-function (first rest) (third rest)))
               (&pairs (pairs-function (thing-function (first rest)) (thing-function (second rest))))
               (&keys (keys-function rest))
               (&options (options-function (thing-function (first rest)) (arguments-function (rest rest))))
               (&body (to-the-end '*inside* #'walk-body))
               (&tags (to-the-end '*inside* #'walk-tagged))
               (&initargs (to-the-end '*outside* #'walk-initargs))
               (&method (to-the-end '*inside* #'walk-method))
               (&condition (lambda (nodes)
                             (unless nodes (unfit))
                             (push (lambda () (walk-condition (first nodes) (rest nodes))) *outside*)))
               (t (let ((thing (thing-function first)) (others (arguments-function rest)))
                    (lambda (nodes)
                      (unless nodes (unfit))
                      (funcall thing (first nodes))
                      (funcall others (rest nodes))))))))))

(defun optional-function (description)
  (if (member (first description) '(nil &rest &keys &body))
      (arguments-function description)
      (let ((thing (thing-function (first description)))
            (others (optional-function (rest description))))
        (lambda (nodes)
          (when nodes
            (funcall thing (first nodes))
            (funcall others (rest nodes)))))))

(defun rest-function (thing last)
  (let ((thing (thing-function thing))
        (last (and last (thing-function last))))
    (lambda (nodes)
      (loop for (node . more) on nodes
            do (funcall (if (and last (null more)) last thing) node)))))

(defun pairs-function (one other)
  (lambda (nodes)
    (loop for (first second) on nodes by #'cddr
          do (funcall one first)
             (when second (funcall other second)))))

(defun options-function (thing others)
  (lambda (nodes)
    (loop while (and (rest nodes) (eq (node-kind (first nodes)) :keyword))
          do (pop nodes)
             (funcall thing (pop nodes)))
    (funcall others nodes)))

(defun either-function (descriptions)
  (destructuring-bind (first second) (mapcar #'arguments-function descriptions)
    (lambda (nodes)
      (let ((passes (list *outside* *binding* *inside*)))
        (handler-case (funcall first nodes)
          (error ()
            (setf (values *outside* *binding* *inside*) (values-list passes))
            (funcall second nodes)))))))

;;; Operators

(defun know-grammar ()
  "Make the operators of the grammar known to the walk."
  (loop for (operators . description) in *grammar*
        do (unless (keywordp operators)
             (let ((function (arguments-function description)))
               (dolist (operator (if (listp operators) operators (list operators)))
                 (setf (gethash operator *walkers*)
                       (lambda (nodes)
                         (multiple-value-call #'do-in-scope (gathered function nodes)))))))))

(know-grammar)
