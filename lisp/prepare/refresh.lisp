;;;; A refresh: a saved base starts and loads the project, then either dumps the difference or saves the
;;;; image, as a source of the values of variables.
;;;;
;;;; A forked child does all compiling (compile.lisp): this image only loads.
;;;;
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

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
           (heed-immutable-systems)
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
      (when (and (cond ((base-has-all-p name) t)
                       ((from-last-good-p name wanted) (load-from-last-good name))
                       (t (load-project-system name)))
                 (member name wanted :test #'string=))
        (pushnew name *asked-systems* :test #'string=)))))

(defun define-projects-on-libraries ()
  "Make the projects known to ASDF, above a base that has their libraries; another project may have been known to the
image that loaded them."
  (note-load-seconds)
  (asdf "CLEAR-CONFIGURATION")
  (find-projects (environment-lines "OBLIST_SYSTEMS"))
  (call-without-counting-failures (lambda () (mapc #'load-dependency *late-libraries*))))

(defun load-above-libraries (drop-fasls load)
  "Load the project's systems by the function LOAD above a base that has their libraries; the function DROP-FASLS
deletes the fasls of other texts before."
  (keep-base-systems)
  (call-refusing-fatal-systems
   (lambda ()
     (unless *projects*
       (define-projects-on-libraries))
     (loading "compiled files" "project" drop-fasls)
     (note-whether-plain)
     (call-in-asdf-session load))))

(defun load-project-on-libraries ()
  "Load the projects as LOAD-EVERYTHING does, above a base that has all else."
  (load-above-libraries #'drop-all-doubtful-fasls #'load-project-systems)
  (setf *system-names* (loaded-system-names)))

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

(defun end-with-failures ()
  (dump-by "DUMP-FAILURES")
  (end-process 1))

(defun breaking-p (failure)
  "True unless FAILURE is that of a system or of a definition file that the present index lacks as well, or may have
failed before: OBLIST_LOADED lists the systems and definition files that it has."
  (destructuring-bind (what kind &rest more) failure
    (declare (ignore more))
    (cond ((member kind '("system" "definition file") :test #'string=)
           (member what (environment-lines "OBLIST_LOADED") :test #'string=))
          (t (string/= kind "project")))))

(defun end-if-definitions-broke ()
  "In a refresh, end this process if a definition file no longer loads that did: the libraries do not matter then."
  (when (and (environment "OBLIST_REFRESH")
             (not (environment "OBLIST_BELOW"))
             (some #'breaking-p (new-failures)))
    (end-with-failures)))

(defun load-below (function)
  "Call FUNCTION, which loads the project, until it comes to the file that OBLIST_BELOW names, and have a child save the
layer.  If it does not come there, or has something to compile, this process ends: the sources have changed.  The
files that OBLIST_DEFERRED lists are left to the images above the layer."
  (unless (and (catch 'below
                 (funcall function)
                 nil)
               (not *has-compiled*)
               (null (new-failures)))
    (end-process 1))
  (setf *system-names* (loaded-system-names))
  (end-threads-of-layer)
  (quieten-image)
  (defer-files (environment-lines "OBLIST_DEFERRED"))
  (begin-snapshot (lambda () (save-layer (environment "OBLIST_SNAPSHOT")))))

(defun load-for-refresh (function)
  "Call FUNCTION, which loads the project, and end this process if that shows that the image cannot be dumped, or is
only to be saved."
  (funcall function)
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
  (quieten-image))

(defun refresh-project ()
  "Load the project on its libraries, or on a layer with a part of it, to be dumped; or save the image.
A system that did not compile is compiled once more in the second start (OBLIST_AGAIN), and not by a child:
a build, too, sees what its compiler leaves behind."
  (when (environment "OBLIST_LAST_GOOD")
    (read-last-good (environment "OBLIST_LAST_GOOD")))
  (let ((below (environment "OBLIST_BELOW")))
    (flet ((load-project-now ()
             (load-above-libraries #'drop-outdated-fasls
                                      (if (or below (environment "OBLIST_AGAIN"))
                                          #'load-project-systems
                                          #'load-project-compiled-apart))))
      (if below
          (load-below #'load-project-now)
          (load-for-refresh #'load-project-now))))
  ;; One collection leaves some of the code that was replaced while loading: the setters of structures, for example.
  (sb-ext:gc))
