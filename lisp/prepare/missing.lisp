;;;; What is missing: the libraries that systems need and ASDF does not find, and in which file that is said.
;;;;
;;;; ASDF stops at the first one.  Here the definitions are read, and all are named before loading begins.
;;;;
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defun dependency-name (dependency)
  "The name of the system that DEPENDENCY requires; NIL when a feature excludes it.
Besides a name, it may be (:VERSION NAME VERSION), (:REQUIRE NAME) or (:FEATURE F DEPENDENCY)."
  (cond ((symbolp dependency) (string-downcase dependency))
        ((stringp dependency) dependency)
        ((string= (first dependency) "FEATURE")
         (and (funcall (find-symbol "FEATUREP" "UIOP") (second dependency))
              (dependency-name (third dependency))))
        (t (dependency-name (second dependency)))))

(defun found-system (name)
  "The system NAME, or NIL if ASDF does not find it, or cannot read its definition."
  (handler-case (asdf "FIND-SYSTEM" name nil)
    (error () nil)))

(defun needed-by (name known)
  "The names of the systems that the system NAME needs, or :MISSING.  KNOWN is a table of such answers: ASDF looks at
the definition file each time."
  (multiple-value-bind (needed found) (gethash name known)
    (if found
        needed
        (setf (gethash name known)
              (let ((system (found-system name)))
                (if system
                    (loop for reader in '("SYSTEM-DEFSYSTEM-DEPENDS-ON" "SYSTEM-DEPENDS-ON")
                          append (remove nil (mapcar #'dependency-name (asdf reader system))))
                    :missing))))))

(defun missing-for (name known seen)
  "The names of what the system NAME needs, directly or through others, and ASDF does not find.  SEEN is a table of
the systems that have been visited for the same purpose; for KNOWN see NEEDED-BY."
  (unless (gethash name seen)
    (setf (gethash name seen) t)
    (let ((needed (needed-by name known)))
      (if (eq needed :missing)
          (list name)
          (loop for other in needed
                append (missing-for other known seen))))))

(defconstant +most-seconds+ 10)

(defun note-missing (names)
  "Find what the systems NAMES need and ASDF does not find, and print it on standard output for indexer/image.py, even
if nothing is missing."
  (let ((failures *load-failures*) (known (make-hash-table :test 'equal)))
    (setf *missing* '())
    ;; Definition files may run any code.  What they do will be reported when the systems are loaded.
    (call-noting-failures "the project" "definitions of libraries for" (min *load-seconds* +most-seconds+)
                          (lambda ()
                            (dolist (name names)
                              (let ((missing (missing-for name known (make-hash-table :test 'equal))))
                                (when missing
                                  (push (cons name missing) *missing*))))))
    (setf *load-failures* failures))
  (announce "missing:~{ ~A~^,~}" (missing-words))
  (funcall *sign-of-life*))

(defun missing-words ()
  "What is missing, most needed first, with the number of systems that need it."
  (let ((counts (make-hash-table :test 'equal)))
    (loop for (nil . missing) in *missing*
          do (dolist (name missing) (incf (gethash name counts 0))))
    (loop for (name . count) in (sort (loop for name being the hash-keys of counts using (hash-value count)
                                            collect (cons name count))
                                      (lambda (a b)
                                        (or (> (cdr a) (cdr b))
                                            (and (= (cdr a) (cdr b)) (string< (car a) (car b))))))
          for first = t then nil
          collect (if first
                      (format nil "~A (needed by ~D system~:P)" name count)
                      (format nil "~A (~D)" name count)))))

;;; Where

(defun as-path (pathname)
  (and pathname (sb-ext:native-namestring (translate-logical-pathname pathname))))

(defun inferred-file (name)
  "The path of the file from which ASDF infers the system NAME, or NIL."
  (let ((slash (position #\/ name)))
    (and slash
         (let ((file (cdr (assoc name (inferable-files (primary-name name)) :test #'string=))))
           (and file (as-path file))))))

(defun unreadable-inferable-file (name message)
  "The path of the file of the package-inferred system NAME whose package form cannot be read because of MESSAGE."
  (loop for (nil . file) in (inferable-files (primary-name name))
          thereis (handler-case (progn (read-package-form file)
                                       nil)
                    (error (condition)
                      (and (string= message (nth-value 1 (describe-condition condition)))
                           (as-path file))))))

(defun place-in-definitions (what condition message)
  "The path of the file that names what CONDITION says is missing for the system WHAT, or that ASDF cannot infer it from;
as a list, empty if there is none."
  (when (find-package "ASDF")
    (let* ((missing (asdf-symbol "MISSING-COMPONENT"))
           (path (if (and missing (typep condition missing))
                     (let ((component (requiring-component condition)))
                       (and component (inferred-file (asdf "COMPONENT-NAME" component))))
                     (unreadable-inferable-file what message))))
      (and path (list path)))))
