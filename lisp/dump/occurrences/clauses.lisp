;;;; The standard operators whose arguments are clauses or type specifiers, and the functions that take the name
;;;; of a class or a type.

(in-package "OBLIST")

(define-walker (cond) (&rest clauses)
  (dolist (clause clauses)
    (if (list-node-p clause)
        (walk-forms (node-children clause))
        (walk clause))))

(define-walker (case ccase ecase) (key &rest clauses)
  (walk key)
  (dolist (clause clauses)
    (destructuring-bind (keys &rest forms) (node-children clause)
      (walk-datum keys)
      (walk-forms forms))))

(defun walk-typed-clauses (clauses relation walk-rest)
  "Walk CLAUSES that begin with a type specifier, OTHERWISE or T; call WALK-REST with the other elements."
  (dolist (clause clauses)
    (destructuring-bind (type &rest rest) (node-children clause)
      (if (member (node-symbol type) '(otherwise t))
          (walk-datum type)
          (walk-type type relation))
      (funcall walk-rest rest))))

(define-walker (typecase ctypecase etypecase) (key &rest clauses)
  (walk key)
  (walk-typed-clauses clauses :tests #'walk-forms))

(define-walker (check-type) (place type &rest forms)
  (walk-place place)
  (walk-type type :tests)
  (walk-forms forms))

(define-walker (assert) (test &optional places &rest forms)
  (walk test)
  (when places (mapc #'walk-place (node-children places)))
  (walk-forms forms))

(define-walker (handler-case) (form &rest clauses)
  (walk form)
  (walk-typed-clauses clauses :handles
                      (lambda (rest)
                        (when rest
                          (walk-lambda (first rest) (rest rest))))))

(define-walker (handler-bind) (bindings &rest forms)
  (walk-typed-clauses (node-children bindings) :handles #'walk-forms)
  (walk-body forms))

(define-walker (restart-case) (form &rest clauses)
  (walk form)
  (dolist (clause clauses)
    (destructuring-bind (name lambda-list &rest body) (node-children clause)
      (note name :names)
      (walk-lambda lambda-list
                   (loop while (and (rest body) (eq (node-kind (first body)) :keyword))
                         do (pop body)
                            (let ((value (pop body)))
                              (if (symbol-node-p value) (note value :names) (walk value)))
                         finally (return body))))))

(define-walker (restart-bind) (bindings &rest forms)
  (dolist (binding (node-children bindings))
    (destructuring-bind (name &rest values) (node-children binding)
      (note name :names)
      (walk-forms values)))
  (walk-body forms))

(define-walker (with-simple-restart) (restart &rest forms)
  (destructuring-bind (name &rest arguments) (node-children restart)
    (note name :names)
    (walk-forms arguments))
  (walk-body forms))

;;; Functions that take the name of a class or a type

(defun walk-initargs (nodes)
  "Walk NODES, initargs and their values."
  (loop for (initarg value) on nodes by #'cddr
        do (if (eq (node-kind initarg) :keyword) (note-initarg initarg) (walk initarg))
           (when value (walk value))))

(defun walk-instance (class initargs)
  (cond ((and (eq (node-kind class) :quote)
              (symbol-node-p (first (node-children class))))
         (note (first (node-children class)) :instantiates)
         (walk-initargs initargs))
        (t (walk class)
           (walk-forms initargs))))

(define-walker (make-instance make-condition) (class &rest initargs)
  (cond ((eq (node-kind class) :quote) (walk-instance class initargs))
        (t (walk class) (walk-initargs initargs))))

(define-walker (error signal warn) (datum &rest arguments)
  (walk-instance datum arguments))

(define-walker (cerror) (format datum &rest arguments)
  (walk format)
  (walk-instance datum arguments))

(define-walker (reinitialize-instance change-class) (instance &rest arguments)
  (walk instance)
  (walk-initargs arguments))

(define-walker (typep) (object &optional type &rest forms)
  (walk object)
  (walk-type-argument type :tests)
  (walk-forms forms))

(define-walker (subtypep) (type &optional other &rest forms)
  (walk-type-argument type :tests)
  (walk-type-argument other :tests)
  (walk-forms forms))

(define-walker (coerce) (object &optional type)
  (walk object)
  (walk-type-argument type :names))

(define-walker (proclaim) (declaration)
  (if (member (node-kind declaration) '(:quote :backquote))
      (walk-declaration (first (node-children declaration)))
      (walk declaration)))
