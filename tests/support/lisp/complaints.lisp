;;;; Proclaim that functions take one more required argument than they do, recompile their system, and write what
;;;; SBCL complains of.
;;;;
;;;; Each line of the file $QUESTIONS is a system, a package and a function; the line of $ANSWERS is the function's
;;;; package and name, then the file of the code at fault, the first and last line of its toplevel form, and the operator
;;;; of the form in it that the code was made from.  What is compiled goes to the file $FASL.

(load (merge-pathnames "lines.lisp" *load-truename*))

(in-package "TEST-ORACLE")

(defvar *out*)
(defvar *told* (make-hash-table :test 'equal))

(defun longer-type (function)
  "A type of FUNCTION with one required argument more."
  (let* ((lambda-list (sb-kernel:%fun-lambda-list function))
         (required (or (position-if (lambda (one) (member one lambda-list-keywords)) lambda-list)
                       (length lambda-list)))
         (rest (nthcdr required lambda-list)))
    `(function (,@(loop repeat (1+ required) collect t)
                ,@(loop for one in rest
                        collect (cond ((member one '(&optional &rest &key &allow-other-keys)) one)
                                      ((eq one '&body) '&rest)
                                      ((eq one '&aux) (loop-finish))
                                      ((member '&key (ldiff rest (member one rest)))
                                       (let ((name (if (consp one) (first one) one)))
                                         (list (if (consp name)
                                                   (first name)
                                                   (intern (symbol-name name) "KEYWORD"))
                                               t)))
                                      (t t))))
               *)))

(defun form-extents (file)
  "The toplevel forms of FILE in order, each as a list of its end in bytes and its first and last line."
  (with-open-file (in file :external-format :latin-1)
    (let ((*package* *package*) (line 1) (at 0))
      (labels ((line-at (position)
                 (let ((before (file-position in)))
                   (file-position in at)
                   (loop while (< at position)
                         do (when (eql (read-char in nil) #\Newline) (incf line))
                            (incf at))
                   (file-position in before)
                   line))
               (skip ()
                 (peek-char t in nil)
                 (file-position in)))
        (loop for start = (skip)
              for form = (read-preserving-whitespace in nil in)
              until (eq form in)
              do (when (and (consp form) (eq (first form) 'in-package))
                   (eval form))
              collect (list (file-position in) (line-at start) (line-at (file-position in))))))))

(defvar *extents* (make-hash-table :test 'equal))

(defun form-lines (file offset)
  "The first and last line of the toplevel form of FILE that the compiler began to read at OFFSET."
  (let ((extents (or (gethash file *extents*)
                     (setf (gethash file *extents*) (form-extents file)))))
    (rest (find-if (lambda (end) (> end offset)) extents :key #'first))))

(defun called-p (name text)
  "True if TEXT says that a function called NAME is called with too few arguments."
  (let ((at (search (format nil "~A is called with" name) text)))
    (and at (plusp at) (find (char text (1- at)) '(#\: #\Space #\Newline)) t)))

(defun operator (form)
  "The name of the operator of FORM, which may be printed."
  (string-upcase (subseq (string-left-trim "(" (princ-to-string form)) 0
                         (position-if (lambda (char) (find char '(#\Space #\Newline #\))))
                                      (string-left-trim "(" (princ-to-string form))))))

(defun tell (package name context)
  (let ((fact (list package name
                    (namestring (sb-c::compiler-error-context-file-name context))
                    (sb-c::compiler-error-context-file-position context))))
    (unless (gethash fact *told*)
      (setf (gethash fact *told*) t)
      (destructuring-bind (first last) (form-lines (third fact) (fourth fact))
        (format *out* "~{~A~^	~}~%"
                (mapcar #'escaped
                        (list package name (third fact) (princ-to-string first) (princ-to-string last)
                              (operator (sb-c::compiler-error-context-original-form context)))))))))

(defun complain (condition names)
  "Tell of CONDITION if it is about one of NAMES, which are lists of a package and a name."
  (let ((text (handler-case (princ-to-string condition) (error () "")))
        (context (ignore-errors (sb-c::find-error-context nil))))
    (when context
      (loop for (package name) in names
            do (when (called-p name text)
                 (tell package name context))))))

(defun sources (system)
  (remove-if-not (lambda (one) (typep one 'asdf:cl-source-file))
                 (asdf:required-components system :other-systems nil)))

(let* ((questions (with-open-file (in (sb-ext:posix-getenv "QUESTIONS"))
                    (loop for line = (read-line in nil) while line collect (fields line))))
       (system (first (first questions)))
       (names (mapcar #'rest questions)))
  (loop for (package name) in names
        for symbol = (find-symbol name package)
        do (sb-ext:without-package-locks
             (setf (sb-int:info :function :type symbol)
                   (sb-kernel:specifier-type (longer-type (fdefinition symbol)))
                   (sb-int:info :function :where-from symbol) :declared)))
  (with-open-file (*out* (sb-ext:posix-getenv "ANSWERS") :direction :output)
    (let ((*error-output* (make-broadcast-stream))
          (*standard-output* (make-broadcast-stream)))
      (dolist (source (sources system))
        (handler-bind ((warning (lambda (condition)
                                  (complain condition names)
                                  (muffle-warning condition))))
          (ignore-errors
           (with-compilation-unit (:override t)
             (compile-file (asdf:component-pathname source)
                           :output-file (sb-ext:posix-getenv "FASL")))))))))
