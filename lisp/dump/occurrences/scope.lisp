;;;; Scope: the local variables, functions and macros around a form.

(in-package "OBLIST")

(defvar *local-variables* '() "The symbols bound as local variables around the current form.")
(defvar *local-functions* '() "The names of the local functions around the current form.")
(defvar *local-macros* '() "The names of the local macros around the current form.")

(defvar *own-text* nil
  "True in a file of the project's own systems.")

(defun own-name-p (symbol)
  "True when SYMBOL, which is not indexed everywhere, is indexed here: in the project's own files, unless it is local."
  (and *own-text*
       (not (eql symbol +no-symbol+))
       (symbol-number symbol)
       (not (local-variable-p symbol))))

(defun local-variable-p (symbol)
  (member symbol *local-variables* :test #'eq))

(defmacro with-scope (() &body body)
  "Run BODY, in which bindings may be added; they end with it."
  `(let ((*local-variables* *local-variables*)
         (*local-functions* *local-functions*)
         (*local-macros* *local-macros*))
     ,@body))

(defmacro with-empty-scope (() &body body)
  "Run BODY, a form that is evaluated elsewhere, without the bindings around it."
  `(let ((*local-variables* '()) (*local-functions* '()) (*local-macros* '()))
     ,@body))

(defun global-variable-p (symbol)
  "True when SYMBOL always names a global or special variable, or a constant."
  (member (variable-kind symbol) '(:special :constant :global :alien)))

(defun bind-variable (node)
  "Bind the variable that NODE names from here on; NIL and lambda list keywords are none."
  (let ((symbol (node-symbol node)))
    (cond ((not (symbol-node-p node)) (walk-datum node))
          ((or (null symbol) (lambda-list-keyword-p symbol)) (note node :names))
          ((global-variable-p symbol) (note-if-certain node :binds))
          (t (skip-local node)
             (push symbol *local-variables*)))))

(defun lambda-list-keyword-p (symbol)
  (member symbol lambda-list-keywords :test #'eq))

;;; Lambda lists (CLHS 3.4)

(defun bind-lambda-list (node &key destructuring specialized)
  "Walk the lambda list NODE and bind its variables.  With DESTRUCTURING, a required parameter may be a
lambda list again; with SPECIALIZED, it may have a specializer."
  (let ((section :required))
    (dolist (child (if (list-node-p node) (node-children node) (list node)))
      (let ((symbol (node-symbol child)))
        (cond ((and symbol (lambda-list-keyword-p symbol))
               (note child :names)
               (setf section symbol))
              ((not (list-node-p child)) (bind-variable child))
              ((eq section :required)
               (cond (specialized (bind-specialized child))
                     (destructuring (bind-lambda-list child :destructuring t))
                     (t (walk-uncertain child))))
              ((member section '(&rest &body &whole &environment))
               (if destructuring
                   (bind-lambda-list child :destructuring t)
                   (walk-uncertain child)))
              (t (bind-optional child destructuring (eq section '&key))))))))

(defun bind-optional (node destructuring keyword)
  "Walk a parameter (VAR INIT SUPPLIED), or with KEYWORD, one that may be ((KEYWORD VAR) INIT SUPPLIED)."
  (destructuring-bind (&optional variable init supplied &rest rest) (node-children node)
    (declare (ignore rest))
    (when init (walk init))
    (cond ((not (list-node-p variable)) (when variable (bind-variable variable)))
          ((and keyword (member (node-kind (first (node-children variable))) '(:keyword :symbol :quote)))
           (let ((name (first (node-children variable)))
                 (pattern (second (node-children variable))))
             (cond ((null pattern) (bind-lambda-list variable :destructuring t))
                   (t (when (symbol-node-p name) (note name :names))
                      (if destructuring
                          (bind-lambda-list pattern :destructuring t)
                          (bind-variable pattern))))))
          (t (bind-lambda-list variable :destructuring t)))
    (when supplied (bind-variable supplied))))

(defun bind-specialized (node)
  "Walk a parameter (VAR CLASS) or (VAR (EQL FORM)) of a method."
  (destructuring-bind (variable &optional class &rest rest) (or (node-children node) (list node))
    (declare (ignore rest))
    (cond ((list-node-p class)
           (note (first (node-children class)) :names)
           (mapc #'walk (rest (node-children class))))
          (class (note class :specializes)))
    (bind-variable variable)))

;;; Declarations (CLHS 3.3)

(defun walk-declaration (node)
  "Walk one declaration specifier."
  (case (node-kind node)
    (:read-time (walk node))            ; #.*OPTIMIZATION*
    (:symbol (note node :declares))
    (:list
     (walk-declaration-parts (node-children node)))))

(defun walk-declaration-parts (parts)
  (destructuring-bind (&optional identifier &rest arguments) parts
    (cond ((null identifier))
          ((list-node-p identifier)     ; ((INTEGER 0 9) VAR ..)
           (walk-type identifier :declares)
           (walk-declared-names arguments *local-variables*))
          (t
           (note identifier :declares)
           (case (node-symbol identifier)
             (type
              (when arguments (walk-type (first arguments) :declares))
              (walk-declared-names (rest arguments) *local-variables*))
             (ftype
              (when arguments (walk-type (first arguments) :declares))
              (walk-declared-names (rest arguments) *local-functions*))
             ((inline notinline sb-ext:maybe-inline)
              (walk-declared-names arguments *local-functions*))
             ((optimize declaration sb-ext:muffle-conditions sb-ext:unmuffle-conditions
               sb-ext:disable-package-locks sb-ext:enable-package-locks)
              (dolist (argument arguments) (walk-type argument :declares)))
             (t (walk-declared-names arguments *local-variables*)))))))

(defun walk-declared-names (nodes locals)
  "Walk NODES, names of variables or functions in a declaration; LOCALS are the local ones."
  (dolist (node nodes)
    (case (node-kind node)
      (:function (walk-declared-names (node-children node) *local-functions*))
      (:list (walk-function-name node :declares))
      (t (if (member (node-identity node) locals)
             (skip-local node)
             (note node :declares))))))

;;; Types (CLHS 4.2)

(defun walk-type (node relation)
  "Walk the type specifier NODE: all type names in it have this RELATION."
  (case (node-kind node)
    (:symbol (note node relation))
    (:list
     (destructuring-bind (&optional name &rest arguments) (node-children node)
       (when name
         (walk-type name relation)
         (case (node-symbol name)
           ((member eql) (mapc #'walk-datum arguments))
           (satisfies (dolist (argument arguments) (note argument :names)))
           (t (dolist (argument arguments) (walk-type argument relation)))))))
    ((:comma :read-time) (walk node))
    ((:quote :backquote) (walk-type (first (node-children node)) relation))
    (t (walk-datum node))))

(defun walk-type-argument (node relation)
  "Walk the argument NODE of a function that takes a type specifier: quoted, the types in it have this RELATION."
  (if (and node (member (node-kind node) '(:quote :backquote)))
      (walk-type (first (node-children node)) relation)
      (when node (walk node))))
