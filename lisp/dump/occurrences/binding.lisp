;;;; The standard operators that bind variables and functions, and those that evaluate their arguments in odd ways.

(in-package "OBLIST")

(define-walker (progn progv if catch throw unwind-protect multiple-value-call multiple-value-prog1
                locally and or when unless prog1 prog2 return ignore-errors multiple-value-list nth-value
                time step load-time-value with-compilation-unit)
    (&rest forms)
  (walk-body forms))

(define-walker (quote) (&optional datum)
  (when datum (walk-quoted datum)))

(define-walker (function) (&optional name)
  (when name (walk-function-name name :names)))

(define-walker (the sb-ext:truly-the) (type &rest forms)
  (walk-type type :tests)
  (walk-forms forms))

(define-walker (declare) (&rest declarations)
  (mapc #'walk-declaration declarations))

(define-walker (eval-when) (situations &rest forms)
  (walk-datum situations)
  (walk-forms forms))

(define-walker (setq psetq) (&rest pairs)
  (loop for (variable value) on pairs by #'cddr
        do (walk-place variable)
           (when value (walk value))))

(define-walker (setf psetf) (&rest pairs)
  (loop for (place value) on pairs by #'cddr
        do (walk-place place)
           (when value (walk value))))

(define-walker (incf decf pop) (place &rest forms)
  (walk-place place t)
  (walk-forms forms))

(define-walker (remf) (place indicator)
  (walk-place place t)
  (walk indicator))

(define-walker (push pushnew) (item place &rest forms)
  (walk item)
  (walk-place place t)
  (walk-forms forms))

(define-walker (shiftf) (&rest places)
  (dolist (place (butlast places)) (walk-place place t))
  (mapc #'walk (last places)))

(define-walker (rotatef) (&rest places)
  (dolist (place places) (walk-place place t)))

(define-walker (multiple-value-setq) (variables &rest forms)
  (mapc #'walk-place (node-children variables))
  (walk-forms forms))

;;; Names of blocks and tags are local

(define-walker (block) (name &rest forms)
  (skip-local name)
  (walk-forms forms))

(define-walker (return-from) (name &rest forms)
  (skip-local name)
  (walk-forms forms))

(define-walker (go) (tag)
  (skip-local tag))

(defun walk-tagged (nodes)
  "Walk NODES, the tags and forms of a TAGBODY."
  (dolist (node nodes)
    (if (symbol-node-p node) (skip-local node) (walk node))))

(define-walker (tagbody) (&rest forms)
  (walk-tagged forms))

;;; Variables

(defun walk-bindings (bindings sequential then)
  "Walk BINDINGS, as of LET, one after the other if they are SEQUENTIAL, and call THEN in their scope."
  (with-scope ()
    (let ((variables '()))
      (dolist (binding (node-children bindings))
        (destructuring-bind (variable &rest forms)
            (if (list-node-p binding) (node-children binding) (list binding))
          (walk-forms forms)
          (if sequential (bind-variable variable) (push variable variables))))
      (mapc #'bind-variable (nreverse variables))
      (funcall then))))

(define-walker (let) (bindings &rest body)
  (walk-bindings bindings nil (lambda () (walk-body body))))

(define-walker (let*) (bindings &rest body)
  (walk-bindings bindings t (lambda () (walk-body body))))

(define-walker (prog) (bindings &rest body)
  (walk-bindings bindings nil (lambda () (walk-tagged body))))

(define-walker (prog*) (bindings &rest body)
  (walk-bindings bindings t (lambda () (walk-tagged body))))

(defun walk-iteration (bindings end body sequential)
  "Walk a DO form: the steps are in the scope of the variables."
  (with-scope ()
    (let ((variables '()) (steps '()))
      (dolist (binding (node-children bindings))
        (destructuring-bind (variable &optional (init nil) &rest step)
            (if (list-node-p binding) (node-children binding) (list binding))
          (when init (walk init))
          (setf steps (append steps step))
          (if sequential (bind-variable variable) (push variable variables))))
      (mapc #'bind-variable (nreverse variables))
      (walk-forms steps)
      (walk-forms (node-children end))
      (walk-tagged body))))

(define-walker (do) (bindings end &rest body)
  (walk-iteration bindings end body nil))

(define-walker (do*) (bindings end &rest body)
  (walk-iteration bindings end body t))

(define-walker (dolist dotimes do-symbols do-external-symbols do-all-symbols) (binding &rest body)
  (destructuring-bind (variable &optional (form nil) &rest rest) (node-children binding)
    (when form (walk form))
    (with-scope ()
      (bind-variable variable)
      (walk-forms rest)
      (walk-tagged body))))

(define-walker (with-open-file with-open-stream with-output-to-string with-input-from-string) (binding &rest body)
  (destructuring-bind (variable &rest forms) (node-children binding)
    (walk-forms forms)
    (with-scope ()
      (bind-variable variable)
      (walk-body body))))

(define-walker (multiple-value-bind) (variables form &rest body)
  (walk form)
  (with-scope ()
    (mapc #'bind-variable (node-children variables))
    (walk-body body)))

(define-walker (destructuring-bind) (lambda-list form &rest body)
  (walk form)
  (with-scope ()
    (bind-lambda-list lambda-list :destructuring t)
    (walk-body body)))

(define-walker (with-slots) (slots form &rest body)
  (walk form)
  (with-scope ()
    (dolist (slot (node-children slots))
      (cond ((list-node-p slot)
             (note-slot-name (second (node-children slot)))
             (bind-variable (first (node-children slot))))
            (t (note-slot-name slot)
               (when (node-symbol slot)
                 (push (node-symbol slot) *local-variables*)))))
    (walk-body body)))

(define-walker (with-accessors) (accessors form &rest body)
  (walk form)
  (with-scope ()
    (dolist (accessor (node-children accessors))
      (destructuring-bind (variable &optional name) (node-children accessor)
        (when name (note name :names))
        (bind-variable variable)))
    (walk-body body)))

(define-walker (symbol-macrolet) (bindings &rest body)
  (walk-bindings bindings nil (lambda () (walk-body body))))

(define-walker (print-unreadable-object pprint-logical-block) (arguments &rest body)
  (walk-forms (node-children arguments))
  (walk-body body))

;;; Functions

(defun walk-lambda (lambda-list body &key destructuring specialized)
  (with-scope ()
    (bind-lambda-list lambda-list :destructuring destructuring :specialized specialized)
    (walk-body body)))

(define-walker (lambda) (lambda-list &rest body)
  (walk-lambda lambda-list body))

(defun local-function-name (node)
  "The identity of the local function that NODE defines; its name is local."
  (let ((name (first (node-children node))))
    (cond ((list-node-p name)
           (mapc #'skip-local (node-children name))
           nil)
          (t (skip-local name)
             (node-identity name)))))

(defun walk-local-definitions (definitions &key destructuring)
  (dolist (definition (node-children definitions))
    (destructuring-bind (name &optional lambda-list &rest body) (node-children definition)
      (declare (ignore name))
      (when lambda-list
        (walk-lambda lambda-list body :destructuring destructuring)))))

(define-walker (flet) (definitions &rest body)
  (walk-local-definitions definitions)
  (with-scope ()
    (setf *local-functions* (append (mapcar #'local-function-name (node-children definitions))
                                    *local-functions*))
    (walk-body body)))

(define-walker (labels) (definitions &rest body)
  (with-scope ()
    (setf *local-functions* (append (mapcar #'local-function-name (node-children definitions))
                                    *local-functions*))
    (walk-local-definitions definitions)
    (walk-body body)))

(define-walker (macrolet) (definitions &rest body)
  (walk-local-definitions definitions :destructuring t)
  (with-scope ()
    (setf *local-macros* (append (mapcar #'local-function-name (node-children definitions))
                                 *local-macros*))
    (walk-body body)))

(define-walker (with-hash-table-iterator with-package-iterator) (binding &rest body)
  (with-scope ()
    (skip-local (first (node-children binding)))
    (walk-forms (rest (node-children binding)))
    (push (node-identity (first (node-children binding))) *local-macros*)
    (walk-body body)))
