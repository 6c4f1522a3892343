;;;; Methods in a DEFGENERIC: SBCL records the place of the whole form; the index has the place of the clause.

(in-package "OBLIST")

(defun method-interval (scan start end method)
  "The start and end of the clause (:METHOD ..) that makes METHOD, in the DEFGENERIC between START and END; START
and END unless there is exactly one such clause."
  (with-form-node (form scan start)
    (let ((clauses (and form
                        (remove-if-not (lambda (node) (makes-method-p node method))
                                       (node-children form)))))
      (if (and clauses (null (rest clauses)))
          (values (node-start (first clauses)) (node-end (first clauses)))
          (values start end)))))

(defun makes-method-p (node method)
  "True when NODE may be the clause (:METHOD ..) that makes METHOD: names are compared without their packages."
  (let ((head (and (list-node-p node) (first (node-children node)))))
    (and head
         (eq (node-kind head) :keyword)
         (string= "METHOD" (node-name head))
         (let* ((rest (rest (node-children node)))
                (lambda-list (find-if #'list-node-p rest)))
           (and lambda-list
                (all-fit-p #'literal-fits-p
                           (ldiff rest (member lambda-list rest))
                           (qualifiers-of method))
                (all-fit-p #'parameter-fits-p
                           (required-nodes lambda-list)
                           (specializers-of method)))))))

(defun all-fit-p (test nodes objects)
  (and (= (length nodes) (length objects))
       (every test nodes objects)))

(defun required-nodes (lambda-list)
  "The nodes of the required parameters in the node LAMBDA-LIST."
  (loop for node in (node-children lambda-list)
        until (and (symbol-node-p node) (char= #\& (schar *text* (node-start node))))
        collect node))

(defun parameter-fits-p (node specializer)
  "True when NODE, a required parameter, may have SPECIALIZER."
  (let ((written (and (list-node-p node) (second (node-children node)))))
    (cond ((typep specializer 'sb-mop:eql-specializer)
           (and (list-node-p written)
                (second (node-children written))
                (literal-fits-p (second (node-children written))
                                (sb-mop:eql-specializer-object specializer))))
          ((null written) (eq specializer (find-class t)))
          (t (and (symbol-node-p written)
                  (string= (node-name written) (or (name-of-class specializer) "")))))))

(defun literal-fits-p (node object)
  "True unless NODE is text of another object than OBJECT: a variable or a call may have any value."
  (case (node-kind node)
    (:quote (let ((quoted (first (node-children node))))
              (if (symbol-node-p quoted)
                  (and (symbolp object) (string= (node-name quoted) object))
                  (literal-fits-p quoted object))))
    (:keyword (and (keywordp object) (string= (node-name node) object)))
    (:string (and (stringp object) (string= (node-name node) object)))
    (:symbol (let ((token (token-string (node-start node) (node-end node))))
               (or (not (number-token-p token))
                   (string-equal token (printed object)))))
    (t t)))
