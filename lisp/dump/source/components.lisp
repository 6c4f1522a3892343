;;;; Methods of one component: those that ASDF makes of options in a DEFSYSTEM, such as :PERFORM (OPERATION ..).
;;;; SBCL records their toplevel form only.

(in-package "OBLIST")

(defun option-interval (scan toplevel-form method)
  "The start and end of the option in the toplevel form, :PERFORM and the list after it or another of that sort,
that makes METHOD; NIL unless there is exactly one."
  (let ((component (component-of method)))
    (when component
      (with-form-node (node scan (aref (scan-toplevel-starts scan) toplevel-form))
        (let ((options (and node (options-making method (through-door ("") (asdf "COMPONENT-NAME" component)) node))))
          (when (and options (null (rest options)))
            (destructuring-bind (key value) (first options)
              (values (node-start key) (node-end value)))))))))

(defun component-of (method)
  "The component of ASDF that METHOD, of two arguments, is for alone; or NIL."
  (let ((specializers (specializers-of method)))
    (when (and (= 2 (length specializers))
               (typep (second specializers) 'sb-mop:eql-specializer))
      (let ((object (sb-mop:eql-specializer-object (second specializers)))
            (class (and (find-package "ASDF") (find-symbol "COMPONENT" "ASDF"))))
        (and class (typep object class) object)))))

(defun options-making (method component-name node)
  "The options in NODE, lists of a key and a value, that make METHOD: in the list of the component of that name, the
name of METHOD's function as a keyword and (OPERATION QUALIFIER .. (PARAMETERS) ..)."
  (when (list-node-p node)
    (let ((children (node-children node)))
      (append
       (and (component-named-p (second children) component-name)
            (loop for (key value) on children
                  when (and value (makes-component-method-p key value method))
                    collect (list key value)))
       (mapcan (lambda (child) (options-making method component-name child)) children)))))

(defun component-named-p (node component-name)
  "True when NODE designates COMPONENT-NAME as ASDF reads names: a string, or a symbol in lower case."
  (let ((name (and node (node-name node))))
    (and name
         (string= component-name (if (eq :string (node-kind node)) name (string-downcase name))))))

(defun makes-component-method-p (key value method)
  (let ((name (name-of-function (function-of-method method))))
    (and (eq :keyword (node-kind key))
         (symbolp name)
         (string= (node-name key) name)
         (list-node-p value)
         (let* ((parts (node-children value))
                (rest (rest parts))
                (parameters (find-if #'list-node-p rest)))
           (and parameters
                (symbol-node-p (first parts))
                (string= (node-name (first parts))
                         (or (name-of-class (first (specializers-of method))) ""))
                (all-fit-p #'literal-fits-p
                           (ldiff rest (member parameters rest))
                           (qualifiers-of method)))))))
