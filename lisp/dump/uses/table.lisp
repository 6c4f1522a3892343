;;;; The table of uses: all references of SBCL and all occurrences in the text.
;;;;
;;;; The uses of a symbol are one run of rows in the order in which they are shown: by relation, then by the
;;;; caller's package, name and file, then by place (runs.lisp).  What its definitions use is a list of the
;;;; numbers of such rows (by-user.lisp).

(in-package "OBLIST")

;;; Callers

(defstruct (caller (:constructor make-caller (number definition code-name file toplevel-form)))
  (number 0 :type fixnum)
  definition                            ; the number of the definition, or NIL
  code-name                             ; SBCL's name for the code when it belongs to no definition
  file toplevel-form
  (rank 0 :type fixnum)                 ; its place in the order of callers
  (identity nil)                        ; the first of the callers that count as one
  (stamp 0 :type fixnum))

(defvar *callers* (make-array 1000 :adjustable t :fill-pointer 0)
  "All callers, in the order of their numbers.")
(defvar *caller-of-place* (make-hash-table :test 'equal)
  "The callers by definition, name, file and toplevel form.")
(defvar *definition-names* (make-array 1000 :adjustable t :fill-pointer 0 :initial-element nil)
  "The names of the definitions, by number.")

(defvar *caller-of-identity* (make-hash-table :test 'equal)
  "The first caller of each definition, or of each code of a name and file that belongs to none.")

(defun note-definition-name (number name)
  (loop while (<= (fill-pointer *definition-names*) number)
        do (vector-push-extend nil *definition-names*))
  (setf (aref *definition-names* number) name))

(defun caller-at (definition name file toplevel-form)
  "The caller for code of DEFINITION, or of this NAME, from the TOPLEVEL-FORM of FILE."
  (let ((key (list definition name file toplevel-form)))
    (or (gethash key *caller-of-place*)
        (let ((caller (make-caller (1+ (fill-pointer *callers*)) definition name file toplevel-form)))
          (vector-push-extend caller *callers*)
          (setf (caller-identity caller)
                (let ((identity (or definition (list name file))))
                  (or (gethash identity *caller-of-identity*)
                      (setf (gethash identity *caller-of-identity*) caller))))
          (setf (gethash key *caller-of-place*) caller)))))

(defun caller-name (caller)
  "The name of the definition that CALLER belongs to, or NIL."
  (let ((definition (caller-definition caller)))
    (and definition (aref *definition-names* definition))))

(defun caller-symbol (caller)
  (nth-value 1 (operator-and-symbol (caller-name caller))))

(defun caller-key (caller)
  "What callers are ordered by: lists of a package's name, a symbol's name and a path, each NIL if it has none."
  (let ((symbol (and (caller-name caller) (caller-symbol caller))))
    (list (and symbol (symbol-package symbol) (package-name (symbol-package symbol)))
          (and symbol (symbol-name symbol))
          (and (caller-file caller) (gethash (caller-file caller) *file-paths*)))))

(defun before-p (a b)
  "True, or :SAME, when the key A, a list of strings, comes before B; a missing package comes last, and any
other string that is missing first."
  (flet ((order (a b missing-first)
           (cond ((equal a b) :same)
                 ((null a) missing-first)
                 ((null b) (not missing-first))
                 (t (and (string< a b) t)))))
    (loop for one in a
          for other in b
          for missing-first = nil then t
          for order = (order one other missing-first)
          unless (eq order :same) return order
          finally (return :same))))

(defun rank-callers ()
  "Give each caller its rank; callers with equal keys have the same."
  (let ((keyed (sort (map 'vector (lambda (caller) (cons (caller-key caller) caller)) *callers*)
                     (lambda (a b) (eq t (before-p (car a) (car b))))))
        (rank 0) (last nil))
    (loop for (key . caller) across keyed
          do (unless (equal key last) (incf rank))
             (setf (caller-rank caller) rank
                   last key))))

;;; Uses

(defstruct (use (:constructor make-use (callee operator relation caller form-number
                                        &optional line column length)))
  callee                                ; the symbol that is used
  (operator 0 :type fixnum)             ; its position in *OPERATORS*
  (relation 0 :type fixnum)             ; its position in *RELATIONS*
  caller
  form-number                           ; SBCL's number of the form, or NIL for a use that only the text shows
  line column
  length                                ; of the text there, or NIL if it is that of the name
  expansion                             ; the operator whose expansion uses it, when written its number, or NIL
  text-relation                         ; the relation as the text alone tells it, where SBCL tells another
  (number 0 :type fixnum))

(defparameter *template-mark* "`"
  "What stands for the operator of an expansion at a use that is in a template.")

(defvar *uses* (make-hash-table :test 'eq)
  "The uses of each symbol: lists, newest first.")

(defun add-use (use)
  (push use (gethash (use-callee use) *uses*))
  use)

(defun shown-apart-p (use)
  "True if USE is shown only when its relation is asked for: a definition does not use what it defines, and SBCL
records a parameter without a specializer as one that specializes on T."
  (or (= (use-relation use) (relation-number :defines))
      (and (= (use-relation use) (relation-number :specializes))
           (eq (use-callee use) t))))

(defun shown-relation (use)
  "The place of USE's relation in the order of the answers: what is shown apart comes last."
  (cond ((not (shown-apart-p use)) (use-relation use))
        ((= (use-relation use) (relation-number :defines)) 16)
        (t 17)))

(deftype sort-key ()
  "What uses are sorted by: a fixnum where these have 62 bits and more, as they have on 64-bit processors."
  '(unsigned-byte 62))

(defun use-order (use)
  "The order of USE among those of its symbol: by operator, relation, caller, line and column."
  (declare (optimize speed))
  (let ((column (or (use-column use) 0))
        (line (min (the fixnum (or (use-line use) 0)) #xFFFFF)))
    (declare (type (unsigned-byte 20) line) (type (unsigned-byte 30) column))
    (the sort-key
         (+ (the sort-key (ash (logand (the fixnum (use-operator use)) 3) 60))
            (the sort-key (ash (the (unsigned-byte 5) (shown-relation use)) 55))
            (the sort-key (ash (logand (the fixnum (caller-rank (use-caller use))) #xFFFFF) 35))
            (the sort-key (ash line 15))
            (the (unsigned-byte 15) (min column 32767))))))

(defun sorted-uses (uses order)
  "USES by the sort key that ORDER returns; equal ones by the number of the form."
  (mapcar #'cdr
          (sort (mapcar (lambda (use) (cons (funcall order use) use)) uses)
                (lambda (a b)
                  (let ((first (car a)) (second (car b)))
                    (declare (type sort-key first second))
                    (or (< first second)
                        (and (= first second)
                             (before-in-form-p (cdr a) (cdr b)))))))))

(defun before-in-form-p (a b)
  "True when the use A comes before B, which is at the same place."
  (if (= (use-number a) (use-number b))
      (< (or (use-form-number a) -1) (or (use-form-number b) -1))
      (< (use-number a) (use-number b))))

(defun length-beside-name (use)
  "The length of the text that names the symbol, unless it is that of the symbol's name."
  (let ((length (use-length use)))
    (and length
         (/= length (length (symbol-name (use-callee use))))
         length)))
