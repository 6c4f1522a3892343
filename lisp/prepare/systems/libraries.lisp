;;;; The libraries that systems need: which of them ASDF does not find, and in which file that is said; and which a
;;;; project loads before its own systems, so that a layer may have them.
;;;;
;;;; ASDF stops at the first that is missing.  Here the definitions are read, and all are named before loading begins.
;;;;
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defvar *no-libraries* "none"
  "What stands for no libraries, as *LIBRARIES* for others.")

(defvar *libraries* nil
  "What tells the libraries of a layer from others; NIL in a layer below them.")

(defvar *late-libraries* '()
  "The libraries that depend on a system of the project: no layer has them.")

(defconstant +other-libraries+ 76
  "The exit code of an image that needs a layer with other libraries, or was only to say which.")

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
  "The system NAME, or NIL if ASDF does not find it, or cannot read its definition.  Those that a layer with libraries
knows have not changed; ASDF could read their definitions again."
  (or (and *libraries* (asdf "REGISTERED-SYSTEM" name))
      (handler-case (asdf "FIND-SYSTEM" name nil)
        (error () nil))))

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

(defun note-libraries (names projects)
  "Find which libraries the systems NAMES need, and announce for indexer/image.py those that ASDF does not find, even if
nothing is missing.  If there are PROJECTS, announce also what comes before their systems: nothing if reading the
definitions does not end well."
  (let ((failures *load-failures*)
        (known (make-hash-table :test 'equal))
        (libraries (told-libraries '() nil)))
    (setf *missing* '()
          *late-libraries* '())
    ;; Definition files may run any code.  What they do will be reported when the systems are loaded.
    (call-noting-failures "the project" "definitions of libraries for" (min *load-seconds* +most-seconds+)
                          (lambda ()
                            (dolist (name names)
                              (let ((missing (missing-for name known (make-hash-table :test 'equal))))
                                (when missing
                                  (push (cons name missing) *missing*))))
                            (when projects
                              (setf libraries (told-libraries (libraries-before-project names known) known)))))
    (setf *load-failures* failures)
    (when projects
      (announce-libraries libraries))
    (announce "missing:~{ ~A~^,~}" (missing-words)) ; last: when this is there, so is all before it
    (funcall *sign-of-life*)))

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

;;; What comes before a project

(defun needs-own-p (name known)
  "True when the system NAME needs one of the project's, according to KNOWN (see NEEDED-BY)."
  (let ((seen (make-hash-table :test 'equal)))
    (labels ((own-p (name)
               (unless (gethash name seen)
                 (setf (gethash name seen) t)
                 (or (own-system-p name)
                     (let ((needed (needed-by name known)))
                       (and (listp needed) (some #'own-p needed)))))))
      (own-p name))))

(defun libraries-before-project (names known)
  "The systems to load before those of the project, in order: those of NAMES that are not the project's, and what its
systems depend on.  *LATE-LIBRARIES* is set to those of them that cannot come first."
  (let ((found (reverse (remove-if #'own-system-p names))))
    (map-project-dependencies (lambda (name) (pushnew name found :test #'string=))
                              (lambda (name take)
                                (declare (ignore name))
                                (handler-case (funcall take)
                                  (error () nil)))) ; loading the system will report it
    (flet ((late-p (name) (needs-own-p name known)))
      (setf *late-libraries* (reverse (remove-if-not #'late-p found)))
      (reverse (remove-if #'late-p found)))))

(defun all-needed (names known)
  "The systems NAMES and all that they need, by name."
  (let ((all (make-hash-table :test 'equal)))
    (labels ((add (name)
               (unless (gethash name all)
                 (setf (gethash name all) t)
                 (let ((needed (needed-by name known)))
                   (when (listp needed)
                     (mapc #'add needed))))))
      (mapc #'add names))
    (sort (loop for name being the hash-keys of all collect name) #'string<)))

(defun vendored-definition (name)
  "The definition file of the system NAME below a project, or NIL."
  (find (primary-name name) *definition-files* :key #'pathname-name :test #'string=))

(defun told-libraries (names known)
  "What there is to say of the libraries NAMES, as a cons: what tells them from others; and as JSON the names, all that
they need with its definition files, and those of these files that are below a project."
  (loop for name in (all-needed names known)
        for system = (asdf "REGISTERED-SYSTEM" name)
        for vendored = (vendored-definition name)
        for place = (quoted-text (or (as-path (or vendored (and system (asdf "SYSTEM-SOURCE-FILE" system))))
                                     ""))
        collect (format nil "[~A,~A]" (quoted-text name) place) into places
        when vendored collect place into vendored-places
        finally (let ((text (format nil "[~{~A~^,~}],[~{~A~^,~}],[~{~A~^,~}]"
                                    (mapcar #'quoted-text names) places vendored-places)))
                  (return (cons (if names (format nil "~36R" (sxhash text)) *no-libraries*)
                                text)))))

(defun announce-libraries (told)
  "Announce what TOLD-LIBRARIES returned.  Then end this process if the layer that it was started from has other
libraries, or has none and a layer with these is to be tried: they are not among those that OBLIST_SETTLED_LIBRARIES
lists, if it lists any."
  (destructuring-bind (identity . text) told
    (announce "libraries: [~S,~A]" identity text)
    (let ((settled (if (or *libraries* (environment "OBLIST_REFRESH"))
                       (list (or *libraries* *no-libraries*))
                       (environment-lines "OBLIST_SETTLED_LIBRARIES"))))
      (unless (or (null settled) (member identity settled :test #'string=))
        (end-process +other-libraries+)))))

(defun quoted-text (string)
  "STRING as JSON, in ASCII."
  (with-output-to-string (out)
    (write-char #\" out)
    (loop for character across string
          for code = (char-code character)
          do (cond ((find character "\"\\") (format out "\\~C" character))
                   ((<= 32 code 126) (write-char character out))
                   ((< code #x10000) (format out "\\u~4,'0X" code))
                   (t (multiple-value-bind (high low) (floor (- code #x10000) #x400)
                        (format out "\\u~4,'0X\\u~4,'0X" (+ #xD800 high) (+ #xDC00 low))))))
    (write-char #\" out)))

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
