;;;; The users of a name according to SB-INTROSPECT, one name and one relation at a time.
;;;;
;;;; The questions come in the file that ORACLE_QUESTIONS names, one per line:
;;;; operator (or nothing), home package, name of the symbol, between tabs.

(in-package "ORACLE")

(defparameter *relations*
  '((:calls "calls" sb-introspect:who-calls)
    (:macroexpands "macroexpands" sb-introspect:who-macroexpands)
    (:references "references" sb-introspect:who-references)
    (:sets "sets" sb-introspect:who-sets)
    (:binds "binds" sb-introspect:who-binds)))

(defun read-questions ()
  "The function names that are asked about, in order."
  (with-open-file (in (sb-ext:posix-getenv "ORACLE_QUESTIONS") :external-format :utf-8)
    (loop for line = (read-line in nil)
          while line
          collect (let* ((first (position #\Tab line))
                         (second (position #\Tab line :start (1+ first)))
                         (operator (subseq line 0 first))
                         (symbol (find-symbol (subseq line (1+ second))
                                              (subseq line (1+ first) second))))
                    (cond ((string= operator "SETF") (list 'setf symbol))
                          ((string= operator "CAS") (list 'sb-ext:cas symbol))
                          (t symbol))))))

;;; Callers.  SBCL names code by symbols and lists; an answer names a caller by
;;; what it is, operator, number of the symbol, and what else tells it apart.

(defun ours-p (name)
  "True for names with a symbol that the image did not have before we came."
  (typecase name
    (cons (or (ours-p (car name)) (ours-p (cdr name))))
    (symbol (and (symbol-package name) (not (gethash name *numbers*))))))

(defparameter *code-names*
  '(("MACRO-FUNCTION" "function") ("COMPILER-MACRO" "compiler-macro")
    ("COMPILER-MACRO-FUNCTION" "compiler-macro") ("SETF-EXPANDER" "setf-expander")
    ("%DEFSETF" "setf-expander") ("TYPE-EXPANDER" "type") ("SOURCE-TRANSFORM" "source-transform")
    ("CONDITION-REPORT" "condition") ("DEFINE-VOP" "vop") ("DEFTRANSFORM" "transform"))
  "The first elements of lists that name code which is not a separate function.")

(defun function-name-parts (name)
  "The operator and the symbol's number, when the image has a symbol of that NAME."
  (typecase name
    (symbol (and (gethash name *numbers*) (list nil (gethash name *numbers*))))
    ((cons (member setf sb-ext:cas) (cons symbol null))
     (and (gethash (second name) *numbers*)
          (list (symbol-name (first name)) (gethash (second name) *numbers*))))))

(defun sort-of-code (name)
  (and (typep name '(cons symbol (cons t t)))
       (second (assoc (first name) *code-names* :test #'string=))))

(defun caller-fields (name)
  "What the code called NAME is or is written in: sort, operator, number, details."
  (cond ((and (listp name) (member :in name) (not (stringp (second (member :in name)))))
         (caller-fields (second (member :in name))))
        ((and (function-name-parts name) (fboundp name))
         `("function" ,@(function-name-parts name) nil))
        ((typep name '(cons (member sb-pcl::fast-method sb-pcl::slow-method)))
         `("method" ,@(function-name-parts (second name)) ,(bare-text (cddr name))))
        ((and (sort-of-code name) (function-name-parts (second name)))
         `(,(sort-of-code name) ,@(function-name-parts (second name)) nil))
        (t (list "code" nil nil (bare-text name)))))

(defun answer-use (tag question relation name source form-number)
  (unless (ours-p name)
    (destructuring-bind (path toplevel-form form offset) (place source)
      (declare (ignore form offset))
      (apply #'answer tag question relation
             (append (caller-fields name) (list path toplevel-form form-number))))))

;;; Older SBCL names the caller in a transform by its code and its argument types.
;;; Code may be shared, as FOLD-TYPE-PREDICATE is by a hundred functions: WHO-CALLS
;;; then gives that name once for each, and here each gets its turn.

(defun transform-name (transform)
  "The name that WHO-CALLS on older SBCL gives TRANSFORM."
  (let* ((function (sb-c::transform-function transform))
         (name (and (functionp function)
                    (sb-kernel:%simple-fun-name (sb-kernel:%fun-fun function))))
         (type (sb-c::transform-type transform)))
    (append (if (consp name) name (list name))
            (and (sb-kernel:fun-type-p type)
                 (list (second (sb-kernel:type-specifier type)))))))

(defun transform-owners ()
  "A table of the functions that have a transform of a name."
  (let ((owners (make-hash-table :test 'equal)))
    (loop for symbol across *symbols*
          do (dolist (name (names-of symbol))
               (let ((knowledge (sb-int:info :function :info name)))
                 (when knowledge
                   (dolist (transform (sb-c::fun-info-transforms knowledge))
                     (push name (gethash (transform-name transform) owners)))))))
    owners))

(defvar *owners*)

(defun owner-in-turn (name turns place)
  "NAME, or (DEFTRANSFORM FOO) for the next function FOO that has a transform of that NAME."
  (let ((owners (gethash name *owners*)))
    (if owners
        (let ((turn (incf (gethash (cons name place) turns -1))))
          (list 'sb-c:deftransform (elt owners (mod turn (length owners)))))
        name)))

(defun answer-question (name question)
  (loop for (nil relation ask) in *relations*
        for turns = (make-hash-table :test 'equal)
        do (loop for (caller . source) in (funcall ask name)
                 for form-number = (sb-introspect:definition-source-form-number source)
                 for place = (list (first (place source)) (second (place source)) form-number)
                 do (answer-use "who" question relation (owner-in-turn caller turns place)
                                source form-number))))

;;; On older SBCL WHO-CALLS and its kin see only what has a global name.  The rest
;;; of the code is asked directly, so that nothing else can be in the index.

(defun functions-with-names ()
  "A table of the code that WHO-CALLS sees, or NIL when it sees everything."
  (let ((map (find-symbol "MAP-SIMPLE-FUNS" "SB-C"))
        (seen (make-hash-table :test 'eq)))
    (when (and map (fboundp map))
      (funcall map (lambda (name function)
                     (declare (ignore name))
                     (setf (gethash function seen) t)))
      seen)))

(defun made-at-run-time-p (name)
  "Toplevel forms and effective methods: which of them exist differs from run to run."
  (and (consp name)
       (member (first name) '("TOP-LEVEL-FORM" "EMF") :test #'string=)))

(defun answer-uses-in (function questions)
  (let ((uses (sb-kernel:%simple-fun-xrefs function)))
    (when uses
      (sb-c:map-packed-xref-data
       (lambda (kind name form-number)
         (let ((question (gethash name questions))
               (relation (assoc kind *relations*)))
           (when (and question relation)
             (answer-use "other" question (second relation)
                         (sb-kernel:%simple-fun-name function)
                         (sb-introspect:find-definition-source function)
                         form-number))))
       uses))))

(defun replaced-p (function)
  "Whether the global function that FUNCTION was is another one now; NIL as well if it never was one."
  (let ((name (sb-kernel:%simple-fun-name function)))
    (and name
         (typep name '(or symbol (cons (eql setf) (cons symbol null))))
         (fboundp name)
         (let ((now (fdefinition name)))
           (not (eq function (if (typep now 'generic-function) now (sb-kernel:%fun-fun now))))))))

(defun out-of-use-p (code)
  "Whether all global functions in the object CODE have been replaced: it is garbage that may or may not be there."
  (let ((functions (loop for i below (sb-kernel:code-n-entries code)
                         for function = (sb-kernel:%code-entry-point code i)
                         when (typep (sb-kernel:%simple-fun-name function)
                                     '(or symbol (cons (eql setf) (cons symbol null))))
                           collect function)))
    (and functions (every #'replaced-p functions))))

(defun answer-other-code (questions)
  (let ((seen (functions-with-names)))
    (answer "sees" (if seen "names" "all"))
    (when seen
      (dolist (code (remove-if #'out-of-use-p *code*))
        (dotimes (i (sb-kernel:code-n-entries code))
          (let ((function (sb-kernel:%code-entry-point code i)))
            (unless (or (gethash function seen)
                        (made-at-run-time-p (sb-kernel:%simple-fun-name function)))
              (answer-uses-in function questions))))))))

(defun answer-all ()
  (let ((questions (make-hash-table :test 'equal))
        (*owners* (transform-owners)))
    (loop for name in (read-questions)
          for number from 0
          do (setf (gethash name questions) number)
             (answer-question name number))
    (answer-other-code questions))
  (loop for symbol across *symbols*
        do (answer "symbol"
                   (and (symbol-package symbol) (package-name (symbol-package symbol)))
                   (symbol-name symbol))))
