;;;; A refresh: a saved base starts and loads the project, then either dumps the difference or saves the
;;;; image, as a source of the values of variables.
;;;;
;;;; A forked child does all compiling (compile.lisp): this image only loads.
;;;;
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defvar *baseline-new-symbols* '()
  "In a refresh: the symbols that the project added.")

(defvar *baseline-changed-packages* '()
  "In a refresh: the packages whose present symbols differ from the base.")

;;; New objects

(defun new-code ()
  "The code objects that the project added."
  (loop for size = 20000 then (* 2 size)
        for found = (make-array size)
        for count = 0
        do (map-young-objects (lambda (object type bytes)
                                (declare (ignore bytes))
                                (when (and (eql type sb-vm:code-header-widetag)
                                           (new-object-p object))
                                  ;; Nothing may be allocated while the heap is being walked.
                                  (when (< count size)
                                    (setf (svref found count) object))
                                  (incf count))))
           (when (<= count size)
             (return (coerce (subseq found 0 count) 'list)))))

(defun number-new-packages (packages)
  "Number the PACKAGES that the project added, after those of the base."
  (let ((number (hash-table-count *package-numbers*)))
    (dolist (package packages)
      (unless (gethash package *package-numbers*)
        (setf (gethash package *package-numbers*) (incf number))))))

(defun symbols-unknown-in (package)
  "As two values: the symbols present in PACKAGE that the project added, and true if the presence or status
of any other symbol changed."
  (let ((unknown '()) (external 0) (internal 0))
    (declare (fixnum external internal))
    (do-present-symbols (symbol status package)
      (let ((number (symbol-number symbol)))
        (cond ((integerp number)
               (if (eq status :external) (incf external number) (incf internal number)))
              ((and (new-object-p symbol)
                    (not (eq (symbol-package symbol) *oblist-package*)))
               (push symbol unknown)))))
    (values unknown
            (not (equal (list external internal (shadowing-sum package))
                        (gethash package *base-package-sums*))))))

(defun take-refresh-baseline ()
  "Number the symbols and packages that the project added, after those of the base, and note the packages
whose present symbols changed."
  (setf *baseline-features* (sound-list *features*)
        *baseline-code* (new-code)
        *baseline-packages* (remove *oblist-package* (list-all-packages)))
  (let ((packages (indexed-packages)) (found '()))
    (number-new-packages packages)
    (dolist (package packages)
      (multiple-value-bind (unknown changed) (symbols-unknown-in package)
        (when (or unknown changed)
          (push package *baseline-changed-packages*))
        (dolist (symbol unknown)
          (unless (gethash symbol *symbol-numbers*)
            (cond ((storable-p (symbol-name symbol))
                   (setf (gethash symbol *symbol-numbers*) :new)
                   (push symbol found))
                  (t (funcall *note-unstorable* "symbol" symbol)))))))
    (setf found (sort found #'symbol-before-p))
    (loop for symbol in found
          for number from (1+ *base-symbol-count*)
          do (setf (gethash symbol *symbol-numbers*) number))
    (setf *baseline-new-symbols* found)))

;;; Projects of Lisp files only

(defun plain-component-p (component)
  "True when everything below COMPONENT is a Lisp file or a file that ASDF leaves alone: components of
other classes may write files, which must not be read before they are complete."
  (if (typep component (asdf-symbol "PARENT-COMPONENT"))
      (every #'plain-component-p (asdf "COMPONENT-CHILDREN" component))
      (member (type-of component) '("CL-SOURCE-FILE" "STATIC-FILE" "DOC-FILE" "HTML-FILE")
              :test (lambda (type name) (eq type (asdf-symbol name))))))

(defun note-whether-plain ()
  "Note whether the project consists of Lisp files only."
  (setf *plain-project* (every #'plain-component-p
                               (remove nil (mapcar (lambda (name) (asdf "REGISTERED-SYSTEM" name))
                                                   *own-systems*)))))

(defun asdf-remembers-p ()
  "True when ASDF may cache the state of files: it has sessions, and loading the project writes only fasls."
  (and *plain-project* (sessions-p)))

(defun call-in-asdf-session (function)
  "Call FUNCTION, in a new session of ASDF if ASDF may cache the state of files."
  (flet ((run ()
           (forgo-upgrade)
           (funcall function)))
    (if (asdf-remembers-p)
        (call-in-new-session #'run)
        (funcall function))))

(defun load-project-system (name)
  "Load the system NAME in a session of its own: whatever failed in another session is tried again."
  (loading name "system"
           (lambda ()
             (call-in-asdf-session (lambda () (asdf "LOAD-SYSTEM" name))))))

(defun load-project-systems ()
  "Load the project's systems, one after the other."
  (let ((wanted (systems-to-load)))
    (dolist (name (in-last-good-order wanted))
      (when (and (if (from-last-good-p name wanted)
                     (load-from-last-good name)
                     (load-project-system name))
                 (member name wanted :test #'string=))
        (push name *asked-systems*)))))

(defun load-while-compiled (files)
  "Load the project as if the fasls FILES existed, waiting for each.  If ASDF had to compile, it would load
in a different order from a build that finds everything compiled."
  (dolist (file files)
    (setf (gethash (file-path (list file)) *awaited-files*) t)
    (register-file-stamp file +later+))
  (load-project-systems))

(defun load-project-compiled-apart ()
  "Load the project while a child compiles it, if anything has to be compiled."
  (let ((files (files-to-compile)))
    (when files
      (begin-compiling))
    (cond ((not (eq *compiler* :elsewhere))
           (load-project-systems))
          ((asdf-remembers-p)
           (load-while-compiled files))
          (t (await-compiler)
             (load-project-systems)))
    (await-compiler)))

;;; The whole refresh

(defun dump-by (name)
  "Load the dumper and call its function NAME with the descriptor for the records."
  (load-dumper (environment "OBLIST_DUMPER"))
  (funcall (find-symbol name *oblist-package*) (environment "OBLIST_RECORDS")))

(defun end-with-failures ()
  (dump-by "DUMP-FAILURES")
  (end-process 1))

(defvar *failures-of-base* '()
  "The failures that the base was saved with.")

(defun new-failures ()
  "What did not load in this refresh."
  (ldiff *load-failures* *failures-of-base*))

(defun breaking-p (failure)
  "True unless FAILURE is that of a system that the present index lacks as well: OBLIST_LOADED lists the
systems that it has."
  (not (and (string= (second failure) "system")
            (not (member (first failure) (environment-lines "OBLIST_LOADED") :test #'string=)))))

(defun refresh-project ()
  "The toplevel function of a saved base.
A system that did not compile is compiled once more in the second start (OBLIST_AGAIN), and not by a child:
a build, too, sees what its compiler leaves behind."
  (setf sb-ext:*save-hooks* *save-hooks-of-image*
        *failures-of-base* *load-failures*)
  (sb-ext:disable-debugger)
  (begin-observing)
  (note-loaded-for "its dependencies" "base")
  (when (environment "OBLIST_LAST_GOOD")
    (read-last-good (environment "OBLIST_LAST_GOOD")))
  (loading "compiled files" "project" #'drop-outdated-fasls)
  (note-whether-plain)
  (call-refusing-fatal-systems
   (lambda ()
     (call-in-asdf-session (if (environment "OBLIST_AGAIN")
                               #'load-project-systems
                               #'load-project-compiled-apart))))
  (setf *sign-of-life* (constantly nil))
  (when (some #'breaking-p (new-failures))
    (end-with-failures))
  (when (eq *compiler* :new)
    (report-to-parent "")
    (end-process (if (new-failures) +compiled-here+ 0)))
  (end-if-compiled)
  (when (environment "OBLIST_SNAPSHOT")
    (c-int "umask" +private+)
    (save-core (environment "OBLIST_SNAPSHOT") (environment "OBLIST_SERVER")))
  (setf *system-names* (union (systems-from-last-good) (loaded-system-names) :test #'string=))
  (quieten-image)
  (sb-ext:gc)
  (take-refresh-baseline)
  (dump-by "DUMP-REFRESH")
  (sb-ext:exit :code 0 :abort t))
