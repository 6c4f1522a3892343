;;;; What loading leaves behind that goes on running: threads, timers and hooks.
;;;;
;;;; They are ended before the dump, and after a child was forked that saves the image as it is.
;;;;
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defvar *debugger-hook-of-image* nil
  "What SB-EXT:*INVOKE-DEBUGGER-HOOK* was before we changed it.")

(defun end-failing-thread (condition hook)
  "The debugger hook of threads that loading starts: an error that nobody handles ends its thread, not the process."
  (cond ((sb-thread:main-thread-p)
         (when *debugger-hook-of-image*
           (funcall *debugger-hook-of-image* condition hook)))
        (t (format sb-sys:*stderr* "~&;;; oblist: the thread ~A ended: ~A~%"
                   (sb-thread:thread-name sb-thread:*current-thread*)
                   (nth-value 1 (describe-condition condition)))
           (sb-thread:abort-thread))))

(defun survive-failing-threads ()
  (setf *debugger-hook-of-image* sb-ext:*invoke-debugger-hook*
        sb-ext:*invoke-debugger-hook* 'end-failing-thread))

(defun restore-debugger-hook ()
  "Undo SURVIVE-FAILING-THREADS: the image is being saved."
  (when (eq sb-ext:*invoke-debugger-hook* 'end-failing-thread)
    (setf sb-ext:*invoke-debugger-hook* *debugger-hook-of-image*)))

(defun other-threads ()
  (remove-if (lambda (thread)
               (or (eq thread sb-thread:*current-thread*) (own-thread-p thread)))
             (sb-thread:list-all-threads)))

(defun end-other-threads ()
  "End the timers and threads that loading has started, the latter as far as they can be ended within some seconds."
  (mapc #'sb-ext:unschedule-timer (sb-ext:list-all-timers))
  (dolist (thread (other-threads))
    (handler-case (sb-thread:terminate-thread thread)
      (sb-thread:interrupt-thread-error () nil))) ; it has just ended
  (loop repeat 50
        while (other-threads)
        do (sleep 0.1)))

(defun quieten-image ()
  "End what runs without being asked, and put back what would change how the dumper is loaded."
  (restore-traps)
  (end-other-threads)
  (setf sb-ext:*after-gc-hooks* '()
        sb-ext:*exit-hooks* '()
        *break-on-signals* nil
        *debugger-hook* nil
        *macroexpand-hook* 'funcall
        *readtable* (copy-readtable nil)
        *package* (find-package "COMMON-LISP-USER")
        *print-readably* nil
        ;; Not the streams themselves, which are others in a process that starts from the saved image.
        *standard-output* (make-synonym-stream 'sb-sys:*stdout*)
        *error-output* (make-synonym-stream 'sb-sys:*stderr*)
        *trace-output* (make-synonym-stream 'sb-sys:*stdout*)))

(defun load-dumper (path)
  "Load the dumper from the fasl PATH, whatever the project has made of the lists that REQUIRE and LOAD read.  ASDF is
not asked for what comes with SBCL: it would read definitions first."
  (let ((*features* *features-of-sbcl*)
        (*modules* (remove-if-not #'stringp (sound-list *modules*)))
        (sb-ext:*module-provider-functions* (or (provider-of-contribs) sb-ext:*module-provider-functions*)))
    (require "SB-INTROSPECT")
    (load (sb-ext:parse-native-namestring path))))
