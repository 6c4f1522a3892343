;;;; Load one thing at a time: tell what it is, for how long it may take, and whether an earlier process ended with it.
;;;;
;;;; OBLIST_LOAD_SECONDS limits the time for each thing.  ASDF is called by name, because it may not be loaded when this
;;;; file is.
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defvar *asked-systems* '()
  "The names of the loaded systems that the user named or that belong to the project, newest first.")

(defvar *system-names* '()
  "The names of all systems that ASDF has loaded, once everything is loaded.")

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

(defun records-descriptor ()
  "The number of the file descriptor for the records."
  (parse-integer (environment "OBLIST_RECORDS")))

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
  "Print a line for lisp/images.py to the process's own standard output."
  (finish-outputs)
  (guarding nil (format sb-sys:*stdout* "~&;;; oblist: ~?~%" control arguments) (condition)
    nil)
  (finish-outputs))

(defun loading (what kind function)
  "Call FUNCTION to load WHAT, a thing of that KIND; return true if it was loaded.
A line on standard output precedes the output of loading it: lisp/images.py splits the output there."
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

(defun call-without-counting-failures (function)
  "Call FUNCTION, which loads libraries, and return true if all loaded.  One that does not load does not count yet:
loading the systems that need it will report what is wrong."
  (let ((failures *load-failures*))
    (funcall function)
    (eq failures (shiftf *load-failures* failures))))
