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

(defun load-above-dependencies (drop-fasls load)
  "Load the project's systems by the function LOAD above a base that has their dependencies; the function DROP-FASLS
deletes the fasls of other texts before."
  (keep-base-systems)
  (loading "compiled files" "project" drop-fasls)
  (note-whether-plain)
  (call-refusing-fatal-systems (lambda ()
                                 (call-in-asdf-session load))))

(defun load-project-on-dependencies ()
  "Load the project as LOAD-EVERYTHING does, above a base that has all else."
  (announce "systems to load: ~D" (length (systems-to-load)))
  (load-above-dependencies #'drop-all-doubtful-fasls #'load-project-systems)
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
  "True unless FAILURE is that of a system that the present index lacks as well: OBLIST_LOADED lists the
systems that it has."
  (not (and (string= (second failure) "system")
            (not (member (first failure) (environment-lines "OBLIST_LOADED") :test #'string=)))))

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
  (quieten-image)
  (defer-files (environment-lines "OBLIST_DEFERRED"))
  (begin-snapshot (parse-integer (environment "OBLIST_RECORDS"))
                  (lambda () (save-layer (environment "OBLIST_SNAPSHOT") #'begin-above))))

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
  "Load the project on its dependencies, or on a layer with a part of it, to be dumped; or save the image.
A system that did not compile is compiled once more in the second start (OBLIST_AGAIN), and not by a child:
a build, too, sees what its compiler leaves behind."
  (when (environment "OBLIST_LAST_GOOD")
    (read-last-good (environment "OBLIST_LAST_GOOD")))
  (let ((below (environment "OBLIST_BELOW")))
    (flet ((load-project-now ()
             (load-above-dependencies #'drop-outdated-fasls
                                      (if (or below (environment "OBLIST_AGAIN"))
                                          #'load-project-systems
                                          #'load-project-compiled-apart))))
      (if below
          (load-below #'load-project-now)
          (load-for-refresh #'load-project-now))))
  ;; One collection leaves some of the code that was replaced while loading: the setters of structures, for example.
  (sb-ext:gc))
