;;;; Load everything that the user named, before the baseline is taken.
;;;;
;;;; Environment variables say what to load, one thing per line.  It is loaded in this order: the init file
;;;; (OBLIST_USERINIT: the user's own, OBLIST_INIT: another), files (OBLIST_LOAD), systems (OBLIST_SYSTEMS), then the
;;;; systems of folders (OBLIST_PROJECTS).  If OBLIST_LIBRARIES_IDENTITY is set, the systems are libraries for a layer.
;;;; ASDF is loaded for systems, or if OBLIST_ASDF is set.  OBLIST_LOAD_SECONDS limits the time for each; OBLIST_AGAIN
;;;; says that this is the second or the last start, because those before had to compile.
;;;;
;;;; ASDF is called by name, because it may not be loaded when this file is.
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defvar *asked-systems* '()
  "The names of the loaded systems that the user named or that belong to the project, newest first.")

(defvar *system-names* '()
  "The names of all systems that ASDF has loaded, once everything is loaded.")

(defvar *projects* '()
  "The folders of the projects.  What is said of a project below is true of all of them together.")

(defvar *project-systems* '()
  "The names of the project's systems, in the order of loading.")

(defvar *definition-files* '()
  "The system definition files below the projects' folders, those of others too, in the order in which ASDF looks at
them.")

(defvar *own-systems* '()
  "The names of all systems that the project's own files define, tests included.")

(defvar *no-libraries* "none"
  "What stands for no libraries, as *LIBRARIES* for others.")

(defvar *libraries* nil
  "What tells the libraries of a layer from others; NIL in a layer below them.")

(defvar *late-libraries* '()
  "The libraries that depend on a system of the project: no layer has them.")

(defvar *tests-too* nil
  "True when test systems are to be loaded as well.")

(defvar *load-seconds* 600
  "The time limit for loading one system, file or dependency, in seconds.")

(defvar *environment* '()
  "The environment variables that are for us, as they were when this process began: conses of name and value.")

(defun note-environment ()
  "Note the environment variables that are for us: what is loaded may remove them."
  (setf *environment*
        (loop with variables = (sb-alien:extern-alien "environ" (* (sb-alien:c-string :external-format :latin-1)))
              for index from 0
              for entry = (sb-alien:deref variables index) ; others need not be text
              while entry
              when (eql 0 (search "OBLIST_" entry))
                collect (let ((name (subseq entry 0 (position #\= entry))))
                          (cons name (sb-ext:posix-getenv name))))))

(defun environment (variable)
  "The value of the environment VARIABLE, which is for us, or NIL when it is empty or unset."
  (unless *environment*
    (note-environment))
  (let ((value (cdr (assoc variable *environment* :test #'string=))))
    (if (equal value "") nil value)))

(defun environment-lines (variable)
  "The non-empty lines of the environment VARIABLE."
  (let ((text (or (environment variable) "")) (lines '()) (start 0))
    (loop
      (let ((end (position #\Newline text :start start)))
        (let ((line (subseq text start end)))
          (unless (string= line "") (push line lines)))
        (if end (setf start (1+ end)) (return (nreverse lines)))))))

(defun asdf-symbol (name)
  "The symbol that ASDF exports as NAME (a string)."
  (find-symbol name "ASDF"))

(defun asdf (name &rest arguments)
  "Call ASDF's function NAME (a string)."
  (apply (asdf-symbol name) arguments))

(defvar *loaded-for* (make-hash-table :test 'equal)
  "In a start that bears witness (dump/witness.lisp): a table from the names of the loaded systems to the first thing
for which each was loaded, by kind and name, or to NIL for those that an image cannot do without.  It has the paths
of loaded files as well.")

(defun note-loaded-for (what kind)
  "Note the systems that were loaded for WHAT, a thing of that KIND."
  (when (environment "OBLIST_WITNESS")
    (let* ((file (member kind '("init file" "file" "definition file") :test #'string=))
           (thing (and (or file (member kind '("system" "dependency") :test #'string=))
                       (format nil "~A ~A" kind what))))
      (dolist (name (append (and file (list what))
                            (and (find-package "ASDF") (loaded-system-names))))
        (unless (nth-value 1 (gethash name *loaded-for*))
          (setf (gethash name *loaded-for*) thing))))))

(defun why-fatal (what kind)
  "Why an earlier Lisp process ended because of WHAT, a thing of that KIND; NIL if none did.
OBLIST_FATAL lists the kind and name of each such thing, each followed by a line that says why."
  (loop for (name reason) on (environment-lines "OBLIST_FATAL") by #'cddr
        when (string= name (format nil "~A ~A" kind what))
          return reason))

(defun fatal-systems ()
  "The systems that ended an earlier Lisp process: conses of the name and the reason."
  (loop for (thing reason) on (environment-lines "OBLIST_FATAL") by #'cddr
        for space = (position #\Space thing)
        when (member (subseq thing 0 space) '("system" "dependency") :test #'string=)
          collect (cons (subseq thing (1+ space)) reason)))

(defun refuse-fatal-system (perform operation component)
  "The wrapper around ASDF's PERFORM-WITH-RESTARTS when a system is fatal: others may need it."
  (let ((fatal (assoc (asdf "COMPONENT-NAME" (asdf "COMPONENT-SYSTEM" component)) (fatal-systems)
                      :test #'string=)))
    (if (and fatal (not (defines-p operation)))
        (error "The system ~A ended the Lisp process.  ~A" (car fatal) (cdr fatal))
        (funcall perform operation component))))

(defun call-refusing-fatal-systems (function)
  "Call FUNCTION, which loads systems; ASDF does not load those that are fatal."
  (if (fatal-systems)
      (let ((perform (asdf-symbol "PERFORM-WITH-RESTARTS")))
        (wrap-function perform 'refuse-fatal-system)
        (unwind-protect (funcall function)
          (unwrap-function perform 'refuse-fatal-system)))
      (funcall function)))

(defun finish-outputs ()
  "Write out what is buffered; code that was loaded may have closed or replaced the streams."
  (dolist (stream (list *standard-output* *error-output* sb-sys:*stdout* sb-sys:*stderr*))
    (guarding nil (finish-output stream) (condition)
      nil)))

(defun announce (control &rest arguments)
  "Print a line for lisp/sbcl.py to the process's own standard output."
  (finish-outputs)
  (guarding nil (format sb-sys:*stdout* "~&;;; oblist: ~?~%" control arguments) (condition)
    nil)
  (finish-outputs))

(defun loading (what kind function)
  "Call FUNCTION to load WHAT, a thing of that KIND; return true if it was loaded.
A line on standard output precedes the output of loading it: lisp/sbcl.py splits the output there."
  (announce "loading ~A ~A" kind what)
  (let ((reason (why-fatal what kind)))
    (when reason
      (push (list what kind "SBCL-ENDED" reason nil nil) *load-failures*)
      (return-from loading nil)))
  (prog1 (or (call-noting-failures what kind *load-seconds* function)
             (restore-traps))
    (note-loaded-for what kind)
    (finish-outputs)
    (funcall *sign-of-life*)))

;;; Files

(defun load-init-file ()
  "Load the requested init file, as SBCL does when it starts."
  (let* ((named (environment "OBLIST_INIT"))
         (pathname (cond (named (sb-ext:parse-native-namestring named))
                         ((environment "OBLIST_USERINIT")
                          (funcall sb-ext:*userinit-pathname-function*)))))
    (when (and pathname (or named (probe-file pathname)))
      (loading (sb-ext:native-namestring pathname) "init file"
               (lambda () (load pathname))))))

(defun load-one-file (path)
  (loading path "file"
           (lambda () (load (sb-ext:parse-native-namestring path)))))

;;; Systems

(defun load-system (name)
  (when (loading name "system" (lambda () (asdf "LOAD-SYSTEM" name)))
    (pushnew name *asked-systems* :test #'string=)))

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

(defun load-dependency (name)
  (loading name "dependency" (lambda () (asdf "LOAD-SYSTEM" name))))

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

(defun call-without-counting-failures (function)
  "Call FUNCTION, which loads libraries, and return true if all loaded.  One that does not load does not count yet:
loading the systems that need it will report what is wrong."
  (let ((failures *load-failures*))
    (funcall function)
    (eq failures (shiftf *load-failures* failures))))

(defun load-libraries (names)
  "Load the libraries NAMES, which are to be in a layer of their own.  The line on standard output tells
indexer/image.py."
  (register-folders (mapcar #'sb-ext:parse-native-namestring (environment-lines "OBLIST_VENDORED")))
  (note-libraries names nil)       ; ASDF finalizes a class of its own if it has read definitions before it loads
  (announce "systems to load: ~D" (length names))
  (unless (call-without-counting-failures (lambda () (mapc #'load-dependency names)))
    (announce "not all dependencies loaded"))
  (setf *libraries* (environment "OBLIST_LIBRARIES_IDENTITY")))

(defun load-project ()
  "Load the project's systems after all their dependencies.  A refresh always loads in this order, since its base has
the libraries; a build must do the same, so that the index does not depend on how it was made."
  (loading "compiled files" "project" #'drop-all-doubtful-fasls)
  (call-without-counting-failures
   (lambda ()
     (map-project-dependencies #'load-dependency
                               (lambda (name take) (loading name "dependencies of system" take)))))
  (mapc #'load-system (systems-to-load)))

(defun load-definitions (file)
  (loading (sb-ext:native-namestring file) "definition file"
           (lambda () (asdf "LOAD-ASD" file))))

;;; Everything

(defconstant +compiled-here+ 75
  "The exit code that asks for a second start: this image had to compile, and has things no fasl has.")

(defconstant +other-libraries+ 76
  "The exit code of an image that needs a layer with other libraries, or was only to say which.")

(defun end-process (code)
  "End this process at once; EXIT would be refused while something is being loaded."
  (finish-outputs)
  (c-int "_exit" code))

(defun end-if-compiled ()
  "End this process if it has compiled anything, because the compiler interns and defines things that are
in no fasl.  In the second start (OBLIST_AGAIN), everything that compiles is compiled, unless another process has
compiled something meanwhile: then there is one more."
  (let ((again (environment "OBLIST_AGAIN")))
    (when (if again
              (and *has-compiled-well* (string/= again "for the last time"))
              *has-compiled*)
      (end-process +compiled-here+))))

(defun require-asdf ()
  (loading "asdf" "module" (lambda () (require "ASDF"))))

(defun find-projects (systems)
  "Make the systems of the folders that OBLIST_PROJECTS names known to ASDF, announce what comes before them and the
named SYSTEMS, and load those of the latter that are not the projects'."
  (let ((projects (environment-lines "OBLIST_PROJECTS")))
    (when projects
      (setf *projects* (mapcar (lambda (project)
                                 (sb-ext:parse-native-namestring
                                  project nil *default-pathname-defaults* :as-directory t))
                               projects))
      (find-project-systems systems))
    (end-if-definitions-broke)
    (note-libraries (remove-duplicates (append systems (and projects (systems-to-load))) :test #'string=) projects)
    (announce "systems to load: ~D" (+ (count-if-not #'own-system-p systems)
                                       (if projects (length (systems-to-load)) 0)))
    (mapc #'load-system (remove-if #'own-system-p systems))))

(defun note-load-seconds ()
  (let ((seconds (environment "OBLIST_LOAD_SECONDS")))
    (when seconds
      (setf *load-seconds* (parse-integer seconds)))))

(defun load-everything ()
  "Load everything that the environment names."
  (let ((systems (environment-lines "OBLIST_SYSTEMS"))
        (projects (environment "OBLIST_PROJECTS"))
        (libraries (environment "OBLIST_LIBRARIES_IDENTITY")))
    (note-load-seconds)
    (load-init-file)
    (mapc #'load-one-file (environment-lines "OBLIST_LOAD"))
    (when (and (or systems projects libraries (environment "OBLIST_ASDF")) (require-asdf))
      (call-refusing-fatal-systems
       (lambda ()
         (cond (libraries (load-libraries systems))
               (t (find-projects systems)
                  (when projects
                    (load-project)))))))
    (when (find-package "ASDF")
      (setf *system-names* (loaded-system-names)))))

(defun loaded-system-names ()
  "The names of all loaded systems.
ASDF forgets that a system is loaded if it reads the definition again to look for a dependency that is missing."
  (union (remove-if-not (lambda (name) (asdf "REGISTERED-SYSTEM" name)) *asked-systems*)
         (asdf "ALREADY-LOADED-SYSTEMS")
         :test #'string=))

(defun begin-observing (&optional descriptor)
  "Note the environment, keep failing threads from ending the process, and make LOADING send a sign of life after
each thing loaded to the reader of the records on DESCRIPTOR, by default the one that OBLIST_RECORDS names."
  (note-environment)
  (survive-failing-threads)
  (open-records (or descriptor (parse-integer (environment "OBLIST_RECORDS")))))

(defun open-records (descriptor)
  (let ((records (sb-sys:make-fd-stream descriptor :output t :buffering :none
                                                   :element-type '(unsigned-byte 8))))
    (setf *sign-of-life* (lambda () (write-byte 10 records)))))

(defun drop-replaced-code ()
  "Collect garbage; otherwise methods replaced while loading would still be found on the heap."
  (when (or *asked-systems* *projects* *libraries* (environment "OBLIST_LOAD") (environment "OBLIST_USERINIT"))
    (sb-ext:gc :full t)))

(defun load-and-save (descriptor)
  "Load everything that the environment names, unless the base has all of it but the projects, and have a child
save the core that OBLIST_SNAPSHOT names (if set).  The core is a source of values; or if OBLIST_LAYER is set, a layer.
DESCRIPTOR is the number of the file descriptor for the records."
  (let ((layer (environment "OBLIST_LAYER"))
        (core (environment "OBLIST_SNAPSHOT"))
        (server (environment "OBLIST_SERVER")))
    (if *libraries*
        (load-project-on-libraries)
        (load-everything))
    (end-if-compiled)
    (setf *sign-of-life* (constantly nil))
    (drop-replaced-code)
    (when layer                         ; what starts from the core does not have them either
      (when (other-threads)
        (announce "threads ended"))
      (end-other-threads))
    (when core
      (begin-snapshot descriptor (lambda ()
                                   (if layer
                                       (save-layer core #'begin-above)
                                       (save-core core server)))))
    (quieten-image)))

(defun prepare (descriptor)
  "Load and save what the environment says, then take the baseline.  DESCRIPTOR is the number of the file descriptor for
the records."
  (begin-observing descriptor)
  (load-and-save descriptor)
  (take-baseline))
