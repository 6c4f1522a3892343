;;;; What a live SBCL says of calls of generic functions, and of the methods that classes have.
;;;;
;;;; The questions come in the file that ORACLE_QUESTIONS names, one per line, fields between tabs:
;;;; "call", the generic function's operator or nothing, its package and name, then package and name
;;;; of each argument's class; or "class" with package and name.

(in-package "ORACLE")

(defun fields (line)
  (loop for start = 0 then (1+ end)
        for end = (position #\Tab line :start start)
        collect (subseq line start end)
        while end))

(defun read-questions ()
  (with-open-file (in (sb-ext:posix-getenv "ORACLE_QUESTIONS") :external-format :utf-8)
    (loop for line = (read-line in nil)
          while line collect (fields line))))

(defun symbol-named (package name)
  (or (find-symbol name package) (error "no symbol ~A::~A" package name)))

(defun class-of-name (package name)
  (let ((class (find-class (symbol-named package name))))
    (unless (sb-mop:class-finalized-p class)
      (sb-mop:finalize-inheritance class))
    class))

(defun eql-specializer-p (specializer)
  (typep specializer 'sb-mop:eql-specializer))

(defun specializer-form (specializer)
  (if (eql-specializer-p specializer)
      (list 'eql (sb-mop:eql-specializer-object specializer))
      (class-name specializer)))

(defun method-fields (method)
  "The texts of the qualifiers and specializers of METHOD."
  (list (elements-text (method-qualifiers method))
        (list-text (mapcar #'specializer-form (sb-mop:method-specializers method)))))

;;; Calls

(defun possible-p (specializer class)
  "Whether an instance of CLASS or of one of its subclasses may be what SPECIALIZER wants."
  (if (eql-specializer-p specializer)
      (typep (sb-mop:eql-specializer-object specializer) class)
      (member specializer (sb-mop:class-precedence-list class))))

(defun answer-call (number function classes)
  (dolist (method (sb-mop:compute-applicable-methods-using-classes function classes))
    (unless (some #'eql-specializer-p (sb-mop:method-specializers method))
      (apply #'answer "reached" number (method-fields method))))
  (dolist (method (sb-mop:generic-function-methods function))
    (let ((specializers (sb-mop:method-specializers method)))
      (when (and (some #'eql-specializer-p specializers)
                 (every #'possible-p specializers classes))
        (apply #'answer "possible" number (method-fields method))))))

(defun call-question (number operator package name &rest classes)
  (let ((symbol (symbol-named package name)))
    (answer-call number
                 (fdefinition (if (string= operator "") symbol
                                  (list (if (string= operator "SETF") 'setf 'sb-ext:cas) symbol)))
                 (loop for (package name) on classes by #'cddr
                       collect (class-of-name package name)))))

;;; Classes

(defun call-with (method place class)
  "The classes of a call that METHOD is for, but with CLASS at PLACE."
  (loop for specializer in (sb-mop:method-specializers method)
        for number from 0
        collect (cond ((= number place) class)
                      ((eql-specializer-p specializer)
                       (class-of (sb-mop:eql-specializer-object specializer)))
                      (t specializer))))

(defun answer-methods-of-class (number class)
  "Answer the methods that apply because of CLASS: one of their arguments is specialized, and takes it."
  (let ((known (make-hash-table :test 'equal)))
    (flet ((applicable (function classes)
             (let ((key (cons function classes)))
               (multiple-value-bind (methods found) (gethash key known)
                 (if found
                     methods
                     (setf (gethash key known)
                           (sb-mop:compute-applicable-methods-using-classes function classes)))))))
      (loop for method being the hash-keys of *methods*
            for function = (sb-mop:method-generic-function method)
            for name = (sb-mop:generic-function-name function)
            when (loop for specializer in (sb-mop:method-specializers method)
                       for place from 0
                       thereis (and (not (eq specializer (find-class t)))
                                    (not (eql-specializer-p specializer))
                                    (member method (applicable function
                                                               (call-with method place class)))))
              do (apply #'answer "method" number (and (consp name) (symbol-name (first name)))
                        (append (let ((symbol (if (consp name) (second name) name)))
                                  (list (and (symbol-package symbol)
                                             (package-name (symbol-package symbol)))
                                        (symbol-name symbol)))
                                (method-fields method)))))))

(defun class-question (number package name)
  (answer-methods-of-class number (class-of-name package name)))

(defun answer-all ()
  (loop for (kind . rest) in (read-questions)
        for number from 0
        do (apply (if (string= kind "call") #'call-question #'class-question) number rest)))
