;;;; Signatures: the types of a function's arguments and results, folded to names that people use.
;;;;
;;;; SBCL knows a type as the compiler sees it: a pathname designator is (OR STRING PATHNAME SYNONYM-STREAM
;;;; FILE-STREAM), an index is (MOD 4611686018427387901), and a derived type is as narrow as can be. A folded
;;;; type is equal or wider, never narrower, and is made of the names of types only, but for OR and the
;;;; elements of arrays.  Only types of SBCL itself are compared, so a definition keeps its signature
;;;; whatever is defined after it, and nothing that is indexed is finalized.

(in-package "OBLIST")

(defparameter *designators*
  '(("FUNCTION-DESIGNATOR" . (or function symbol))
    ("STRING-DESIGNATOR" . (or string symbol character))
    ("PACKAGE-DESIGNATOR" . (or string symbol character package))
    ("PATHNAME-DESIGNATOR" . (or string pathname synonym-stream file-stream))
    ("STREAM-DESIGNATOR" . (or stream boolean)))
  "What the CLHS glossary calls designators, and the types that SBCL has for them.")

(defparameter *people-types*
  '(boolean list sequence string bit-vector vector array real rational float number integer symbol function)
  "The standard types that a union is folded to if it is the same type.")

(defparameter *broad-types*
  '(string vector array sequence real number function stream symbol)
  "The standard types that a union of many members is folded to if it is a part of one, narrowest first.")

(defconstant +most-members+ 4)

(defvar *folded-types* (make-hash-table :test 'equal)
  "The folded types of the type specifiers met so far.")

(defun same-type-p (type other)
  (and (subtypep type other) (subtypep other type)))

(defun own-type-p (type)
  "True if the type specifier TYPE is about types of SBCL only."
  (cond ((symbolp type) (sbcl-type-name-p type))
        ((atom type) nil)
        (t (case (first type)
             ((or and not) (every #'own-type-p (rest type)))
             ((array vector simple-array) (own-type-p (or (second type) '*)))
             ((satisfies) nil)
             (t (own-type-p (first type)))))))

(defun folded-type (type)
  "TYPE in the names that people use: a symbol, a list, or the name of a designator, a string."
  (multiple-value-bind (known known-p) (gethash type *folded-types*)
    (if known-p
        known
        (setf (gethash type *folded-types*) (fold-type type)))))

(defun fold-type (type)
  (cond ((symbolp type) (fold-named-type type))
        ((atom type) t)
        (t (case (first type)
             (or (fold-union (rest type)))
             (and (fold-intersection (rest type)))
             ((member eql) (fold-members (rest type)))
             ((mod unsigned-byte signed-byte integer) (fold-integer type))
             ((simple-array array vector simple-vector) (fold-array type))
             ((simple-string simple-base-string base-string) 'string)
             ((simple-bit-vector bit-vector) 'bit-vector)
             ((cons function real rational float single-float double-float short-float long-float
                    string complex)
              (first type))
             ((not satisfies) t)
             (values (fold-type (second type)))
             (t (if (character-set-type-p type) 'character type))))))

(defun fold-named-type (type)
  (case type
    ((t *) t)
    ((simple-string base-string simple-base-string) 'string)
    (simple-bit-vector 'bit-vector)
    (simple-vector 'vector)
    (simple-array 'array)
    ((base-char standard-char) 'character)
    ((bignum bit) 'integer)
    (compiled-function 'function)
    (t type)))

(defun fold-integer (type)
  "The type specifier TYPE of some integers: octets stay, others are natural numbers or integers."
  (cond ((equal type '(unsigned-byte 8)) type)
        ((subtypep type 'unsigned-byte) 'unsigned-byte)
        (t 'integer)))

(defun fold-array (type)
  (destructuring-bind (head &optional (element '*) (dimensions '*)) type
    (let ((vectorp (or (member head '(vector simple-vector))
                       (eql dimensions 1)
                       (and (listp dimensions) (= (length dimensions) 1)))))
      (cond ((subtypep type 'string) 'string)
            ((subtypep type 'bit-vector) 'bit-vector)
            ((or (eq head 'simple-vector) (member element '(* t)))
             (if vectorp 'vector 'array))
            ;; Wider elements do not make a wider array (CLHS 15.1.2.2).
            (t (list (if vectorp 'vector 'array) element))))))

(defun fold-members (members)
  "The type of the objects MEMBERS."
  (fold-union
   (remove-duplicates
    (mapcar (lambda (member)
              (typecase member
                (null 'null)
                ((eql t) 'boolean)
                (keyword 'keyword)
                (symbol 'symbol)
                (integer 'integer)
                (character 'character)
                (string 'string)
                (t t)))
            members))))

(defun fold-intersection (types)
  "One of TYPES that says something.  SBCL has them in no certain order, so it is the first by name."
  (or (first (sort (remove t (mapcar #'folded-type types)) #'string< :key #'type-text))
      t))

(defun real-type (folded)
  "The type specifier that FOLDED, a folded type, denotes."
  (cond ((stringp folded) (rest (assoc folded *designators* :test #'string=)))
        ((typep folded '(cons (eql or))) (cons 'or (mapcar #'real-type (rest folded))))
        (t folded)))

(defun fold-union (types)
  (let ((whole (named-union `(or ,@types))))
    (or whole
        (let* ((members (remove-duplicates (mapcan #'members-of (mapcar #'folded-type types)) :test #'equal))
               (others (remove 'null members)))
          (when (intersection '(boolean symbol list sequence) others)
            (setf members others))      ; NIL is one of them
          (cond ((member t members) t)
                ((null others) 'null)
                ((null (rest members)) (first members))
                ((named-union `(or ,@(mapcar #'real-type members))))
                (t (with-null (union-of others) (< (length others) (length members)))))))))

(defun members-of (folded)
  "The members of the union FOLDED, or FOLDED alone."
  (if (and (consp folded) (eq (first folded) 'or))
      (copy-list (rest folded))
      (list folded)))

(defun union-of (members)
  "A list of the MEMBERS of a union, or one type for many of them."
  (let* ((type `(or ,@(mapcar #'real-type members)))
         (name (or (named-union type)
                   (and (> (length members) +most-members+)
                        (own-type-p type)
                        (find-if (lambda (broad) (subtypep type broad)) *broad-types*)))))
    (if name
        (list name)
        (sort (copy-list members) #'string< :key #'type-text))))

(defun with-null (members nullp)
  (let ((all (if nullp (append members '(null)) members)))
    (if (rest all) (cons 'or all) (first all))))

(defun named-union (type)
  "The name of the union TYPE, if it has one."
  (when (own-type-p type)
    (or (car (rassoc type *designators* :test #'same-type-p))
        (find type *people-types* :test #'same-type-p))))

;;; Texts

(defun type-text (folded)
  (typecase folded
    (string folded)
    ((cons (eql or)) (format nil "(~{~A~^ ~})" (mapcar #'type-text folded)))
    (t (printed folded))))

(defun folded-text (type)
  (type-text (folded-type type)))

(defun argument-types-text (arguments)
  "The types of ARGUMENTS, a list as in a FUNCTION type specifier, or NIL if all of them may be anything."
  (let ((typed nil))
    (flet ((text (type)
             (let ((folded (folded-type type)))
               (unless (eq folded t) (setf typed t))
               (type-text folded))))
      (let ((texts (loop for argument in arguments
                         collect (cond ((member argument lambda-list-keywords) (symbol-name argument))
                                       ((and (consp argument) (keywordp (first argument)))
                                        (format nil "(~A ~A)" (printed (first argument))
                                                (text (second argument))))
                                       (t (text argument))))))
        (and typed (format nil "(~{~A~^ ~})" texts))))))

(defun result-types-text (result)
  "The types of the values that RESULT, as in a FUNCTION type specifier, lists; NIL if they may be anything."
  (let ((types (loop for type in (if (typep result '(cons (eql values))) (rest result) (list result))
                     until (member type '(&rest &allow-other-keys))
                     unless (eq type '&optional)
                       collect (folded-text type))))
    (unless (or (member result '(* t)) (equal types '("T")))
      (format nil "(~{~A~^ ~})" types))))

(defun argument-counts (lambda-list)
  "The least and the most number of arguments that LAMBDA-LIST takes; the most is NIL if there is no limit."
  (let ((required (or (position-if (lambda (item) (member item lambda-list-keywords)) lambda-list)
                      (length lambda-list)))
        (optional (member '&optional lambda-list)))
    (values required
            (unless (some (lambda (item)
                            (and (symbolp item) (find item '("&REST" "&BODY" "&KEY" "&MORE") :test #'string=)))
                          lambda-list)
              (+ required
                 (or (position-if (lambda (item) (member item lambda-list-keywords)) (rest optional))
                     (length (rest optional))))))))

(defun keyword-named (parameter)
  "The keyword, or a symbol of its name, that the &KEY PARAMETER of a lambda list is given by."
  (let ((named (if (consp parameter) (first parameter) parameter)))
    (if (consp named) (first named) named)))

(defun keywords-as-in (lambda-list arguments)
  "ARGUMENTS, as in a FUNCTION type specifier, with the keywords in the order of LAMBDA-LIST: SBCL 2.6 has one list of
each set of them, so their order depends on what else the image has."
  (let* ((keywords (rest (member '&key arguments)))
         (parameters (ldiff (rest (member '&key lambda-list)) (member '&aux lambda-list)))
         (named (mapcar #'keyword-named parameters)))
    (flet ((place (argument)
             (or (and (consp argument) (position (first argument) named :test #'string=))
                 (length named))))
      (append (ldiff arguments keywords)
              (stable-sort (copy-list keywords) #'< :key #'place)))))

(defun signature-fields (lambda-list type)
  "The signature of a function with that LAMBDA-LIST and FUNCTION type specifier TYPE as fields of a record."
  (multiple-value-bind (least most) (argument-counts lambda-list)
    (list* "least_arguments" least
           "most_arguments" most
           (when (typep type '(cons (eql function) (cons t (cons t null))))
             (destructuring-bind (arguments result) (rest type)
               (list "argument_types" (and (listp arguments)
                                           (argument-types-text (keywords-as-in lambda-list arguments)))
                     "result_types" (result-types-text result)))))))
