;;;; The internals of SBCL and ASDF that are needed before the baseline, each with its reason.
;;;; Seen to work on SBCL 2.2.9 and 2.6.8, with the ASDF of each.
;;;;
;;;; Unexported names are looked up as strings, so that reading this file interns nothing; a name that
;;;; a version does not have costs one kind of answer.  The others come from packages that SBCL calls private.
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defun internal (name package)
  "The symbol NAME of PACKAGE (strings), or NIL where this SBCL has none."
  (let ((package (find-package package)))
    (and package (find-symbol name package))))

(defun call-internal (name package &rest arguments)
  "Call the internal function NAME of PACKAGE; NIL where this SBCL has none."
  (let ((symbol (internal name package)))
    (and symbol (fboundp symbol) (apply symbol arguments))))

;;; What the compiler and the loader are at: without it a failure has no line.

(defun source-stream ()
  "The stream of the file that is being compiled, or loaded as source; NIL when there is none."
  (let* ((variable (internal "*SOURCE-INFO*" "SB-C"))
         (source (and variable (boundp variable) (symbol-value variable)))
         (stream (and source (call-internal "SOURCE-INFO-STREAM" "SB-C" source))))
    (and stream
         (call-internal "FORM-TRACKING-STREAM-P" "SB-IMPL" stream)
         stream)))

(defun line-of-last-form (stream)
  "The line on which the toplevel form begins that was last read from the source STREAM, or NIL."
  (let ((start (call-internal "FORM-TRACKING-STREAM-FORM-START-CHAR-POS" "SB-IMPL" stream)))
    (and start
         (first (call-internal "LINE/COL-FROM-CHARPOS" "SB-IMPL" stream start)))))

(defun source-namestring (source)
  "The path of the file that the debug source SOURCE stands for, or NIL."
  (call-internal "DEBUG-SOURCE-NAMESTRING" "SB-C" source))

(defun compiler-error-p (condition)
  "True for what ends the compiling of a form or of a whole file: it need not be an ERROR."
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

;;; Functions by their names: a wrapper sees each call, whoever makes it, and the object that holds a
;;; function stays when the function is replaced.

(defun wrap-function (name wrapper)
  "Let WRAPPER, a function's name, be called for the function NAME, with that function and its arguments."
  (sb-int:encapsulate name wrapper (fdefinition wrapper)))

(defun unwrap-function (name wrapper)
  "Undo WRAP-FUNCTION."
  (sb-int:unencapsulate name wrapper))

(defun function-cell (name)
  "The object that holds the function called NAME, the same for ever; NIL when there never was one."
  (sb-int:find-fdefn name))

(defun cell-function (cell)
  "The function that CELL holds now, or NIL."
  (sb-kernel:fdefn-fun cell))

;;; Processes: SB-POSIX has both, but that module would be in the index.

(defun call-without-system-threads (function)
  "Call FUNCTION while SBCL's own threads are stopped: a process that has several cannot be forked."
  (call-internal "FINALIZER-THREAD-STOP" "SB-IMPL")
  (call-internal "%DISPOSE-THREAD-STRUCTS" "SB-THREAD")
  (prog1 (funcall function)
    (call-internal "FINALIZER-THREAD-START" "SB-IMPL")))

(defun make-pipe ()
  "The descriptors of a new pipe: that to read from, and that to write to."
  (call-internal "UNIX-PIPE" "SB-UNIX"))

;;; The heap of a saved core: what is new in it is what the garbage collector has not made permanent.

(declaim (type function *generation-of*))
(defvar *generation-of* (fdefinition (internal "GENERATION-OF" "SB-KERNEL")))

(defun new-object-p (object)
  "True for an object on the heap that was made since the core was saved."
  (let ((generation (funcall *generation-of* object)))
    (and generation (< generation sb-vm:+pseudo-static-generation+))))

(defun map-young-objects (function)
  "Call FUNCTION as SB-VM:MAP-ALLOCATED-OBJECTS does, for new objects at least: what was saved is the
larger part by far."
  (let ((walk (internal "WALK-DYNAMIC-SPACE" "SB-VM"))
        (features (internal "+INTERNAL-FEATURES+" "SB-IMPL")))
    (cond ((and walk features)
           (sb-sys:without-gcing
             (funcall walk function (1- (ash 1 sb-vm:+pseudo-static-generation+)) 0 0))
           (when (find "IMMOBILE-SPACE" (symbol-value features) :test #'string=)
             (sb-vm:map-allocated-objects function (find-symbol "IMMOBILE" "KEYWORD"))))
          (t (sb-vm:map-allocated-objects function :all)))))

;;; ASDF: how it plans and finds things, which its own package does not export.

(defun collect-definition-files (folder collect)
  "Call COLLECT with each system definition file below FOLDER that ASDF would find there."
  (call-internal "COLLECT-SUB*DIRECTORIES-ASD-FILES" "ASDF/SOURCE-REGISTRY" folder :collect collect))

(defun dependency-component (system dependency)
  "The component that DEPENDENCY, as the definition of SYSTEM writes it, names here; NIL for none."
  (call-internal "RESOLVE-DEPENDENCY-SPEC" "ASDF/FIND-COMPONENT" system dependency))

(defun planned-actions (plan)
  "The steps of PLAN, in their order."
  (call-internal "PLAN-ACTIONS" "ASDF/PLAN" plan))

(defun action-operation (action)
  "The operation of ACTION, a step of a plan."
  (call-internal "ACTION-OPERATION" "ASDF/ACTION" action))

(defun action-component (action)
  "The component of ACTION, a step of a plan."
  (call-internal "ACTION-COMPONENT" "ASDF/ACTION" action))

(defun mark-operation-done (operation component)
  "Let ASDF take OPERATION on COMPONENT for done."
  (call-internal "MARK-OPERATION-DONE" "ASDF/ACTION" operation component))

(defun sessions-p ()
  "True when this ASDF has sessions, in which it remembers what it has seen of files."
  (and (internal "CALL-WITH-ASDF-SESSION" "ASDF/SESSION") t))

(defun call-in-new-session (function)
  "Call FUNCTION in a session that knows nothing of the one around it."
  (call-internal "CALL-WITH-ASDF-SESSION" "ASDF/SESSION" function :override t))

(defun register-file-stamp (file stamp)
  "Let the present session take STAMP, a universal time, for the date of FILE."
  (call-internal "REGISTER-FILE-STAMP" "ASDF/SESSION" file stamp))

(defun note-upgraded ()
  "Keep ASDF from looking for a newer ASDF, for which it would begin a session that remembers nothing."
  (funcall (fdefinition `(setf ,(internal "ASDF-UPGRADED-P" "ASDF/SESSION")))
           t (call-internal "TOPLEVEL-ASDF-SESSION" "ASDF/SESSION")))
