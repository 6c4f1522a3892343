;;;; Systems and roots: the systems that ASDF has loaded, and the folders of their sources.
;;;;
;;;; From the folders and files written here, the reader of the records finds the system and root of each
;;;; source file.

(in-package "OBLIST")

(defun put-load-problems ()
  "Write the failures to load."
  (loop for (what kind type message path line form) in (reverse *load-failures*)
        do (put-record "problem" "stage" "load" "subject" what "part" kind
                                 "condition" type
                                 "message" (without-addresses message)
                                 "path" path
                                 "line" (or line (line-of-toplevel-form path form)))))

(defun line-of-toplevel-form (path form)
  "The line of toplevel form number FORM of the file at PATH, or NIL when it is unknown."
  (let ((scan (and path form (scan-file path path))))
    (when (and scan (< -1 form (length (scan-toplevel-starts scan))))
      (values (line-of scan (aref (scan-toplevel-starts scan) form))))))

(defmacro asking-system ((name part) &body body)
  "Run BODY, noting problems with that PART of the system NAME: its readers may run any code."
  `(noting-problems ("system" ,name ,part :open t) ,@body))

(defun as-text (value)
  "VALUE, which should be a string but may be anything, as text; NIL for NIL."
  (typecase value
    (null nil)
    (string value)
    ((cons string) (format nil "~{~A~^, ~}" value))
    (t (printed value))))

(defun dependencies-of (system)
  "The direct dependencies of SYSTEM: lists (RELATION NAME), in the order of its definition."
  (loop for (relation reader) in '(("depends-on" "SYSTEM-DEPENDS-ON")
                                   ("weakly-depends-on" "SYSTEM-WEAKLY-DEPENDS-ON")
                                   ("defsystem-depends-on" "SYSTEM-DEFSYSTEM-DEPENDS-ON"))
        append (loop for dependency in (asdf reader system)
                     for name = (dependency-name dependency)
                     when name collect (list relation name))))

(defun component-files (component)
  "The paths of all files below COMPONENT, in order."
  (if (typep component (asdf-symbol "PARENT-COMPONENT"))
      (mapcan #'component-files (copy-list (asdf "COMPONENT-CHILDREN" component)))
      (list (as-path (asdf "COMPONENT-PATHNAME" component)))))

(defun planned-files (component &optional left-out)
  "The Lisp files below COMPONENT: lists (PATH FEATURE), where FEATURE is the feature expression that leaves the
file out of an image with the current features, or NIL; LEFT-OUT is that of what is above COMPONENT."
  (let* ((feature (component-feature component))
         (left-out (or left-out
                       (and feature
                            (not (funcall (find-symbol "FEATUREP" "UIOP") feature))
                            (printed feature)))))
    (cond ((typep component (asdf-symbol "PARENT-COMPONENT"))
           (loop for child in (asdf "COMPONENT-CHILDREN" component)
                 append (planned-files child left-out)))
          ((typep component (asdf-symbol "CL-SOURCE-FILE"))
           (list (list (as-path (asdf "COMPONENT-PATHNAME" component)) left-out))))))

(defun source-files (component)
  "The paths of the Lisp files below COMPONENT that belong to an image with the current features."
  (loop for (path left-out) in (planned-files component)
        unless left-out collect path))

(defun source-folder (system)
  "The folder of the sources of SYSTEM; NIL for a module of SBCL's own, which has none."
  (let ((module (asdf-symbol "REQUIRE-SYSTEM")))
    (unless (and module (typep system module))
      (as-path (asdf "SYSTEM-SOURCE-DIRECTORY" system)))))

(defun put-system (number name)
  "Write the system NAME under its NUMBER."
  (let ((system (asdf "REGISTERED-SYSTEM" name)))
    (flet ((text (part reader)
             (asking-system (name part) (as-text (asdf reader system)))))
      (put-record "system"
                  "id" number
                  "name" name
                  "asked" (json-boolean (member name *asked-systems* :test #'string-equal))
                  "version" (text "version" "COMPONENT-VERSION")
                  "licence" (text "licence" "SYSTEM-LICENSE")
                  "author" (text "author" "SYSTEM-AUTHOR")
                  "description" (text "description" "SYSTEM-DESCRIPTION")
                  "definition" (asking-system (name "definition file")
                                 (as-path (asdf "SYSTEM-SOURCE-FILE" system)))
                  "folder" (asking-system (name "folder") (source-folder system))
                  "files" (json-array (asking-system (name "files")
                                        (component-files system)))
                  "dependencies" (json-array (asking-system (name "dependencies")
                                               (dependencies-of system)))))))

(defun put-systems (&optional more)
  "Write all systems that ASDF has loaded, and MORE, by name."
  (loop for name in (sort (copy-list (union more *system-names* :test #'string=)) #'string<)
        for number from 1
        do (noting-problems ("system" name "system")
             (put-system number name))))

(defun system-state (name)
  "What became of the system NAME: loaded, failed, or unloaded if it was not to be loaded."
  (flet ((failed-p (failure)
           (and (member (second failure) '("system" "dependencies of system") :test #'string=)
                (string= (first failure) name))))
    (cond ((member name *system-names* :test #'string=) "loaded")
          ((some #'failed-p *load-failures*) "failed")
          (t "unloaded"))))

(defun put-components (name files)
  "Write the FILES of the system NAME: lists of path and the feature expression that leaves the file out."
  (put-record "components" "system" name
                           "state" (system-state name)
                           "files" (json-array files)))

(defun put-all-components ()
  "Write the Lisp files that the definitions of the systems asked for, and of all the project's systems, name.
The systems that ASDF would infer are not looked up, since that would read their files."
  (let ((names (sort (remove-duplicates (append *own-systems* *asked-systems*) :test #'string=) #'string<)))
    (dolist (name names)
      (noting-problems ("system" name "components")
        (put-components-of name names)))))

(defun put-components-of (name names)
  "Write the components of the system NAME, and those that ASDF would infer from its files unless in NAMES."
  (let ((system (asdf "REGISTERED-SYSTEM" name)))
    (when system
      (put-components name (asking-system (name "files") (planned-files system)))
      (loop for (inferred . file) in (noting-problems ("system" name "files") (inferable-files name))
            unless (member inferred names :test #'string=)
              do (put-components inferred (list (list (as-path file) nil)))))))

(defun put-roots ()
  "Write the roots that belong to no system: SBCL's source tree, and the project."
  (let* ((file (translate-logical-pathname "SYS:SRC;CODE;LIST.LISP"))
         (folder (make-pathname :name nil :type nil :version nil
                                :directory (butlast (pathname-directory file) 2)
                                :defaults file)))
    (put-record "root" "name" "sbcl" "path" (as-path folder)))
  (loop for project in *projects*
        for number from 1
        do (put-record "root" "name" (format nil "project~:[-~D~;~]" (= number 1) number)
                              "path" (as-path (truename project)))))
