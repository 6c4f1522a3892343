;;;; A slice: what one release brings, which is the systems that one definition file defines.
;;;;
;;;; The base is a layer with everything that the release depends on.  An image started from it loads the release
;;;; and dumps what is newer (dump/slice.lisp), or only reads the definitions, to tell what they depend on.
;;;;
;;;; OBLIST_PLACES names a file with the places of systems: lines of a name, a space and the path of the
;;;; definition file.  ASDF looks nowhere else.
;;;;
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defvar *places* (make-hash-table :test 'equal)
  "The paths of definition files, by the names of systems.")

(defun read-places ()
  (clrhash *places*)
  (with-open-file (in (sb-ext:parse-native-namestring (environment "OBLIST_PLACES"))
                      :external-format '(:utf-8 :replacement #\?))
    (loop for line = (read-line in nil)
          for space = (position #\Space line)
          while line
          do (setf (gethash (subseq line 0 space) *places*) (subseq line (1+ space))))))

(defun place-of-system (name)
  "The definition file of the system NAME, as ASDF's search functions return it."
  (let ((path (or (gethash name *places*)
                  (gethash (primary-name name) *places*))))
    (and path (sb-ext:parse-native-namestring path))))

(defun look-only-in-places ()
  "Make ASDF find systems in OBLIST_PLACES, and compiled files where the environment now says."
  (read-places)
  (asdf "CLEAR-CONFIGURATION")
  (let ((functions (asdf-symbol "*SYSTEM-DEFINITION-SEARCH-FUNCTIONS*")))
    ;; Last, after the search for systems that ASDF infers from the files of another.
    (unless (member 'place-of-system (symbol-value functions))
      (setf (symbol-value functions) (append (symbol-value functions) '(place-of-system))))))

;;; The release

(defun find-own-systems ()
  "Read the definition file that OBLIST_DEFINITION names; return true when it could be read."
  (let ((file (sb-ext:parse-native-namestring (environment "OBLIST_DEFINITION"))))
    (when (load-definitions file)
      (setf *own-systems* (systems-defined-in file)
            *tests-too* (not (null (environment "OBLIST_TESTS"))))
      t)))

(defun note-omitted ()
  "Note the systems that cannot load because what they depend on did not: OBLIST_OMIT lists their names, each
followed by a line that says why."
  (loop for (name reason) on (environment-lines "OBLIST_OMIT") by #'cddr
        do (push name *omitted-systems*)
           (push (list name "system" "DEPENDENCY-NOT-LOADED" reason nil nil) *load-failures*)))

(defun load-release ()
  (note-omitted)
  (when (loading "definitions" "project" #'find-own-systems)
    (note-whether-plain)
    (setf *project-systems* (if *tests-too* *own-systems* (without-tests *own-systems*)))
    (call-in-asdf-session (if (environment "OBLIST_AGAIN")
                              #'load-project-systems
                              #'load-project-compiled-apart))))

(defun dump-slice-of-release ()
  (call-refusing-fatal-systems #'load-release)
  (when (eq *compiler* :new)
    (report-to-parent "")
    (end-process (if (new-failures) +compiled-here+ 0)))
  (end-if-compiled)
  (setf *system-names* (loaded-system-names))
  (quieten-image)
  (sb-ext:gc :full t)                   ; code that was replaced while loading is no part of the release
  (take-newer-baseline)
  (dump-and-end "DUMP-SLICE"))

;;; The survey: what the release depends on

(defvar *needed-first* nil
  "The name of the system that reading the definitions asked ASDF to operate on, if any.")

(defun refuse-operation (operate operation component &rest options)
  "The wrapper around ASDF's OPERATE in a survey: what is not loaded has to be in the base."
  (if (or (defines-p operation) (at-hand-p component))
      (apply operate operation component options)
      (let ((name (asdf "COERCE-NAME" component)))
        (setf *needed-first* (or *needed-first* name))
        (error "Reading the definitions needs the system ~A, which did not load." name))))

(defun at-hand-p (component)
  "True when the system COMPONENT is loaded, or comes with SBCL."
  (let ((system (asdf "FIND-SYSTEM" component nil)))
    (and system
         (or (asdf "COMPONENT-LOADED-P" system)
             (eq (type-of system) (asdf-symbol "REQUIRE-SYSTEM"))))))

(defun survey-release ()
  (let ((operate (asdf-symbol "OPERATE")))
    (wrap-function operate 'refuse-operation)
    (loading "definitions" "project" #'find-own-systems)
    (unwrap-function operate 'refuse-operation))
  (setf *system-names* (remove-if (lambda (name) (and (not *tests-too*) (test-system-p name)))
                                  (copy-list *own-systems*)))
  (setf *system-names* (union *system-names* (mapcan #'inferred-systems (copy-list *system-names*))
                              :test #'string=))
  (dump-and-end "DUMP-SURVEY"))

(defun load-for-slice ()
  "Survey a release or dump what it brings, or save a base for that, of which nothing is dumped but what did not load;
this process ends."
  (look-only-in-places)
  (unless (environment "OBLIST_DEFINITION")
    (load-and-save)
    (dump-and-end "DUMP-FAILURES"))
  (setf *asked-systems* '())
  (note-load-seconds)
  (keep-base-systems)
  (if (environment "OBLIST_SURVEY")
      (survey-release)
      (dump-slice-of-release)))
