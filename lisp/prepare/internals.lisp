;;;; The internals of SBCL and ASDF that are needed before the baseline, each with its reason.
;;;; Seen to work on SBCL 2.0.11, 2.2.9 and 2.6.7, with the ASDF of each.
;;;;
;;;; Unexported names are looked up as strings, so that reading this file interns nothing; where
;;;; a version lacks a name, one kind of answer is missing.  The other names come from packages that SBCL
;;;; calls private.
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defun internal (name package)
  "The symbol NAME of PACKAGE (both strings), or NIL if this SBCL has no such symbol."
  (let ((package (find-package package)))
    (and package (find-symbol name package))))

(defun call-internal (name package &rest arguments)
  "Call the internal function NAME of PACKAGE; return NIL if this SBCL has no such function."
  (let ((symbol (internal name package)))
    (and symbol (fboundp symbol) (apply symbol arguments))))

;;; EXIT notes that the Lisp is ending before it unwinds: whoever stops it has to take that back.

(defun forget-exit ()
  "Take back that EXIT was called."
  (let ((variable (internal "*EXIT-IN-PROGRESS*" "SB-IMPL")))
    (when variable
      (setf (symbol-value variable) nil))))

;;; Before SBCL saves a core, it disassembles all code twice.  One pass links calls directly to their functions: a
;;; quarter of the time that saving takes, for links that have to be undone for each function that is wrapped or
;;; redefined later.  The other pass is needed to move code.

(defun do-nothing (function &rest arguments)
  (declare (ignore function arguments)))

(defun leave-calls-indirect ()
  "Make saving a core leave out what makes its calls direct."
  (let ((name (internal "STATICALLY-LINK-CORE" "SB-VM")))
    (when (and name (fboundp name))
      (wrap-function name 'do-nothing))))

(defun heap-usage ()
  "The number of bytes in use."
  (sb-kernel:dynamic-usage))

(defun restore-traps ()
  "Put back SBCL's own handler of SIGALRM, without which a timer ends the process, and its traps of arithmetic
errors: with one more, hash tables cannot grow.  Return NIL."
  (let ((handler (internal "SIGALRM-HANDLER" "SB-UNIX")))
    (when handler
      (sb-sys:enable-interrupt sb-unix:sigalrm (symbol-function handler))))
  (sb-int:set-floating-point-modes :traps '(:overflow :invalid :divide-by-zero))
  nil)

(defun own-thread-p (thread)
  "True for a thread of SBCL's own, such as the one that runs finalizers."
  (call-internal "THREAD-EPHEMERAL-P" "SB-THREAD" thread))

;;; The position of the compiler and the loader in a source: without it a failure has no line.

(defun source-stream ()
  "The stream of the file that is being compiled, or loaded as source; NIL when there is none."
  (let* ((variable (internal "*SOURCE-INFO*" "SB-C"))
         (source (and variable (boundp variable) (symbol-value variable)))
         (stream (and source (call-internal "SOURCE-INFO-STREAM" "SB-C" source))))
    (and stream
         (call-internal "FORM-TRACKING-STREAM-P" "SB-IMPL" stream)
         stream)))

(defun line-of-last-form (stream)
  "The first line of the toplevel form that was last read from the source STREAM, or NIL."
  (let ((start (call-internal "FORM-TRACKING-STREAM-FORM-START-CHAR-POS" "SB-IMPL" stream)))
    (and start
         (first (call-internal "LINE/COL-FROM-CHARPOS" "SB-IMPL" stream start)))))

(defun source-namestring (source)
  "The path of the file of the debug source SOURCE, or NIL."
  (call-internal "DEBUG-SOURCE-NAMESTRING" "SB-C" source))

(defun source-of-code (code)
  "The path of the file that the object CODE was compiled from, or NIL."
  (let ((info (sb-kernel:%code-debug-info code)))
    (and (typep info 'sb-c::compiled-debug-info)
         (source-namestring (sb-c::debug-info-source info)))))

(defun code-of-function (function)
  "The code object that FUNCTION is in."
  (sb-kernel:fun-code-header function))

(defun sbcl-home ()
  "The folder of what comes with SBCL."
  (sb-int:sbcl-homedir-pathname))

(defun provider-of-contribs ()
  "A list of the function by which REQUIRE finds what comes with SBCL; empty if this SBCL has no such function."
  (let ((provider (internal "MODULE-PROVIDE-CONTRIB" "SB-IMPL")))
    (and provider (list provider))))

(defun compiler-error-p (condition)
  "True for a condition that ends the compilation of a form or a file; not all are ERRORs."
  (typep condition '(or sb-c:compiler-error sb-c:fatal-compiler-error)))

(defun inner-condition (condition)
  "The condition that the compiler wrapped into CONDITION, or CONDITION itself."
  (let ((reader (internal "ENCAPSULATED-CONDITION" "SB-INT")))
    (or (handler-case (and (compiler-error-p condition)
                           (funcall reader condition))
          (error () nil))
        condition)))

(defun toplevel-code-name-p (name)
  "True for the NAME of code that runs a toplevel form of a compiled file."
  (if (consp name)
      (and (symbolp (first name))
           (string= (symbol-name (first name)) "TOP-LEVEL-FORM"))
      (equal name "top level form")))

;;; Opening a pipe waits until somebody writes to it, and reading a device may never end.

(defun special-file-p (pathname)
  "True when PATHNAME names neither a regular file nor a folder, but a pipe, a socket or a device."
  (let ((path (handler-case (sb-ext:native-namestring (translate-logical-pathname pathname))
                (error () nil))))
    (multiple-value-bind (ok device inode mode) (and path (sb-unix:unix-stat path))
      (declare (ignore device inode))
      (and ok
           (not (member (logand mode sb-unix:s-ifmt) (list sb-unix:s-ifreg sb-unix:s-ifdir)))))))

;;; What the file system knows of a file.

(defun file-status (path)
  "The inode, size, date and inode's date of the file at PATH, as a list; NIL if there is none.  The dates are those
of FILE-WRITE-DATE."
  (multiple-value-bind (ok device inode mode links user group rdevice size access modified changed)
      (sb-unix:unix-stat (sb-ext:native-namestring (translate-logical-pathname path)))
    (declare (ignore device mode links user group rdevice access))
    (and ok
         (list inode size (+ modified sb-impl::unix-to-universal-time) (+ changed sb-impl::unix-to-universal-time)))))

(defun file-identity (path)
  "What tells the file at PATH from others: its inode, size and date; NIL if there is no file."
  (let ((status (file-status path)))
    (and status (subseq status 0 3))))

(defun inode-date (path)
  "When the inode of PATH changed, by renaming, writing or setting its date; NIL if there is no file."
  (fourth (file-status path)))

;;; Named functions: a wrapper sees every call, and the cell that holds a function stays the same when
;;; the function is replaced.

(defun wrap-function (name wrapper)
  "Make calls to the function NAME call the function named WRAPPER with the original function and the
arguments.  If calls are linked directly to the function, SBCL walks all code first.  It may fail there because the end
of the space for code is not the end of an object (an AVER in MAP-OBJECTS-IN-RANGE, SBCL 2.2.9), which a garbage
collection puts right."
  (flet ((wrap ()
           (sb-int:encapsulate name wrapper (fdefinition wrapper))))
    (handler-case (wrap)
      (sb-int:bug ()
        (sb-ext:gc :full t)
        (wrap)))))

(defun unwrap-function (name wrapper)
  "Undo WRAP-FUNCTION."
  (sb-int:unencapsulate name wrapper))

(defun internal-feature-p (name)
  "True when this SBCL was built with the internal feature NAME (a string)."
  (let ((features (internal "+INTERNAL-FEATURES+" "SB-IMPL")))
    (and features
         (find name (symbol-value features) :test #'string=))))

(defvar *symbols-are-cells* (and (internal-feature-p "LINKAGE-SPACE") t)
  "True when symbols hold their functions themselves, and only other names have cells.")

(declaim (type function *symbol-function*))
(defvar *symbol-function* (fdefinition (or (internal "%SYMBOL-FUNCTION" "SB-KERNEL") 'identity))
  "The function that a symbol holds, with its wrappers, or NIL.")

(defun function-cell (name)
  "The object that holds the function NAME, and stays the same when the function is replaced; NIL if there
never was such a function."
  (if (and *symbols-are-cells* (symbolp name))
      name
      (sb-int:find-fdefn name)))

(defun cell-function (cell)
  "The function that CELL holds now, or NIL."
  (if (symbolp cell)
      (funcall *symbol-function* cell)
      (sb-kernel:fdefn-fun cell)))

;;; Processes: SB-POSIX exports FORK and PIPE, but loading it would add it to the index.

(defun call-without-system-threads (function)
  "Call FUNCTION while SBCL's own threads are stopped: a process with several threads cannot be forked."
  (call-internal "FINALIZER-THREAD-STOP" "SB-IMPL")
  (call-internal "%DISPOSE-THREAD-STRUCTS" "SB-THREAD")
  ;; Older versions may stop the finalizer thread before it has begun; it ends by itself then (src/code/final.lisp),
  ;; which may take a while on a busy machine.
  (loop repeat 500
        while (some #'own-thread-p (sb-thread:list-all-threads))
        do (sleep 0.01))
  (prog1 (funcall function)
    (call-internal "FINALIZER-THREAD-START" "SB-IMPL")))

(defun make-pipe ()
  "The descriptors for reading and for writing of a new pipe, as two values."
  (call-internal "UNIX-PIPE" "SB-UNIX"))

;;; The heap of an image started from a saved core: new objects are those outside the pseudo-static
;;; generation.

(declaim (type function *generation-of*))
(defvar *generation-of* (fdefinition (internal "GENERATION-OF" "SB-KERNEL")))

(defun new-object-p (object)
  "True for an object on the heap that is newer than the core."
  (let ((generation (funcall *generation-of* object)))
    (and generation (< generation sb-vm:+pseudo-static-generation+))))

(defun map-young-objects (function)
  "Call FUNCTION as SB-VM:MAP-ALLOCATED-OBJECTS does, at least for new objects: skipping the saved objects
means skipping most of the heap."
  (let ((walk (internal "WALK-DYNAMIC-SPACE" "SB-VM")))
    (cond ((and walk (internal "+INTERNAL-FEATURES+" "SB-IMPL"))
           (sb-sys:without-gcing
             (funcall walk function (1- (ash 1 sb-vm:+pseudo-static-generation+)) 0 0))
           (when (internal-feature-p "IMMOBILE-SPACE")
             (sb-vm:map-allocated-objects function (find-symbol "IMMOBILE" "KEYWORD"))))
          (t (sb-vm:map-allocated-objects function :all)))))

;;; ASDF: plans, sessions and searches, which the package ASDF does not export.

(defun collect-definition-files (folder collect)
  "Call COLLECT with each system definition file that ASDF finds below FOLDER."
  (call-internal "COLLECT-SUB*DIRECTORIES-ASD-FILES" "ASDF/SOURCE-REGISTRY" folder :collect collect))

(defun places-of-systems ()
  "A table from the names of systems to the paths of the definition files that ASDF finds for them."
  (call-internal "ENSURE-SOURCE-REGISTRY" "ASDF/SOURCE-REGISTRY")
  (symbol-value (internal "*SOURCE-REGISTRY*" "ASDF/SOURCE-REGISTRY")))

(defun dependency-component (system dependency)
  "The component that DEPENDENCY, from the definition of SYSTEM, refers to in this image, or NIL."
  (call-internal "RESOLVE-DEPENDENCY-SPEC" "ASDF/FIND-COMPONENT" system dependency))

(defun requiring-component (condition)
  "The component that requires what is missing, as ASDF's CONDITION says; or NIL."
  (call-internal "MISSING-REQUIRED-BY" "ASDF/FIND-COMPONENT" condition))

(defun read-package-form (file)
  "Read the form from which ASDF infers the system of FILE, as ASDF does."
  (call-internal "FILE-DEFPACKAGE-FORM" "ASDF/PACKAGE-INFERRED-SYSTEM" file))

(defun planned-actions (plan)
  "The steps of PLAN, in order."
  (call-internal "PLAN-ACTIONS" "ASDF/PLAN" plan))

(defun action-operation (action)
  "The operation of ACTION, a step of a plan."
  (call-internal "ACTION-OPERATION" "ASDF/ACTION" action))

(defun action-component (action)
  "The component of ACTION, a step of a plan."
  (call-internal "ACTION-COMPONENT" "ASDF/ACTION" action))

(defun mark-operation-done (operation component)
  "Mark OPERATION on COMPONENT as done."
  (call-internal "MARK-OPERATION-DONE" "ASDF/ACTION" operation component))

(defun sessions-p ()
  "True when this ASDF has sessions, which cache the state of files."
  (and (internal "CALL-WITH-ASDF-SESSION" "ASDF/SESSION") t))

(defun call-in-new-session (function)
  "Call FUNCTION in a session independent of the one around it."
  (call-internal "CALL-WITH-ASDF-SESSION" "ASDF/SESSION" function :override t))

(defun register-file-stamp (file stamp)
  "Make the current session use STAMP, a universal time, as the date of FILE."
  (call-internal "REGISTER-FILE-STAMP" "ASDF/SESSION" file stamp))

(defun forgo-upgrade ()
  "Keep ASDF from searching for a newer version of itself, which it does in a session that caches nothing."
  (funcall (fdefinition `(setf ,(internal "ASDF-UPGRADED-P" "ASDF/SESSION")))
           t (call-internal "TOPLEVEL-ASDF-SESSION" "ASDF/SESSION")))

(defun heed-immutable-systems ()
  "Make plans in the current session leave immutable systems alone even if nothing is operated on yet."
  (call-internal "MAKE-FORCING" "ASDF/FORCING" (find-symbol "PERFORMABLE-P" "KEYWORD") t))

(defun note-surroundings ()
  "Let ASDF find again where its user's cache and temporary files are: the core may have been saved elsewhere."
  (when (find-package "ASDF")
    (loop for (name package) in '(("COMPUTE-USER-CACHE" "UIOP/CONFIGURATION")
                                  ("SETUP-TEMPORARY-DIRECTORY" "UIOP/STREAM"))
          for function = (internal name package)
          do (when (and function (fboundp function))
               (funcall function)))))
