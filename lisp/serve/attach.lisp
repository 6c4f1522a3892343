;;;; Ask the image that the user works in, through its Swank server.
;;;;
;;;; This file is never loaded: query/values/attach.py sends the text of its forms, and Swank reads and
;;;; evaluates them.  They must leave no trace.  So they define nothing, and every symbol has a package
;;;; prefix, because Swank would intern one without; local names are uninterned (equal names become one
;;;; symbol when they are sent).  A request is two strings.  Semicolons occur only in comments, and each
;;;; form begins at the left margin.

;;; Move this connection to the end of the list: Swank shows errors in other threads on the first one,
;;; which should be the user's.  A new connection is put into the list a moment after it is made.

(cl:let ((#:connections (cl:find-symbol "*CONNECTIONS*" "SWANK"))
         (#:connection (cl:find-symbol "*EMACS-CONNECTION*" "SWANK")))
  (cl:when (cl:and #:connections #:connection (cl:boundp #:connections) (cl:boundp #:connection))
    (cl:dotimes (#:attempt 200)         ; a second: a busy machine takes its time
      (cl:let ((#:all (cl:symbol-value #:connections))
               (#:ours (cl:symbol-value #:connection)))
        (cl:when (cl:member #:ours #:all)
          (cl:setf (cl:symbol-value #:connections)
                   (cl:append (cl:remove #:ours #:all) (cl:list #:ours)))
          (cl:return))
        (cl:sleep 0.005)))))

;;; The value of the symbol NAME of PACKAGE-NAME: two strings, as ANSWER-REQUEST in live.lisp returns
;;; them, printed as dump/value-text.lisp does it.  Swank's worker threads bind variables: the global
;;; value counts, and is read before anything is bound here.  Some of SBCL's own variables have only
;;; thread-local values, among them *LOAD-PATHNAME* since SBCL 2.6.

(cl:lambda (#:package-name #:name)
  (cl:let* ((#:package (cl:let ((cl:*package* (cl:find-package "KEYWORD"))) ; no local nicknames
                         (cl:find-package #:package-name)))
            (#:found (cl:and #:package
                             (cl:multiple-value-list (cl:find-symbol #:name #:package))))
            (#:symbol (cl:first #:found))
            (#:value (cl:and (cl:second #:found)
                             (cl:handler-case (cl:list (sb-ext:symbol-global-value #:symbol))
                               (cl:unbound-variable ()
                                 (cl:and (cl:or (cl:eq #:package (cl:symbol-package (cl:quote cl:car)))
                                                (cl:eql 0 (cl:search "SB-" (cl:package-name #:package))))
                                         (cl:boundp #:symbol)
                                         (cl:list (cl:symbol-value #:symbol)))))))
            (#:end (cl:list "value"))   ; a unique catch tag
            (#:text (cl:make-string-output-stream))
            (#:room 10000)
            (#:stream (swank/backend:make-output-stream ; a class would be a trace
                       (cl:lambda (#:part)
                         (cl:when (cl:> (cl:length #:part) #:room)
                           (cl:write-string #:part #:text :end #:room)
                           (cl:throw #:end "truncated"))
                         (cl:decf #:room (cl:length #:part))
                         (cl:write-string #:part #:text))))
            (#:nowhere (cl:make-broadcast-stream))
            (#:silence (cl:make-two-way-stream (cl:make-concatenated-stream) #:nowhere))
            (#:no-debugger (cl:lambda (#:condition #:hook)
                             (cl:declare (cl:ignore #:condition #:hook))
                             (cl:throw #:end "error")))
            (#:timer (sb-ext:make-timer (cl:lambda () (cl:throw #:end "late")))))
    (cl:cond
      ((cl:null #:package) (cl:list "no-package" ""))
      ((cl:null (cl:second #:found)) (cl:list "no-symbol" ""))
      ((cl:null #:value) (cl:list "unbound" ""))
      (cl:t
       (cl:let ((#:ending
                  (cl:with-standard-io-syntax
                    (cl:let ((cl:*print-readably* cl:nil) (cl:*print-pretty* cl:nil)
                             (cl:*print-length* 20) (cl:*print-level* 3) (cl:*print-circle* cl:t)
                             (cl:*standard-output* #:nowhere) (cl:*error-output* #:nowhere)
                             (cl:*trace-output* #:nowhere) (cl:*standard-input* #:silence)
                             (cl:*query-io* #:silence) (cl:*debug-io* #:silence)
                             (cl:*terminal-io* #:silence)
                             (cl:*debugger-hook* #:no-debugger)
                             (sb-ext:*invoke-debugger-hook* #:no-debugger))
                      (cl:catch #:end
                        (cl:handler-case
                            (cl:progn
                              (sb-ext:schedule-timer #:timer 1)
                              (cl:unwind-protect
                                   (cl:progn (cl:prin1 (cl:first #:value) #:stream)
                                             (cl:finish-output #:stream)
                                             "printed")
                                (sb-ext:unschedule-timer #:timer)))
                          (cl:serious-condition () "error")))))))
         (cl:cond
           ((cl:equal #:ending "printed")
            (cl:list "value" (cl:get-output-stream-string #:text)))
           ((cl:equal #:ending "truncated")
            (cl:list "value" (cl:concatenate (cl:quote cl:string)
                                             (cl:get-output-stream-string #:text)
                                             " ... [truncated]")))
           ((cl:equal #:ending "late") (cl:list "failed" "<value not printed: time limit>"))
           (cl:t (cl:list "failed" "<error printing value>"))))))))
