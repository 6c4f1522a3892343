;;;; The door: every question to an object that others have made, and every print of one, goes through it.
;;;;
;;;; Such a question may run any code: a method on PRINT-OBJECT, DOCUMENTATION or CLASS-NAME.  That may signal,
;;;; exhaust the stack, enter the debugger, throw, call ABORT or EXIT, or not end.  Whatever it does costs the answer
;;;; alone, and the reason becomes a problem (dump/problems.lisp).
;;;;
;;;; A condition is handled.  What leaves otherwise unwinds through the door, whose cleanup stops it there.  A
;;;; single timer looks a few times a second whether the same question is still being asked: a timer for each of
;;;; a million questions would cost more than they do.
;;;;
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defvar *open* nil
  "True while a question is being asked.")

(declaim (type fixnum *question*))
(sb-ext:defglobal *question* 0)         ; changes whenever a question begins or ends
(sb-ext:defglobal *forced-out* nil)     ; why the current question is being ended: a list of type and message

(defvar *troubles* '()
  "What has gone wrong since the last problem was noted, newest first: lists of a condition's type and message.")

(defmacro guarding (openp question (condition) &body trouble)
  "Return the values of the form QUESTION; or, if it does not return, those of TROUBLE.  There, CONDITION is the
condition that ended the question, or NIL.  If OPENP is true, QUESTION may run the code of others, and has a time
limit; it must not write records."
  (let ((door (gensym "DOOR")) (ended (gensym "ENDED")) (answered (gensym "ANSWERED"))
        (signalled (gensym "SIGNALLED")))
    `(block ,door
       (let ((,answered nil) (,condition nil))
         (declare (ignorable ,condition))
         (block ,ended
           (unwind-protect
                (handler-bind ((serious-condition (lambda (,signalled)
                                                    (setf ,condition ,signalled)
                                                    (return-from ,ended))))
                  (return-from ,door
                    (multiple-value-prog1 ,(if openp
                                               `(let ((*open* t) (*break-on-signals* nil))
                                                  (incf *question*)
                                                  ,question)
                                               question)
                      (setf ,answered t))))
             ,@(and openp '((incf *question*)))
             ;; Something throws past here; for SBCL, a return from a cleanup is the end of that.
             (unless ,answered (return-from ,ended))))
         ,@trouble))))

(defmacro through-door ((&optional otherwise) &body body)
  "Return the values of BODY, which may run the code of others; or the value of OTHERWISE, after noting why, if
BODY does not return."
  (let ((condition (gensym "CONDITION")))
    `(guarding t (progn ,@body) (,condition)
       (note-trouble ,condition)
       ,otherwise)))

;;; What went wrong

(defconstant +most-message-characters+ 10000)

(defun describe-condition (condition)
  "The type name and the one-paragraph message of CONDITION, as two values."
  (values (guarding t (princ-to-string (type-of condition)) (failure)
            "CONDITION")
          (guarding t (princ-to-string condition) (failure)
            "(the condition's own report failed)")))

(defun trouble-of (condition)
  "Why a question ended: a list of the type and the message of CONDITION, if there is one."
  (forget-exit)
  (let ((trouble (cond (*forced-out*)
                       (condition
                        (multiple-value-bind (type message) (describe-condition condition)
                          (list type (subseq message 0 (min (length message) +most-message-characters+)))))
                       (t (list "NO-RETURN" "It did not return: it threw, or called ABORT or EXIT.")))))
    ;; The garbage may be most of the heap, and the next collection would need room for a copy.
    (when (or (typep condition 'storage-condition) (string= (first trouble) "MEMORY-LIMIT"))
      (sb-ext:gc :full t))
    (setf *forced-out* nil)             ; the report of CONDITION may have run out of time as well
    trouble))

(defun note-trouble (condition)
  "Note why a question ended; return the type."
  (let ((trouble (trouble-of condition)))
    (push trouble *troubles*)
    (first trouble)))

;;; Time and memory

;; Not (CONSTANTLY NIL), which SBCL 2.6 compiles to code of this file without a name of ours: the index would have it.
(defun give-no-sign ())

(defvar *sign-of-life* #'give-no-sign
  "A function that tells the reader of the records that loading, or the dump, is still going on.")

(defconstant +tick-seconds+ 1/10)
(defconstant +most-ticks+ 20)
(defconstant +most-timeouts+ 30)
(sb-ext:defglobal *timeouts* 0)

(defun note-timeout ()
  "Note that a question took too long.  After many, end the process: what asks for so much time is to be left out."
  (funcall *sign-of-life*)
  (when (> (incf *timeouts*) +most-timeouts+)
    (format sb-sys:*stderr* "~&;;; oblist: ~D questions took more than ~D seconds each.~%"
            *timeouts* (floor (* +most-ticks+ +tick-seconds+)))
    (end-process 1)))

(defun force-out (type message)
  "End the current question, whatever it handles."
  (setf *forced-out* (list type message))
  (throw 'out-of-the-door nil))

(defun make-watch ()
  "A function to call at each tick, which ends a question that takes too long or too much memory."
  (let ((question -1) (ticks 0) (usage 0)
        (most-bytes (floor (sb-ext:dynamic-space-size) 8)))
    (lambda ()
      (cond ((or (not *open*) (/= question *question*))
             (setf question *question* ticks 0 usage (heap-usage)))
            ((> (incf ticks) +most-ticks+)
             (setf ticks 0)
             (note-timeout)
             (force-out "TIME-LIMIT" (format nil "It took more than ~D seconds."
                                             (floor (* +most-ticks+ +tick-seconds+)))))
            ((> (- (heap-usage) usage) most-bytes)
             (force-out "MEMORY-LIMIT" "It took an eighth of the heap."))))))

(defun leave-debugger (condition hook)
  "The debugger hook while questions are watched: BREAK, too, ends only the question."
  (declare (ignore hook))
  (unless *open*
    (format sb-sys:*stderr* "~&~A~%" (nth-value 1 (describe-condition condition)))
    (end-process 1))
  (apply #'force-out (multiple-value-list (describe-condition condition))))

(defun refuse-exit-inside (exit &rest arguments)
  "The wrapper around EXIT while questions are watched."
  (if *open*
      (error "It called (EXIT~{ ~S~}), which would have ended the Lisp process." arguments)
      (apply exit arguments)))

(defun call-watched (function)
  "Call FUNCTION, which asks questions; each has a time limit, and none can enter the debugger or exit."
  (let* ((timer (sb-ext:make-timer (make-watch) :thread sb-thread:*current-thread*))
         (*break-on-signals* nil)
         (*debugger-hook* nil)
         (sb-ext:*invoke-debugger-hook* #'leave-debugger)
         (*troubles* '()))
    (wrap-function 'sb-ext:exit 'refuse-exit-inside)
    (sb-ext:schedule-timer timer +tick-seconds+ :repeat-interval +tick-seconds+)
    (unwind-protect (catch 'out-of-the-door (funcall function))
      (sb-ext:unschedule-timer timer)
      (unwrap-function 'sb-ext:exit 'refuse-exit-inside))))
