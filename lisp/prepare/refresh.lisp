;;;; A refresh: what a saved base does when it starts.  It loads the project, and dumps what
;;;; that brought, or saves the image for the values of its variables.
;;;;
;;;; What has to be compiled is compiled by a forked child (compile.lisp), so that this image is one
;;;; that only loads.
;;;;
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defvar *baseline-new-symbols* '()
  "In a refresh: the symbols that the project brought.")

(defvar *baseline-changed-packages* '()
  "In a refresh: the packages of the base in which the presences are not what they were.")

;;; What is new

(defun new-code ()
  "The code objects that the project brought."
  (loop for size = 20000 then (* 2 size)
        for found = (make-array size)
        for count = 0
        do (map-young-objects (lambda (object type bytes)
                                (declare (ignore bytes))
                                (when (and (eql type sb-vm:code-header-widetag)
                                           (new-object-p object))
                                  ;; Nothing may be allocated here, where the heap is walked.
                                  (when (< count size)
                                    (setf (svref found count) object))
                                  (incf count))))
           (when (<= count size)
             (return (coerce (subseq found 0 count) 'list)))))

(defun number-new-packages (packages)
  "Give the PACKAGES that the project brought numbers after those of the base."
  (let ((number (hash-table-count *package-numbers*)))
    (dolist (package packages)
      (unless (gethash package *package-numbers*)
        (setf (gethash package *package-numbers*) (incf number))))))

(defun symbols-unknown-in (package)
  "The symbols present in PACKAGE that the project brought; and whether other presences in it
than these are not what they were."
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
  "Number the symbols and packages that the project brought, after those of the base, and
note in which packages of the base the presences changed."
  (setf *baseline-features* *features*
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

;;; What was compiled before

(defun plain-component-p (component)
  "True when all below COMPONENT is of the classes that ASDF has for Lisp and for what is only there:
other ones may make files, and what they make must not be read while it is made."
  (if (typep component (asdf-symbol "PARENT-COMPONENT"))
      (every #'plain-component-p (asdf "COMPONENT-CHILDREN" component))
      (member (type-of component) '("CL-SOURCE-FILE" "STATIC-FILE" "DOC-FILE" "HTML-FILE")
              :test (lambda (type name) (eq type (asdf-symbol name))))))

(defun compiled-file (source)
  "What ASDF has compiled the file SOURCE to, if it has."
  (probe-file (asdf "APPLY-OUTPUT-TRANSLATIONS" (compile-file-pathname source))))

(defun drop-compiled (source)
  (let ((fasl (compiled-file source)))
    (when fasl
      (delete-file fasl))))

(defun doubtful-p (source)
  "True when what SOURCE was compiled to may be of an earlier state of it: when it is gone, for ASDF
would go on loading that, and when both are of the same second, for ASDF compares those."
  (let ((fasl (compiled-file source)))
    (and fasl
         (or (null (probe-file source))
             (eql (file-write-date source) (file-write-date fasl))))))

(defun drop-doubtful-fasls (component)
  "Delete the compiled files below COMPONENT that are doubtful."
  (cond ((typep component (asdf-symbol "PARENT-COMPONENT"))
         (mapc #'drop-doubtful-fasls (asdf "COMPONENT-CHILDREN" component)))
        ((typep component (asdf-symbol "CL-SOURCE-FILE"))
         (let ((source (asdf "COMPONENT-PATHNAME" component)))
           (when (doubtful-p source)
             (drop-compiled source))))))

(defun systems-of-project ()
  "The systems of the project that ASDF knows, with those that are not loaded by themselves: what is
loaded may load them."
  (flet ((definition-file (name)
           (let ((system (asdf "REGISTERED-SYSTEM" name)))
             (and system (asdf "SYSTEM-SOURCE-FILE" system)))))
    (let ((files (remove nil (mapcar #'definition-file *project-systems*))))
      (loop for name in (asdf "REGISTERED-SYSTEMS")
            when (or (own-system-p name)
                     (member (definition-file name) files :test #'equal))
              collect (asdf "REGISTERED-SYSTEM" name)))))

(defun look-at-project ()
  "Before the first system is loaded, drop what was compiled of earlier states of the sources: later
some of it would be what was compiled for another system just now.  OBLIST_CHANGED has the files that
are not what they were, gone ones too, or a star when they are not known."
  (let ((changed (environment-lines "OBLIST_CHANGED")))
    (if (equal changed '("*"))
        (mapc #'drop-doubtful-fasls (systems-of-project))
        (dolist (path (mapcar #'sb-ext:parse-native-namestring changed))
          (unless (equal (pathname-type path) "asd")
            (drop-compiled path)))))
  ;; Whether there is more than Lisp files.
  (setf *plain-project* (every #'plain-component-p
                               (remove nil (mapcar (lambda (name) (asdf "REGISTERED-SYSTEM" name))
                                                   *project-systems*)))))

(defun asdf-remembers-p ()
  "True when ASDF may remember what it has seen of files: where it can, and loading the project
makes none but compiled ones."
  (and *plain-project* (sessions-p)))

(defun call-in-asdf-session (function)
  "Call FUNCTION in a new session of ASDF, which remembers what that around it has seen of files."
  (flet ((run ()
           (note-upgraded)
           (funcall function)))
    (if (asdf-remembers-p)
        (call-in-new-session #'run)
        (funcall function))))

(defun load-project-system (name)
  "Load the system NAME, in a session of its own: what failed in another is tried again, and not taken
for done."
  (when (loading name "system"
                 (lambda ()
                   (call-in-asdf-session (lambda () (asdf "LOAD-SYSTEM" name)))))
    (push name *asked-systems*)))

(defun load-project-systems ()
  "Load the project's systems as far as that is possible: it is told of the first that is not."
  (every #'load-project-system *project-systems*))

(defun load-while-compiled (files)
  "Load the project as if FILES were all there; each is waited for.  ASDF does not load in the same
order when it has to compile, and what it finds compiled a build would load in this one."
  (dolist (file files)
    (setf (gethash (file-path (list file)) *awaited-files*) t)
    (register-file-stamp file +later+))
  (load-project-systems))

(defun load-project-compiled-apart ()
  "Load the project; what has to be compiled, a child compiles."
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

;;; All of it

(defun load-dumper ()
  (require "SB-INTROSPECT")
  (load (sb-ext:parse-native-namestring (environment "OBLIST_DUMPER"))))

(defun dump-by (name)
  "Call the dumper's function NAME with the descriptor for records."
  (funcall (find-symbol name *oblist-package*) (environment "OBLIST_RECORDS")))

(defun tell-failures ()
  (load-dumper)
  (dump-by "DUMP-FAILURES")
  (end-process 1))

(defun refresh-project ()
  "What a saved base does when it starts."
  (setf sb-ext:*save-hooks* *save-hooks-of-image*)
  (sb-ext:disable-debugger)
  (loading "compiled files" "project" #'look-at-project)
  (call-in-asdf-session #'load-project-compiled-apart)
  (when *load-failures*
    (tell-failures))
  (when (eq *compiler* :new)
    (tell "")
    (end-process 0))
  (end-if-compiled)
  (when (environment "OBLIST_SNAPSHOT")
    (c-int "umask" +private+)
    (save-core (environment "OBLIST_SNAPSHOT") (environment "OBLIST_SERVER")))
  (setf *system-names* (asdf "ALREADY-LOADED-SYSTEMS"))
  (sb-ext:gc)
  (take-refresh-baseline)
  (load-dumper)
  (dump-by "DUMP-REFRESH")
  (sb-ext:exit :code 0 :abort t))
