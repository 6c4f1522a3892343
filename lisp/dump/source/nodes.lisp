;;;; Read a toplevel form into nodes: a tree of the objects in its text, each with its place.
;;;;
;;;; Like the scanner, this interns nothing and evaluates nothing.  A symbol's token becomes the symbol that
;;;; the reader would find in the package of that point, if it exists.

(in-package "OBLIST")

(deftype node-kind ()
  '(member :symbol                      ; VALUE is the symbol, or +NO-SYMBOL+ when there is none
    :keyword                            ; likewise
    :uninterned                         ; #:FOO
    :string :list
    :quote :function :backquote :comma  ; with one child
    :read-time                          ; #.FORM, with one child
    :data                               ; a vector, structure or array: its elements are not evaluated
    :unknown                            ; another reader macro, with its argument as a child if there is one
    :atom
    :hole))

(defconstant +no-symbol+ 0
  "The value of a node whose token names no symbol that exists.")

(declaim (inline make-node))
(defstruct (node (:constructor make-node (kind start end &optional value children)))
  (kind :atom :type node-kind)
  (start 0 :type fixnum)
  (end 0 :type fixnum)
  (value nil)
  (children '() :type list)
  (seen nil))

(defun read-node (position)
  "The node of the object at POSITION of *TEXT*, which is not a blank."
  (declare (type fixnum position))
  (case (char-at position)
    ((nil #\)) (missing position))
    (#\( (multiple-value-bind (children end) (read-nodes (1+ position))
           (make-node :list position end nil children)))
    (#\" (make-node :string position (scan-string position)))
    (#\' (read-wrapped :quote position (1+ position)))
    (#\` (read-wrapped :backquote position (1+ position)))
    (#\, (read-wrapped :comma position (+ position (comma-length position))))
    (#\# (read-dispatched position))
    (t (read-token position))))

(defun read-wrapped (kind start position)
  (let ((child (read-node (skip-blank position))))
    (make-node kind start (node-end child) nil (list child))))

(defun read-nodes (position)
  "The nodes from POSITION to the next closing parenthesis, and the position after that.
The elements of a list after a consing dot are elements of the list around it."
  (declare (type fixnum position))
  (let ((nodes '()))
    (loop
      (setf position (skip-blank position))
      (let ((char (char-at position)))
        (cond ((null char) (missing position))
              ((eql char #\)) (return (values (nreverse nodes) (1+ position))))
              ((and (eql char #\.) (delimiter-p (char-at (1+ position))))
               (setf position (skip-blank (1+ position)))
               (when (eql (char-at position) #\))
                 (return (values (nreverse nodes) (1+ position))))
               (let ((tail (read-node position)))
                 (if (eq (node-kind tail) :list)
                     (dolist (child (node-children tail)) (push child nodes))
                     (push tail nodes))
                 (setf position (node-end tail))))
              (t
               (let ((node (read-node position)))
                 (push node nodes)
                 (setf position (node-end node)))))))))

(defun read-dispatched (position)
  "The node of the object at POSITION that begins with #."
  (let* ((letter (or (position-if-not #'digit-char-p *text* :start (1+ position))
                     (missing position)))
         (next (1+ letter)))
    (flet ((atom-to (end) (make-node :atom position (min end (length *text*)))))
      (case (char-downcase (schar *text* letter))
        (#\' (read-wrapped :function position next))
        (#\( (multiple-value-bind (children end) (read-nodes next)
               (make-node :data position end nil children)))
        (#\\ (atom-to (token-end (1+ next))))
        (#\/ (atom-to (token-end (if (eql (char-at next) #\\) (+ next 2) (1+ next)))))
        (#\. (read-wrapped :read-time position next))
        (#\: (make-node :uninterned position (token-end next)))
        ((#\* #\b #\o #\x #\r) (atom-to (token-end next)))
        ((#\p #\s #\c #\a) (read-wrapped :data position next))
        (#\= (read-node (skip-blank next)))
        (#\# (atom-to next))
        (#\" (make-node :string position (scan-string letter)))
        (t (let ((here (skip-blank next)))
             (if (member (char-at here) '(nil #\)))
                 (make-node :unknown position next)
                 (read-wrapped :unknown position next))))))))

(defun number-token-p (token)
  "True when TOKEN, which is also the name of a symbol, is a number to the reader (CLHS 2.3.1)."
  (and (find-if #'digit-char-p token)
       (every (lambda (char) (find char "0123456789+-./EeSsFfDdLl")) token)
       (numberp (let ((*read-eval* nil) (*read-base* 10))
                  (handler-case (read-from-string token)
                    (error () 0))))))

(defvar *found-symbols* (make-hash-table :test 'equal)
  "The symbols that tokens name in the package of this point, by token.")

(defun find-token-symbol (start end)
  "The symbol that the token names in the package of this point, or +NO-SYMBOL+."
  (let ((token (token-string start end)))
    (multiple-value-bind (found known) (gethash token *found-symbols*)
      (if known
          found
          (setf (gethash token *found-symbols*)
                (multiple-value-bind (symbol status) (token-symbol token *in-package*)
                  (if (and status (not (number-token-p token)))
                      symbol
                      +no-symbol+)))))))

(defun read-token (position)
  "The node of the token at POSITION; a character that begins no token is an atom."
  (let ((end (token-end position)))
    (cond ((= end position) (make-node :atom position (1+ position)))
          ((eql (char-at position) #\:)
           (make-node :keyword position end (find-token-symbol position end)))
          (t (make-node :symbol position end (find-token-symbol position end))))))

;;; Questions about nodes

(declaim (inline list-node-p symbol-node-p))
(defun list-node-p (node)
  (and node (eq (node-kind node) :list)))
(defun symbol-node-p (node)
  (and node (eq (node-kind node) :symbol)))

(defun node-symbol (node)
  "The symbol or keyword that NODE names; NIL when it names none, or NIL."
  (and node
       (member (node-kind node) '(:symbol :keyword))
       (not (eql (node-value node) +no-symbol+))
       (node-value node)))

(defvar *absent-symbols* (make-hash-table :test 'equal)
  "Stand-ins for symbols that do not exist, by package and name: compiled code does not intern local names.")

(defun node-identity (node)
  "The symbol that NODE names, or a stand-in for one that does not exist; NIL when it names none, or NIL."
  (cond ((not (symbol-node-p node)) nil)
        ((eql (node-value node) +no-symbol+)
         (multiple-value-bind (package name)
             (split-token (token-string (node-start node) (node-end node)))
           (let ((key (cons (or package *in-package*) name)))
             (or (gethash key *absent-symbols*)
                 (setf (gethash key *absent-symbols*) (make-symbol (string name)))))))
        (t (node-value node))))

(defun node-name (node)
  "The name that NODE designates: that of a symbol of any kind, or a string; else NIL."
  (case (node-kind node)
    ((:symbol :keyword)
     (nth-value 1 (split-token (token-string (node-start node) (node-end node)))))
    (:uninterned (with-colons (token-string (+ 2 (node-start node)) (node-end node))))
    (:string (string-node-text node))))

(defun string-node-text (node)
  "The string that NODE denotes."
  (string-at (node-start node)))

(defmacro with-form-node ((node scan start) &body body)
  "Run BODY on the text of SCAN with NODE bound to the node of the form at START, NIL if it cannot be read."
  `(let* ((*text* (scan-source ,scan)) (*cases* (scan-cases ,scan)) (*found-symbols* (make-hash-table :test 'equal))
          (*flipped* nil) (*conditionals* 0) (*sites* '())
          (,node (handler-case (read-node ,start)
                   (scan-error () nil))))
     ,@body))
