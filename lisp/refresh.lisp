;;;; A refresh: what a saved base does when it starts.  It loads the project, and dumps what
;;;; that brought, or saves the image for the values of its variables.
;;;;
;;;; What has to be compiled is compiled by a forked child, so that this image is one that only
;;;; loads: the compiler interns and defines what is in no fasl.
;;;;
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defvar *baseline-new-symbols* '()
  "In a refresh: the symbols that the project brought.")

(defvar *baseline-changed-packages* '()
  "In a refresh: the packages of the base in which the presences are not what they were.")

(defvar *compiler* nil
  "Who compiles: NIL while nothing had to be compiled, :NEW in the new process that does, :ELSEWHERE
where that is another, :LOCAL when none could be started.  (SBCL has these keywords: we bring none.)")

(defvar *plain-project* t
  "False when what the project is made of is more than Lisp files.")

(defvar *compiler-process* nil
  "The number of the child that compiles, as long as it is to be waited for.")

(defvar *compiled-files* nil
  "A stream to or from the compiler: a line for each file that is compiled, with its path.")

(defconstant +compiled-here+ 75
  "The exit code that asks for another start: this image had to compile, and would tell too much.")

;;; What is new

(declaim (type function *generation-of*))
(defvar *generation-of* (fdefinition (internal "GENERATION-OF" "SB-KERNEL")))

(defun new-object-p (object)
  "True for an object on the heap that was made since the core was saved."
  (let ((generation (funcall *generation-of* object)))
    (and generation (< generation sb-vm:+pseudo-static-generation+))))

(defun new-code ()
  "The code objects that the project brought.  One walk of the heap, where LIST-ALLOCATED-OBJECTS
takes two."
  (let ((found '()))
    (sb-vm:map-allocated-objects (lambda (object type size)
                                   (declare (ignore size))
                                   (when (and (eql type sb-vm:code-header-widetag)
                                              (new-object-p object))
                                     (push object found)))
                                 :all)
    found))

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

;;; Compiling

(defun end-process (code)
  "End this process at once; EXIT is refused while something is loaded."
  (finish-output *standard-output*)
  (finish-output *error-output*)
  (c-int "_exit" code))

(defun await-compiler ()
  "Wait for the child that compiles, if there is one, and end as it did if it failed; it goes when
we stop waiting."
  (let ((process (shiftf *compiler-process* nil)) (ended nil))
    (when process
      (unwind-protect
           (sb-alien:with-alien ((status sb-alien:int))
             (loop until (= process (wait-for-process process (sb-alien:addr status)))
                   ;; A signal came first; or what is loaded has waited for it in our stead.
                   do (unless (zerop (c-int "kill" process 0))
                        (end-process 1)))
             (setf ended t)
             (unless (zerop status)
               (end-process 1)))
        (unless ended
          (c-int "kill" process +kill+))))))

(defun begin-compiling ()
  "Start a child that compiles and loads all that is left; or do it here."
  (finish-output *standard-output*)
  (finish-output *error-output*)
  (multiple-value-bind (read-end write-end) (call-internal "UNIX-PIPE" "SB-UNIX")
    (let ((process (fork)))
      (setf *compiled-files* (apply #'sb-sys:make-fd-stream
                                    (if (eql process 0)
                                        (list write-end :output t)
                                        (list read-end :input t)))
            *compiler* (case process (0 :new) ((nil) :local) (t :elsewhere)))
      (c-int "close" (if (eql process 0) read-end write-end))
      (case *compiler*
        (:new #+linux (c-int "prctl" +set-death-signal+ +kill+))
        (:elsewhere (setf *compiler-process* process))))))

(defun tell-compiled (path)
  (write-line path *compiled-files*)
  (finish-output *compiled-files*))

(defun await-compiled (path)
  "Wait until the compiler has compiled what goes to the file PATH, or all there is.
We load each file while it compiles the next."
  (let ((process *compiler-process*) (ended nil))
    (when process
      (unwind-protect
           (progn (loop for line = (read-line *compiled-files* nil)
                        until (or (null line) (string= line path))
                        finally (unless line (await-compiler)))
                  (setf ended t))
        (unless ended
          (setf *compiler-process* nil)
          (c-int "kill" process +kill+))))))

(defun compile-apart (operation component compile)
  "Stands around ASDF's PERFORM of OPERATION, which would COMPILE the COMPONENT."
  (unless *compiler*
    (begin-compiling))
  (let ((path (sb-ext:native-namestring (first (asdf "OUTPUT-FILES" operation component)))))
    (ecase *compiler*
      (:local (funcall compile))
      (:new (multiple-value-prog1 (funcall compile)
              (when *plain-project*
                (tell-compiled path))))
      (:elsewhere (await-compiled path)
              (asdf "MARK-OPERATION-DONE" operation component)))))

(defun plain-component-p (component)
  "True when all below COMPONENT is of the classes that ASDF has for Lisp and for what is only there:
other ones may make files, and what they make must not be read while it is made."
  (if (typep component (find-symbol "PARENT-COMPONENT" "ASDF"))
      (every #'plain-component-p (asdf "COMPONENT-CHILDREN" component))
      (member (type-of component) '("CL-SOURCE-FILE" "STATIC-FILE" "DOC-FILE" "HTML-FILE")
              :test (lambda (type name) (eq type (find-symbol name "ASDF"))))))

(defun compile-apart-from-now ()
  "Let ASDF's COMPILE-OP on Lisp sources go through COMPILE-APART."
  (let ((perform (find-symbol "PERFORM" "ASDF")))
    (funcall (compile nil `(lambda ()
                             (defmethod ,perform :around
                                 ((operation ,(find-symbol "COMPILE-OP" "ASDF"))
                                  (component ,(find-symbol "CL-SOURCE-FILE" "ASDF")))
                               (compile-apart operation component
                                              (lambda () (call-next-method)))))))
    (remember-methods perform)))

(defun compiled-file (component)
  "The compiled file of the Lisp file COMPONENT, if there is one."
  (let ((file (first (asdf "OUTPUT-FILES"
                           (asdf "MAKE-OPERATION" (find-symbol "COMPILE-OP" "ASDF"))
                           component))))
    (and file (probe-file file))))

(defun doubtful-p (source component changed)
  "True when what COMPONENT was compiled to may be of an earlier state of its SOURCE: when that is
gone, for ASDF would go on loading it, when it is among the CHANGED files, or, where those are
not known, when both are of the same second, for ASDF compares those."
  (or (null source)
      (if (equal changed '("*"))
          (let ((fasl (compiled-file component)))
            (and fasl (eql (file-write-date source) (file-write-date fasl))))
          (member (sb-ext:native-namestring source) changed :test #'string=))))

(defun drop-doubtful-fasls (component changed)
  "Delete the compiled files below COMPONENT that are doubtful; CHANGED is what OBLIST_CHANGED says,
a list of files, or of a star when they are not known."
  (cond ((typep component (find-symbol "PARENT-COMPONENT" "ASDF"))
         (dolist (child (asdf "COMPONENT-CHILDREN" component))
           (drop-doubtful-fasls child changed)))
        ((typep component (find-symbol "CL-SOURCE-FILE" "ASDF"))
         (when (doubtful-p (probe-file (asdf "COMPONENT-PATHNAME" component)) component changed)
           (let ((fasl (compiled-file component)))
             (when fasl (delete-file fasl)))))))

(defun look-at-project (systems changed)
  "Drop the doubtful fasls of all SYSTEMS before the first is loaded: later some of them would be
those that were compiled for another system just now.  Note whether there is more than Lisp files."
  (setf *plain-project* (every #'plain-component-p systems))
  (dolist (system systems)
    (drop-doubtful-fasls system changed)))

(defun load-project-system (name)
  (when (loading name "system" (lambda () (asdf "LOAD-SYSTEM" name)))
    (push name *asked-systems*)))

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
  (loading "compiled files" "project"
           (lambda ()
             (look-at-project (remove nil (mapcar (lambda (name) (asdf "REGISTERED-SYSTEM" name))
                                                  *project-systems*))
                              (environment-lines "OBLIST_CHANGED"))))
  (mapc #'load-project-system *project-systems*)
  (await-compiler)
  (when *load-failures*
    (tell-failures))
  (case *compiler*
    (:new (end-process 0))
    (:local (end-process +compiled-here+)))
  (when (environment "OBLIST_SNAPSHOT")
    (c-int "umask" +private+)
    (save-core (environment "OBLIST_SNAPSHOT") (environment "OBLIST_SERVER")))
  (setf *system-names* (asdf "ALREADY-LOADED-SYSTEMS"))
  (sb-ext:gc)
  (take-refresh-baseline)
  (load-dumper)
  (dump-by "DUMP-REFRESH")
  (sb-ext:exit :code 0 :abort t))
