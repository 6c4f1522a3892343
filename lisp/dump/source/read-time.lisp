;;;; Read time: what a #. yields, as far as the text and the image tell it.  Nothing is evaluated.
;;;;
;;;; The numbers of the forms after a #. depend on its value: an atom has no forms, a list has all of its own.

(in-package "OBLIST")

(defparameter *comparisons* '(= /= < > <= >= eq eql not null)
  "Functions whose results on numbers and symbols are computed: they decide an IF.")

(defun read-time-value (position)
  "What #. before the form at POSITION of *TEXT* yields: :ATOM; :OBJECT and the object; :TEXT and the position
of a list that is quoted in the form; NIL when it is not known."
  (let ((*found-symbols* (make-hash-table :test 'equal))
        (*package* (or (find-package *in-package*) *package*))) ; whose local nicknames are meant
    (handler-case (folded (read-node position))
      (scan-error () nil))))

(defun folded (node)
  "The value of the form NODE: the values of READ-TIME-VALUE."
  (case (node-kind node)
    ((:atom :keyword :string :uninterned :data :function) :atom)
    (:quote (folded-quote (first (node-children node))))
    (:symbol (folded-symbol node))
    (:list (folded-call (node-symbol (first (node-children node))) (rest (node-children node))))))

(defun folded-quote (node)
  (case (and node (node-kind node))
    (:list (if (node-children node) (values :text (node-start node)) (values :object nil)))
    ((:quote :function :backquote) (values :text (node-start node)))
    ((:atom :symbol :keyword :string :uninterned :data) :atom)))

(defun folded-symbol (node)
  "The number that NODE denotes, or the value of the variable that it names."
  (let ((token (token-string (node-start node) (node-end node))))
    (multiple-value-bind (symbol found) (token-symbol token *in-package*)
      (cond ((number-token-p token)
             (values :object (let ((*read-eval* nil) (*read-base* 10)) (read-from-string token))))
            ((and found (boundp symbol)) (values :object (symbol-value symbol)))))))

(defun folded-call (operator arguments)
  (cond ((eq operator 'quote) (folded-quote (first arguments)))
        ((eq operator 'if) (folded-if arguments))
        ((member operator *comparisons*) (folded-comparison operator arguments))
        ((eq operator 'find-package) (folded-package (first arguments)))
        ((and operator (atom-returned-p operator)) :atom)))

(defun folded-if (arguments)
  (when (<= 2 (length arguments) 3)
    (destructuring-bind (test then &optional else) arguments
      (multiple-value-bind (kind value) (folded test)
        (cond ((not (eq kind :object))
               (and (eq :atom (folded then)) (or (null else) (eq :atom (folded else))) :atom))
              (value (folded then))
              (else (folded else))
              (t (values :object nil)))))))

(defun folded-package (designator)
  "True or NIL, for a package that exists or does not: as it was at read time, unless that was loaded later."
  (let* ((datum (if (eq (and designator (node-kind designator)) :quote)
                    (first (node-children designator))
                    designator))
         (name (and datum (node-name datum))))
    (and name
         (values :object (and (find-package name) t)))))

(defun folded-comparison (operator arguments)
  (let ((operands (loop for argument in arguments
                      collect (multiple-value-bind (kind value) (folded argument)
                                (if (and (eq kind :object) (typep value '(or real symbol)))
                                    value
                                    (return-from folded-comparison :atom))))))
    (handler-case (values :object (apply operator operands))
      (error () nil))))

(defun atom-returned-p (operator)
  "True when OPERATOR is one of SBCL's functions, which nobody redefines, and its result is never a cons."
  (and (symbol-package operator)
       (sb-ext:package-locked-p (symbol-package operator))
       (fboundp operator)
       (not (macro-function operator))
       (not (special-operator-p operator))
       (let* ((type (sb-introspect:function-type operator))
              (result (and (consp type) (third type)))
              (first (if (typep result '(cons (eql values))) (second result) result)))
         (and first
              (not (member first '(* &optional &rest)))
              (values (subtypep first '(not cons)))))))
