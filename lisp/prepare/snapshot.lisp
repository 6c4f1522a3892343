;;;; A snapshot: the image as it is before it is dumped, saved as a core.
;;;;
;;;; A forked child saves it while this process dumps, so that nothing is loaded twice.
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defvar *saving-process* nil
  "The process that saves the snapshot, or NIL.")

(defvar *save-hooks-of-image* '()
  "The value of SB-EXT:*SAVE-HOOKS* in the image that was saved.")

(defconstant +private+ #o077)
(defconstant +lowest-priority+ 19)
(defconstant +set-death-signal+ 1)      ; PR_SET_PDEATHSIG, Linux's sys/prctl.h
(defconstant +kill+ 9)

(defmacro c-int (name &rest arguments)
  "Call the function NAME of the C library with integers."
  `(sb-alien:alien-funcall
    (sb-alien:extern-alien ,name (function sb-alien:int
                                           ,@(mapcar (constantly 'sb-alien:int) arguments)))
    ,@arguments))

(defun fork ()
  "Fork; return 0 in the child, the child's process number in the parent, or NIL, without forking, when
other threads are running."
  (call-without-system-threads
   (lambda ()
     (and (null (rest (sb-thread:list-all-threads)))
          (c-int "fork")))))

(defun serve-saved-image ()
  "The toplevel function of a saved core: report values with the code in the core, or evaluate forms
if OBLIST_EVALUATOR names the evaluator's fasl.  The core of a layer has no such code: OBLIST_VALUES names that fasl."
  (note-environment)
  (let ((server (environment "OBLIST_VALUES"))
        (evaluator (environment "OBLIST_EVALUATOR")))
    (dolist (fasl (remove nil (list server evaluator)))
      (load (sb-ext:parse-native-namestring fasl)))
    (funcall (find-symbol (if evaluator "SERVE-EVALUATION" "SERVE-CHILD") *oblist-package*))))

(defun save-core (core server)
  "In the child: load the compiled SERVER, save the CORE and end."
  (restore-debugger-hook)
  (leave-calls-indirect)
  (load (sb-ext:parse-native-namestring server))
  ;; Print a value now, so that the first value requested is printed as fast as later ones.
  (funcall (find-symbol "STANDARD-VALUE-TEXT" *oblist-package*) '("warm"))
  ;; Save hooks are meant for cores that their author saves: they may ask questions, wait, or close things.
  (setf *save-hooks-of-image* sb-ext:*save-hooks*
        sb-ext:*save-hooks* '())
  (sb-ext:save-lisp-and-die (sb-ext:parse-native-namestring core)
                            :toplevel #'serve-saved-image))

(defun be-saving-process ()
  "Set up the child that saves: it has a low priority, unless its parent has nothing else to do, writes private files,
and ends with its parent."
  #+linux (c-int "prctl" +set-death-signal+ +kill+)
  (c-int "close" (records-descriptor))
  (unless (environment "OBLIST_PLACES")
    (c-int "setpriority" 0 0 +lowest-priority+))
  (c-int "umask" +private+))

(defun begin-snapshot (save)
  "Have a child call SAVE, which saves a core; the child closes the descriptor of the records."
  (finish-outputs)
  (setf *saving-process* (fork))
  (case *saving-process*
    (0 (be-saving-process)
       (funcall save))
    ((nil) (announce "no snapshot, other threads run: ~{~A~^, ~}"
                   (mapcar #'sb-thread:thread-name (rest (sb-thread:list-all-threads)))))))

(defun wait-for-process (process status)
  "Wait for the child PROCESS; return its number, or -1 when a signal interrupts the wait.  The exit status
is written to the pointer STATUS."
  (sb-alien:alien-funcall
   (sb-alien:extern-alien "waitpid" (function sb-alien:int sb-alien:int
                                              (* sb-alien:int) sb-alien:int))
   process status 0))

(defun await-snapshot ()
  "Wait for the child that saves, because it would end with this process; return 1 if it was lost, else 0."
  (sb-alien:with-alien ((status sb-alien:int 0))
    (when *saving-process*
      (wait-for-process *saving-process* (sb-alien:addr status)))
    (signum status)))
