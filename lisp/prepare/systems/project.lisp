;;;; The projects' systems: which there are, and which of them are to be loaded.
;;;;
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defvar *projects* '()
  "The folders of the projects.  What is said of a project below is true of all of them together.")

(defvar *project-systems* '()
  "The names of the project's systems, in the order of loading.")

(defvar *definition-files* '()
  "The system definition files below the projects' folders, those of others too, in the order in which ASDF looks at
them.")

(defvar *own-systems* '()
  "The names of all systems that the project's own files define, tests included.")

(defvar *tests-too* nil
  "True when test systems are to be loaded as well.")

(defun vendored-p (file project)
  "True when FILE is in a folder of the PROJECT that holds the code of others: qlot's, ocicl's or Quicklisp's,
or one with a name like vendor."
  (loop with folders = (pathname-directory project)
        for (folder . rest) on (nthcdr (length folders) (pathname-directory file))
        thereis (or (member folder '("ocicl" "quicklisp" "vendor" "vendored" "third-party" "third_party")
                            :test #'string-equal)
                    (char= (char folder 0) #\.)
                    (and (string-equal folder "systems") ; what ocicl used to call it
                         (some (lambda (name)
                                 (probe-file (make-pathname :name name :type "csv" :version nil
                                                            :directory folders :defaults file)))
                               '("systems" "ocicl"))))
        do (setf folders (append folders (list folder)))
        while rest))

(defun all-definition-files (project)
  "The system definition files that ASDF finds below the folder PROJECT.  An error ends its search, such as a
link x.asd that leads to the root folder; then they are those that it has found."
  (let ((files '()))
    (handler-case (collect-definition-files project (lambda (file) (push file files)))
      (error (condition)
        (note-failure (sb-ext:native-namestring project) "project" condition)))
    files))

(defun definition-files (project)
  "The system definition files below the folder PROJECT, as two values: the project's own files, the nearest
first, and all files."
  (let ((files (all-definition-files project)))
    (setf files (sort files #'string< :key #'namestring))
    (values (stable-sort (remove-if (lambda (file) (vendored-p file project)) files) #'<
                         :key (lambda (file) (length (pathname-directory file))))
            files)))

(defun register-folders (files)
  "Make ASDF look in the folders of FILES, which define systems, before it searches elsewhere."
  (let ((registry (asdf-symbol "*CENTRAL-REGISTRY*")))
    (dolist (folder (remove-duplicates
                     (mapcar (lambda (file)
                               (make-pathname :name nil :type nil :version nil :defaults file))
                             (reverse files))
                     :test #'equal))
      (push folder (symbol-value registry)))))

(defun test-system-p (name)
  "True when NAME, or a part of it between slashes, is \"test\" or \"tests\", or ends with such a word."
  (flet ((test-word-p (part)
           (let ((start (position-if-not #'alphanumericp part :from-end t)))
             (member (if start (subseq part (1+ start)) part) '("test" "tests") :test #'string-equal))))
    (loop for start = 0 then (1+ slash)
          for slash = (position #\/ name :start start)
          thereis (test-word-p (subseq name start slash))
          while slash)))

(defun defines-p (operation)
  "True when OPERATION only reads definitions: those of foo/bar are in the file of foo."
  (string= (if (symbolp operation) operation (type-of operation)) "DEFINE-OP"))

(defun tested-by (name)
  "The names of the systems that testing the system NAME operates on."
  (handler-case
      (loop for (operation . names) in (asdf "COMPONENT-DEPENDS-ON"
                                       (asdf "MAKE-OPERATION" (asdf-symbol "TEST-OP"))
                                       (asdf "FIND-SYSTEM" name))
            append (loop for one in (unless (defines-p operation) names)
                         when (or (stringp one) (symbolp one))
                           collect (string-downcase one)))
    (error () '())))

(defun without-tested-by (names)
  "The systems NAMES, except those that testing another of them operates on, unless another one needs them."
  (let ((needed (mapcan (lambda (name) (direct-dependencies name t)) names))
        (tests (loop for name in names
                     append (remove name (tested-by name) :test #'string=))))
    (remove-if (lambda (name)
                 (and (member name tests :test #'string=)
                      (not (member name needed :test #'string=))))
               names)))

(defun without-tests (names)
  "The systems NAMES, except test systems: those whose names say so, and those that the others are tested by.
To know the latter, ASDF loads the definition files of dependencies; if that ends in a failure, loading the
systems will report it, and the names alone decide."
  (let ((failures *load-failures*)
        (systems (remove-if #'test-system-p names)))
    (loading "the project" "definition files for"
             (lambda () (setf systems (without-tested-by systems))))
    (setf *load-failures* failures)
    systems))

(defun systems-defined-in (file)
  "The names of the systems that FILE defines: first the one with the same name as the file, then the others
in alphabetical order."
  (flet ((same-file-p (name)
           (let ((source (asdf "SYSTEM-SOURCE-FILE" (asdf "REGISTERED-SYSTEM" name))))
             (and source (equal (probe-file source) (probe-file file))))))
    (let ((names (sort (remove-if-not #'same-file-p (asdf "REGISTERED-SYSTEMS"))
                       #'string<)))
      (stable-sort names (lambda (a b)
                           (and (string-equal a (pathname-name file))
                                (not (string-equal b (pathname-name file)))))))))

(defun own-definition-files (project)
  "The PROJECT's own system definition files; ASDF will find the systems of all its files."
  (multiple-value-bind (own all) (definition-files project)
    (register-folders all)
    (register-folders own)
    (setf *definition-files* (append *definition-files* own
                                     (remove-if (lambda (file) (member file own :test #'equal)) all)))
    (unless own
      (push (list (sb-ext:native-namestring project) "project" "NO-SYSTEM"
                  "There is no system definition (.asd) in the folder or below it."
                  nil nil)
            *load-failures*))
    own))

(defun define-projects ()
  "Make the projects' systems known to ASDF, and return their names."
  (let ((files (remove-duplicates (mapcan #'own-definition-files (copy-list *projects*))
                                  :test #'equal :from-end t)))
    (mapcan #'systems-defined-in (remove-if-not #'load-definitions files))))

(defun find-project-systems (named)
  "Note the project's systems, and which of them are to be loaded: all but the tests, unless OBLIST_TESTS is
set, and those that are NAMED."
  (setf *own-systems* (define-projects)
        *tests-too* (not (null (environment "OBLIST_TESTS")))
        *project-systems* (copy-list (if *tests-too* *own-systems* (without-tests *own-systems*)))
        *project-systems* (append *project-systems*
                                  (remove-if-not (lambda (name)
                                                   (and (own-system-p name)
                                                        (not (member name *project-systems*
                                                                     :test #'string=))))
                                                 named))))

(defun inferable-files (name)
  "The files of the system NAME, if that is a package-inferred one, from which ASDF may infer systems: conses of
the system's name and the file."
  (let ((system (asdf "REGISTERED-SYSTEM" name)))
    ;; TYPEP would finalize the class, and the index would have what nobody loaded.
    (when (and (find (asdf-symbol "PACKAGE-INFERRED-SYSTEM")
                     (sb-mop:class-precedence-list (class-of system))
                     :key #'name-of-class)
               (string= name (primary-name name)))
      (let ((folder (asdf "COMPONENT-PATHNAME" system)))
        (loop for file in (directory (merge-pathnames "**/*.lisp" folder) :resolve-symlinks nil)
              collect (cons (format nil "~A~{/~A~}/~A" name
                                    (nthcdr (length (pathname-directory folder)) (pathname-directory file))
                                    (pathname-name file))
                            file))))))

(defun inferred-systems (name)
  "The systems that ASDF infers from the files of the system NAME, if that is a package-inferred one."
  (sort (loop for (inferred) in (inferable-files name)
              when (and (or *tests-too* (not (test-system-p inferred)))
                        (handler-case (asdf "FIND-SYSTEM" inferred nil)
                          (error () nil)))
                collect inferred)
        #'string<))

(defun systems-to-load ()
  "The names of the project's systems to load, in order."
  (remove-duplicates (append *project-systems* (mapcan #'inferred-systems (copy-list *project-systems*)))
                     :test #'string= :from-end t))

(defun primary-name (name)
  "The part of the system name NAME before its first slash: foo for foo/bar."
  (subseq name 0 (position #\/ name)))

(defun own-system-p (name)
  "True when the system NAME is one of the project's systems, or has the same primary name as one."
  (member (primary-name name) *own-systems* :key #'primary-name :test #'string=))

(defun direct-dependencies (name &optional only-found)
  "The names of the systems that the system NAME depends on in this image; ONLY-FOUND leaves out those that
are missing, which is an error otherwise."
  (let ((system (asdf "FIND-SYSTEM" name nil)))
    (flet ((component (dependency)
             (if only-found
                 (handler-case (dependency-component system dependency)
                   (error () nil))
                 (dependency-component system dependency))))
      (when system
        (loop for reader in '("SYSTEM-DEFSYSTEM-DEPENDS-ON" "SYSTEM-DEPENDS-ON"
                              "SYSTEM-WEAKLY-DEPENDS-ON")
              append (loop for dependency in (asdf reader system)
                           for found = (component dependency)
                           when found collect (asdf "COMPONENT-NAME" found)))))))

(defun map-project-dependencies (function call)
  "Call FUNCTION with each dependency of the project's systems that is not one of them.  For each system, CALL is called
with its name and a function that does this, and may fail."
  (let ((waiting (systems-to-load)) (seen '()))
    (loop while waiting
          do (let ((name (pop waiting)))
               (unless (member name seen :test #'string=)
                 (push name seen)
                 (funcall call name
                          (lambda ()
                            (dolist (dependency (direct-dependencies name))
                              (if (own-system-p dependency)
                                  (setf waiting (append waiting (list dependency)))
                                  (funcall function dependency))))))))))

(defun load-definitions (file)
  (loading (sb-ext:native-namestring file) "definition file"
           (lambda () (asdf "LOAD-ASD" file))))
