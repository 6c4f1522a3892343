;;;; Failures to load: the condition, the file and the line.
;;;;
;;;; Everything that would stop a REPL and prompt the user ends in the debugger: unhandled errors, BREAK,
;;;; CERROR, a time limit.  So failures are caught there, and not when conditions are signalled: many
;;;; libraries signal errors and handle them themselves.
;;;;
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defvar *load-failures* '()
  "The failures to load, newest first: lists of the thing, its kind (system, file, ..), the type and the
message of the condition, and, if known, the path, line and form number of the cause.")

(defvar *complaint* nil
  "The compiler's first error during the current load, or its first warning if there was no error:
a list (SEVERITY TYPE MESSAGE PATH LINE), or NIL if there was neither.")

;;; The place of a failure

(defun current-form-place ()
  "The path and line of the toplevel form that is being compiled, or loaded as source, as two values."
  (let ((stream (source-stream)))
    (when stream
      (values (sb-ext:native-namestring (translate-logical-pathname (pathname stream)))
              (line-of-last-form stream)))))

(defun frame-place (frame)
  "The path and number of the toplevel form from which FRAME's code was compiled, as two values."
  (let* ((location (sb-di:frame-code-location frame))
         (source (sb-di:code-location-debug-source location))
         (name (source-namestring source)))
    (when (and (stringp name)
               (not (eql 0 (search "SYS:" name)))
               (probe-file name))
      (values name (sb-di:code-location-toplevel-form-offset location)))))

(defun toplevel-frame-p (frame)
  "True when FRAME runs a toplevel form of a compiled file."
  (toplevel-code-name-p (sb-di:debug-fun-name (sb-di:frame-debug-fun frame))))

(defun loaded-form-place ()
  "The path and number of the toplevel form that the innermost fasl on the stack was loading, as two
values."
  (loop with frame = (sb-di:top-frame)
        repeat 500
        while frame
        do (when (toplevel-frame-p frame)
             (multiple-value-bind (path form)
                 (handler-case (frame-place frame)
                   (error () nil))      ; no debug information: look further out
               (when path (return (values path form)))))
           (setf frame (sb-di:frame-down frame))))

(defun loaded-source ()
  "The path of the Lisp file whose fasl is being loaded, if a system has it; else NIL.  Older SBCLs (2.0.11) call
functions of a fasl without a toplevel form on the stack."
  (labels ((look (component)
             (cond ((typep component (asdf-symbol "PARENT-COMPONENT"))
                    (some #'look (asdf "COMPONENT-CHILDREN" component)))
                   ((typep component (asdf-symbol "CL-SOURCE-FILE"))
                    (let ((source (asdf "COMPONENT-PATHNAME" component)))
                      (and (equal (compiled-file source) *load-truename*)
                           (sb-ext:native-namestring source)))))))
    (when (and *load-truename* (find-package "ASDF"))
      (some (lambda (name) (look (asdf "REGISTERED-SYSTEM" name)))
            (asdf "REGISTERED-SYSTEMS")))))

(defun failure-place ()
  "The path, line and form number of the form being loaded on this stack, as far as they are known: a list.
For a fasl, the line is not known; it is found in the text later, by the form number."
  (multiple-value-bind (path form) (loaded-form-place)
    (if path
        (list path nil form)
        (multiple-value-bind (path line) (current-form-place)
          (list (or path (loaded-source)) line)))))

;;; The failure

(defun severity (condition)
  "The severity of CONDITION as a compiler complaint: 2 for an error, 1 for a warning, NIL for anything
else, including a style warning."
  (cond ((or (typep condition 'error) (compiler-error-p condition)) 2)
        ((typep condition 'style-warning) nil)
        ((typep condition 'warning) 1)))

(defun note-complaint (condition)
  "Remember CONDITION if it is signalled while a file is being compiled, and is the first or worst so far."
  (let ((severity (and *compile-file-truename* (severity condition))))
    (when (and severity (or (null *complaint*) (> severity (first *complaint*))))
      (multiple-value-bind (path line) (current-form-place)
        (multiple-value-bind (type message) (describe-condition (inner-condition condition))
          (setf *complaint* (list severity type message path line)))))))

(defun compilation-failed-p (condition)
  "True for the conditions that ASDF signals after the compiler has complained."
  (eql 0 (search "COMPILE-" (symbol-name (type-of condition)))))

(defvar *missing* '()
  "What the systems to load need and ASDF does not find: lists of the name of a system and those of what it misses.")

(defun with-all-missing (what type message)
  "MESSAGE, the report of a condition of TYPE, and all that the system WHAT misses if that is more."
  (let ((missing (rest (assoc what *missing* :test #'equal))))
    (if (and (rest missing) (eql 0 (search "MISSING-" type)))
        (format nil "~A; all that is missing: ~{~A~^, ~}" message missing)
        message)))

(defun note-failure (what kind condition)
  "Remember that CONDITION kept WHAT, a thing of that KIND, from being loaded."
  (multiple-value-bind (type message) (describe-condition condition)
    (push (if (and *complaint* (compilation-failed-p condition))
              (destructuring-bind (cause-type cause path line) (rest *complaint*)
                (list what kind cause-type (format nil "~A (~A)" cause message) path line))
              (list* what kind type (with-all-missing what type message)
                     (handler-case (let ((place (failure-place)))
                                     (if (first place)
                                         place
                                         (place-in-definitions what condition message)))
                       (error () nil)))) ; the place is optional
          *load-failures*)))

(defvar *end-loading* nil
  "In the loading thread, a function that notes a condition and aborts the load.")

(defvar *being-loaded* nil
  "The thing that is being loaded, and its kind; the same in all threads.")

(defun refuse-exit (exit &rest arguments)
  "The wrapper around EXIT while something is being loaded: a call counts as a failure to load that thing.
It bypasses the debugger hook, which the code being loaded may have set."
  (declare (ignore exit))
  (let ((condition (make-condition
                    'simple-error
                    :format-control "It called (EXIT~{ ~S~}), which would have ended the Lisp process."
                    :format-arguments (list arguments))))
    (cond (*end-loading* (funcall *end-loading* condition))
          (t (note-failure (first *being-loaded*) (second *being-loaded*) condition)
             (sb-thread:abort-thread)))))

(defvar *has-compiled* nil
  "True when a file was compiled while something was being loaded.")

(defvar *has-compiled-well* nil
  "True when compiling one of these files succeeded.")

(defun refuse-special-file (pathname)
  "Signal an error when PATHNAME, which is to be read, is a pipe, a socket or a device."
  (when (special-file-p pathname)
    (error "~A is a pipe, a socket or a device, not a regular file; only regular files are read."
           (sb-ext:native-namestring pathname))))

(defun note-compiling (compile-file input-file &rest arguments)
  "The wrapper around COMPILE-FILE while something is being loaded; it notes that a file was compiled, and from
which text."
  (refuse-special-file input-file)
  (setf *has-compiled* t)
  (let* ((hash (text-hash input-file))
         (results (multiple-value-list (apply compile-file input-file arguments))))
    (when (and (first results) (not (third results)))
      (setf *has-compiled-well* t))
    (when (and (first results) (eql hash (text-hash input-file)))
      (note-compiled-from (first results) hash))
    (values-list results)))

(defun refuse-damaged-fasl (pathname)
  "Signal an error when the fasl PATHNAME does not begin as fasls do.  A power cut leaves empty files and zeros."
  (with-open-file (stream pathname :element-type '(unsigned-byte 8) :if-does-not-exist nil)
    (when (and stream (not (eql (char-code #\#) (read-byte stream nil))))
      (error "~A is damaged: this is not what the compiler writes.  Delete the file, and its source will be compiled again."
             (sb-ext:native-namestring pathname)))))

(defun check-loading (load source &rest arguments)
  "The wrapper around LOAD while something is being loaded."
  (unless (streamp source)
    (refuse-special-file source)
    (when (equal (pathname-type source) "fasl")
      (refuse-damaged-fasl source)))
  (apply load source arguments))

(defmacro observing-calls (&body body)
  "Run BODY and return its value; meanwhile SB-EXT:EXIT does not end the Lisp, compiling is noted, and only
regular files are read, and no damaged fasls."
  `(unwind-protect (progn
                     (wrap-function 'sb-ext:exit 'refuse-exit)
                     (wrap-function 'compile-file 'note-compiling)
                     (wrap-function 'load 'check-loading)
                     ,@body)
     (unwrap-function 'load 'check-loading)
     (unwrap-function 'compile-file 'note-compiling)
     (unwrap-function 'sb-ext:exit 'refuse-exit)))

;;; The time limit

(defvar *limits* '()
  "In the loading thread: for each load that is going on, the innermost first, a cons of the timer that ends it
and the internal real time at which it does.")

(defun schedule-limit (limit)
  "Let the timer of LIMIT run until its time."
  (sb-ext:schedule-timer (car limit) (max 1/1000 (/ (- (cdr limit) (get-internal-real-time))
                                                    internal-time-units-per-second))))

(defun call-with-limit (seconds function)
  "Call FUNCTION and return its value; after SECONDS a TIMEOUT is signalled there."
  (let* ((timer (sb-ext:make-timer (lambda ()
                                     (cerror "Continue." 'sb-ext:timeout :seconds seconds))))
         (limit (cons timer (+ (get-internal-real-time) (* seconds internal-time-units-per-second))))
         (*limits* (cons limit *limits*)))
    (unwind-protect (progn (schedule-limit limit)
                           (funcall function))
      (sb-ext:unschedule-timer timer))))

(defun call-off-the-clock (function)
  "Call FUNCTION, which waits for another process: that has limits of its own, and the time does not count here."
  (let ((began (get-internal-real-time)))
    (loop for (timer) in *limits*
          do (sb-ext:unschedule-timer timer))
    (unwind-protect (funcall function)
      (dolist (limit *limits*)
        (incf (cdr limit) (- (get-internal-real-time) began))
        (schedule-limit limit)))))

(defun call-noting-failures (what kind seconds function)
  "Call FUNCTION, which loads WHAT, for at most SECONDS; return true if FUNCTION returned.
A condition that would have entered the debugger ends the call and is noted as a failure."
  (block loading
    (let* ((*complaint* nil)
           (*end-loading* (lambda (condition)
                            (note-failure what kind condition)
                            (return-from loading nil)))
           (sb-ext:*invoke-debugger-hook* (lambda (condition hook)
                                            (declare (ignore hook))
                                            (funcall *end-loading* condition))))
      (setf *being-loaded* (list what kind))
      (handler-bind ((condition #'note-complaint))
        (observing-calls (call-with-limit seconds function)))
      t)))
