;;;; Is the text of each definition a form that makes that definition?
;;;;
;;;; The questions are lines of fields in the file $QUESTIONS (lines.lisp): path of the source
;;;; file, line, the text, operator (SETF, CAS or nothing), home package, name, kind,
;;;; specializers, the macro that defines it.  They are sorted by path and line.  Each text is
;;;; read in the package and with the readtable that its file has established at that line, and
;;;; the answer, a line in $ANSWERS, is a verdict and what shows it:
;;;;
;;;;     names       the form is (OPERATOR NAME ..) and OPERATOR may define that kind
;;;;     mentions    the form has the name, or makes a part of what it names
;;;;     expands     its macroexpansion has the name
;;;;     words       the form has a word that the name is made of, and its operator is gone
;;;;     unread      the reader gave up, with this error
;;;;     other       none of these

(load (merge-pathnames "file_reader.lisp" *load-truename*))

(in-package "TEST-ORACLE")

;;; Judging

(defparameter *operators*
  '(("DEFUN" "function" "setf-function") ("DEFMACRO" "macro") ("DEFINE-MODIFY-MACRO" "macro")
    ("DEFGENERIC" "generic-function" "method") ("DEFMETHOD" "method" "generic-function")
    ("DEFVAR" "variable") ("DEFPARAMETER" "variable") ("DEFGLOBAL" "variable")
    ("DEFCONSTANT" "constant") ("DEFINE-SYMBOL-MACRO" "symbol-macro") ("DEFTYPE" "type")
    ("DEFCLASS" "class") ("DEFSTRUCT" "structure") ("DEFINE-CONDITION" "condition")
    ("DEFINE-COMPILER-MACRO" "compiler-macro") ("DEFPACKAGE" "package")
    ("DEFSETF" "setf-expander") ("DEFINE-SETF-EXPANDER" "setf-expander")
    ("DEFINE-METHOD-COMBINATION" "method-combination"))
  "The standard defining macros, by name for the sake of libraries that shadow them, and the
kinds of what they define under the name they are given.")

(defun named (form)
  "What (OPERATOR NAME ..) or (OPERATOR (NAME ..) ..) names; (SETF NAME) is a name."
  (let ((name (and (consp (rest form)) (second form))))
    (if (and (consp name) (not (typep name '(cons (eql setf) (cons t null)))))
        (first name)
        name)))

(defun specializer-text (parameter)
  (let ((specializer (if (consp parameter) (second parameter) t)))
    (if (symbolp specializer) (symbol-name specializer) "(EQL")))

(defun specialized-so-p (form specializers)
  "True when the DEFMETHOD FORM has the SPECIALIZERS, a list as text: of EQL only that it is."
  (let* ((lambda-list (find-if #'listp (cddr form)))
         (required (loop for parameter in lambda-list
                         until (member parameter lambda-list-keywords)
                         collect (specializer-text parameter)))
         (position 1))
    (every (lambda (name)
             (let ((found (search name specializers :start2 position :test #'string-equal)))
               (when found (setf position (+ found (length name))))))
           required)))

(defun first-name (name kind)
  "The first name of the function or class NAME, which may have been given another name since."
  (cond ((and (search "function" kind) (fboundp name))
         (let ((function (fdefinition name)))
           (if (typep function 'generic-function)
               (sb-mop:generic-function-name function)
               (sb-kernel:%fun-name function))))
        ((and (string= kind "macro") (macro-function name))
         (let ((full-name (sb-kernel:%fun-name (macro-function name))))
           (and (consp full-name) (second full-name))))
        ((and (string= kind "class") (find-class name nil))
         (class-name (find-class name)))))

(defun names-p (form name kind specializers)
  (and (consp form)
       (symbolp (first form))
       (member kind (rest (assoc (first form) *operators* :test #'string=)) :test #'string=)
       (if (string= kind "package")
           (string= (named form) name)
           (or (equal (named form) name) (equal (named form) (first-name name kind))))
       (or (string/= (first form) "DEFMETHOD") (string/= kind "method")
           (specialized-so-p form specializers))))

(defun symbol-in-p (test tree)
  "True when a symbol or string in TREE meets TEST, a function of its name."
  (typecase tree
    (cons (loop for rest = tree then (cdr rest)
                while (consp rest)
                thereis (symbol-in-p test (car rest))
                finally (return (and rest (symbol-in-p test rest)))))
    (symbol (funcall test (symbol-name tree)))
    (string (funcall test tree))
    (vector (and (not (typep tree '(array number)))
                 (some (lambda (element) (symbol-in-p test element)) tree)))
    (t (and (sb-int:comma-p tree) (symbol-in-p test (sb-int:comma-expr tree))))))

(defun uncounted (name)
  "NAME without the number that a macro may have given it."
  (string-right-trim "0123456789" name))

(defun mentions-p (form symbol defined-by)
  "True when FORM has a symbol of that name, or of one that differs in the number at its end; for
a part of a structure also when it has a part of the name."
  (let* ((name (symbol-name symbol)) (uncounted (uncounted name)))
    (symbol-in-p (lambda (found)
                   (or (string= (uncounted found) uncounted)
                       (and (string-equal defined-by "defstruct")
                            (plusp (length found))
                            (search found name))))
                 form)))

(defun expansion (form)
  "FORM fully expanded, or expanded until an error occurs."
  (handler-case (sb-cltl2:macroexpand-all form)
    (error ()
      (handler-case (macroexpand form)
        (error () form)))))

(defun toplevel-start (line)
  "Where the form at the left margin around LINE begins: it may bind a macro that is used there."
  (or (loop for start = 0 then (1+ end)
            for number from 1 to line
            for end = (position #\Newline *text* :start start)
            when (and (< start (length *text*)) (char= #\( (char *text* start)))
              maximize start
            while end)
      0))

(defun toplevel-form (line)
  (ignore-errors (read-from-string *text* t nil :start (toplevel-start line))))

(defun written-above-p (name line)
  "True when NAME occurs in the toplevel form before LINE."
  (let ((end (search name *text* :start2 (toplevel-start line) :test #'char-equal)))
    (and end (<= (count #\Newline *text* :end end) line))))

(defun sort-of-operator (form line)
  "The sort of FORM's operator: macro, local macro of the form around it, function, or none of these."
  (let ((operator (and (consp form) (first form))))
    (cond ((or (not operator) (not (symbolp operator))) nil)
          ((macro-function operator) "macro")
          ((special-operator-p operator) "special operator")
          ((find-if (lambda (part) (eq (first part) operator))
                    (local-macros (toplevel-form line)))
           "local macro")
          ((fboundp operator) "function"))))

(defun local-macros (form)
  "The definitions in all MACROLETs in FORM."
  (loop for rest = form then (cdr rest)
        while (consp rest)
        when (and (eq rest form) (eq (first form) 'macrolet))
          append (remove-if-not #'consp (second form))
        append (local-macros (car rest))))

(defun verdict (line text operator package name kind specializers defined-by)
  "A verdict, and what shows it."
  (multiple-value-bind (form why) (read-anyhow text)
    (let* ((home (and package (find-package package)))
           (symbol (if package (find-symbol name home) name))
           (function-name (if operator
                              (list (if (string= operator "SETF") 'setf 'sb-ext:cas) symbol)
                              symbol)))
      (cond (why (values "unread" why))
            ((names-p form function-name kind specializers) (values "names" (princ-to-string (first form))))
            ((not (symbolp symbol))
             (values (if (symbol-in-p (lambda (found) (string= found name)) form)
                         "mentions" "other")
                     nil))
            ((mentions-p form symbol defined-by) (values "mentions" nil))
            ((and (consp form)
                  (or (mentions-p (expansion form) symbol defined-by)
                      (mentions-p (expansion `(macrolet ,(local-macros (toplevel-form line)) ,form))
                                  symbol defined-by)
                      (mentions-p (expansion (toplevel-form line)) symbol defined-by)))
             (values "expands" nil))
            ((and (consp form) (symbolp (first form)) (not (fboundp (first form)))
                  (or (symbol-in-p (lambda (found)
                                     (and (> (length found) 2) (search found (symbol-name symbol))))
                                   (rest form))
                      (written-above-p (symbol-name symbol) line)))
             (values "words" (symbol-name (first form))))
            (t (values "other" (prin1-to-string (if (consp form) (first form) form))))))))

(let ((questions (read-lines "QUESTIONS")) (*package* *package*) (*readtable* *readtable*))
  (with-open-file (out (environment-file "ANSWERS") :direction :output)
    (loop for (path line text . rest) in questions
          do (let* ((*features* (features-of path))
                    (*load-truename* (sb-ext:parse-native-namestring path))
                    (*compile-file-truename* *load-truename*))
               (go-to path (parse-integer line))
               (multiple-value-bind (verdict why) (apply #'verdict (parse-integer line) text rest)
                 (put-line out verdict why
                           (sort-of-operator (read-anyhow text) (parse-integer line))))))))
