;;;; Load everything that the user named, before the baseline is taken.
;;;;
;;;; Environment variables say what to load, one thing per line.  It is loaded in this order: the init file
;;;; (OBLIST_USERINIT: the user's own, OBLIST_INIT: another), files (OBLIST_LOAD), systems (OBLIST_SYSTEMS), then the
;;;; systems of folders (OBLIST_PROJECTS).  If OBLIST_LIBRARIES_IDENTITY is set, the systems are libraries for a layer.
;;;; ASDF is loaded for systems, or if OBLIST_ASDF is set.  OBLIST_AGAIN says that this is the second or the last
;;;; start, because those before had to compile.
;;;;
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

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

(defun load-dependency (name)
  (loading name "dependency" (lambda () (asdf "LOAD-SYSTEM" name))))

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

;;; Everything

(defconstant +compiled-here+ 75
  "The exit code that asks for a second start: this image had to compile, and has things no fasl has.")

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
    (let ((named (remove-if #'own-system-p systems))
          (own (and projects (systems-to-load))))
      (note-libraries (remove-duplicates (append named own) :test #'string=) projects)
      (announce "systems to load: ~D" (+ (length named) (length own)))
      (mapc #'load-system named))))

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

(defun begin-observing ()
  "Note the environment, keep failing threads from ending the process, and make LOADING send a sign of life after
each thing loaded to the reader of the records."
  (note-environment)
  (survive-failing-threads)
  (let ((records (sb-sys:make-fd-stream (records-descriptor) :output t :buffering :none
                                                             :element-type '(unsigned-byte 8))))
    (setf *sign-of-life* (lambda () (write-byte 10 records)))))

(defun drop-replaced-code ()
  "Collect garbage; otherwise methods replaced while loading, and code that ran only once, would still be found on the
heap."
  (when (or (find-package "ASDF") *projects* *libraries* (environment "OBLIST_LOAD") (environment "OBLIST_USERINIT"))
    (sb-ext:gc :full t)))

(defun end-threads-of-layer ()
  "End and announce the threads of a layer: what starts from its core does not have them either."
  (when (other-threads)
    (announce "threads ended"))
  (end-other-threads))

(defun load-and-save ()
  "Load everything that the environment names, unless the base has all of it but the projects, and have a child
save the core that OBLIST_SNAPSHOT names (if set).  The core is a source of values; or if OBLIST_LAYER is set, a layer."
  (let ((layer (environment "OBLIST_LAYER"))
        (core (environment "OBLIST_SNAPSHOT"))
        (server (environment "OBLIST_SERVER")))
    (if *libraries*
        (load-project-on-libraries)
        (load-everything))
    (end-if-compiled)
    (setf *sign-of-life* (constantly nil))
    (drop-replaced-code)
    (when layer
      (end-threads-of-layer))
    (when core
      (begin-snapshot (lambda ()
                        (if layer
                            (save-layer core)
                            (save-core core server)))))
    (quieten-image)))

(defun begin-without-base ()
  "Load and save what the environment says, dump everything, and end this process."
  (begin-observing)
  (load-and-save)
  (take-baseline)
  (dump-and-end "DUMP"))
