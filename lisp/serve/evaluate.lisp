;;;; Evaluate forms and load systems, in a separate child process.
;;;;
;;;; The protocol is that of live.lisp: a request is a command and its arguments, a reply is a kind, "done"
;;;; or "error", and a text.  As in a REPL, definitions persist, and a form may end this process: the client
;;;; sees that it has ended.
;;;;
;;;; The core that loads this file may have been saved by an older oblist.  So this file relies only on
;;;; package.lisp, internals.lisp, failures.lisp and load.lisp of prepare/; its fasl brings the other
;;;; files that it needs: value-text.lisp, internals.lisp and live.lisp.

(in-package "OBLIST")

(defconstant +loading-characters+ 3000)

(defun limit-named (variable default)
  "The seconds in the environment VARIABLE, or DEFAULT."
  (let ((seconds (environment variable)))
    (if seconds (parse-integer seconds) default)))

;;; Output of forms

(defclass kept-beginning (bounded-output) ()
  (:documentation "A stream that accepts everything and keeps the first characters, up to a limit."))

(defmethod sb-gray:stream-write-char ((stream kept-beginning) char)
  (if (plusp (room-left stream))
      (call-next-method)
      (setf (room-left stream) -1)))

(defclass kept-end (bounded-output)
  ((cut :initform nil :accessor cut-p))
  (:documentation "A stream that accepts everything and keeps the last characters."))

(defun last-characters (text)
  (subseq text (max 0 (- (length text) +loading-characters+))))

(defmethod sb-gray:stream-write-char ((stream kept-end) char)
  (unless (plusp (room-left stream))
    (write-string (last-characters (printed-text stream)) (bounded-text stream))
    (setf (room-left stream) (- +value-characters+ +loading-characters+)
          (cut-p stream) t))
  (call-next-method))

(defgeneric kept-text (stream)
  (:documentation "The text that STREAM kept, with a mark where it dropped the rest.")
  (:method ((stream kept-beginning))
    (shortened (printed-text stream) (minusp (room-left stream))))
  (:method ((stream kept-end))
    (let* ((text (printed-text stream)) (end (last-characters text)))
      (if (or (cut-p stream) (< (length end) (length text)))
          (concatenate 'string "[truncated] ... " end)
          end))))

(defun call-capturing (output function)
  "Call FUNCTION with no input and with all output going to OUTPUT; return its values."
  (let* ((*standard-input* (make-concatenated-stream))
         (*standard-output* output)
         (*error-output* output)
         (*trace-output* output)
         (*terminal-io* (make-two-way-stream *standard-input* output))
         (*query-io* *terminal-io*)
         (*debug-io* *terminal-io*))
    (funcall function)))

;;; Texts

(defun printed-bounded (failure print)
  "The text that the function PRINT writes to its argument, within limits of size and time.
If PRINT fails, FAILURE is appended."
  (let* ((stream (make-instance 'bounded-output))
         (end (catch 'value-printed
                (let ((sb-ext:*invoke-debugger-hook*
                        (lambda (condition hook)
                          (declare (ignore condition hook))
                          (throw 'value-printed :error))))
                  (call-with-time-limit +value-seconds+
                                        (lambda () (funcall print stream) :printed)))))
         (text (shortened (printed-text stream) (eq end :truncated))))
    (case end
      ((:printed :truncated) text)
      (:time-limit (concatenate 'string text "<value not printed: time limit>"))
      (t (concatenate 'string text failure)))))

(defun values-text (values)
  "VALUES as a REPL shows them, one per line."
  (if (null values)
      "; No values"
      (printed-bounded
       "<error printing value>"
       (lambda (stream)
         (let ((*print-length* 100) (*print-level* 10) (*print-circle* t)
               (*print-pretty* nil) (*print-readably* nil))
           (loop for (value . more) on values
                 do (prin1 value stream)
                    (when more (terpri stream))))))))

(defun write-report (condition stream)
  "Write the report of CONDITION.  SBCL's report of an exhausted heap needs bindings that are gone by now."
  (if (heap-exhausted-p condition)
      (write-string "The heap is exhausted." stream)
      (princ condition stream)))

(defun condition-text (condition)
  "The type of CONDITION and its report."
  (printed-bounded
   "(the condition's own report failed)"
   (lambda (stream)
     (with-standard-io-syntax
       (let ((*print-readably* nil) (*print-pretty* nil)
             (*print-length* 100) (*print-level* 10))
         (format stream "~S: " (type-of condition))
         (write-report condition stream))))))

(defun with-output (first second)
  "The text FIRST, then the text SECOND, which starts on a new line."
  (format nil "~A~:[~;~&~]~A" first (string/= first "") second))

(defun error-reply (reason output)
  "The reply for a failure with this REASON, after OUTPUT."
  (values "error"
          (format nil "Error: ~A~@[~2%Output before the error:~%~A~]" reason
                  (if (string= output "") nil output))))

;;; Evaluating

(define-condition incomplete-form (end-of-file) ()
  (:report "The text ends within a form: a parenthesis, a string or a name is left open."))

(defun next-form (in)
  "The next form from IN, or IN itself when there is none."
  (handler-bind ((end-of-file (lambda (condition)
                                (when (and (eq (stream-error-stream condition) in)
                                           (not (typep condition 'incomplete-form)))
                                  (error 'incomplete-form :stream in)))))
    (read in nil in)))

(defun evaluate-all (text)
  "Read and evaluate the forms in TEXT in order; return the list of the last form's values."
  (loop with in = (make-string-input-stream text)
        with values = '()
        for form = (next-form in)
        until (eq form in)
        do (setf values (multiple-value-list (eval form)))
        finally (return values)))

(defun call-until-debugger (function)
  "Call FUNCTION and return its value; if a condition enters the debugger, return NIL and the condition."
  (block nil
    (let ((sb-ext:*invoke-debugger-hook* (lambda (condition hook)
                                           (declare (ignore hook))
                                           (return (values nil condition)))))
      (funcall function))))

(defun text-within (seconds package work show)
  "What SHOW makes of the list or text that WORK returns in PACKAGE; or :TIME-LIMIT when WORK takes too long,
or NIL and the condition that ended it."
  (let ((*package* package)
        (*readtable* (copy-readtable nil)))
    (multiple-value-bind (result condition)
        (call-until-debugger
         (lambda ()
           (catch 'value-printed
             (call-with-time-limit seconds work))))
      (cond (condition (values nil condition))
            ((eq result :time-limit) result)
            (t (funcall show result))))))

(defun work-request (package-name what work show)
  "The reply with the text that SHOW makes of what WORK returns in the package named PACKAGE-NAME, after what
was printed meanwhile; WHAT is the thing that does not finish if WORK takes too long."
  (let ((package (or (find-package (string-upcase package-name)) (find-package package-name)))
        (seconds (limit-named "OBLIST_EVALUATION_SECONDS" 10))
        (output (make-instance 'kept-beginning)))
    (if (null package)
        (error-reply (format nil "Package ~A not found" (string-upcase package-name)) "")
        (multiple-value-bind (result condition)
            (call-capturing output (lambda () (text-within seconds package work show)))
          ;; Otherwise the next form may find the heap full.
          (when (or (heap-exhausted-p condition) (eq result :time-limit))
            (sb-ext:gc :full t))
          (let ((printed (kept-text output)))
            (cond (condition (error-reply (condition-text condition) printed))
                  ((stringp result) (values "done" (with-output printed result)))
                  (t (error-reply (format nil "~A did not finish within ~D s" what seconds)
                                  printed))))))))

(defun evaluate-request (package-name text)
  (work-request package-name "the form" (lambda () (evaluate-all text)) #'values-text))

;;; Loading systems

(defun known-system-p (name)
  "True when ASDF finds the system NAME, even one installed after this image was saved."
  (or (asdf "FIND-SYSTEM" name nil)
      (progn (asdf "CLEAR-SOURCE-REGISTRY")
             (asdf "FIND-SYSTEM" name nil))))

(defun failure-text (failure)
  "The text of FAILURE, an element of *LOAD-FAILURES*: the condition and its place."
  (destructuring-bind (type message &optional path line form) (cddr failure)
    (declare (ignore form))
    (format nil "~A: ~A~@[ (~A~@[, line ~D~])~]" type message path line)))

(defun new-packages-text (before)
  "A text with the number of packages that are not in the list BEFORE, and the number of symbols that they
export."
  (let ((new (set-difference (list-all-packages) before)) (symbols 0))
    (dolist (package new)
      (do-external-symbols (symbol package)
        (incf symbols)))
    (format nil "~:[no new package~;~:*~D new package~:P with ~D external symbol~:P~]"
            (and new (length new)) symbols)))

(defun load-noting-failures (name seconds)
  "Load the system NAME; return a text about the result, or NIL when there is no such system or when it
failed to load, which adds to *LOAD-FAILURES*."
  (let ((text nil))
    (call-noting-failures
     name "system" seconds
     (lambda ()
       (require "ASDF")
       (let ((packages (list-all-packages)))
         (when (known-system-p name)
           (asdf "LOAD-SYSTEM" name)
           (setf text (format nil "Loaded ~A: ~A" name (new-packages-text packages)))))))
    text))

(defun load-request (name)
  (let* ((output (make-instance 'kept-end))
         (seconds (limit-named "OBLIST_LOADING_SECONDS" 600))
         (*load-failures* '())
         (text (call-capturing output (lambda () (load-noting-failures name seconds))))
         (failure (first *load-failures*))
         (printed (kept-text output)))
    (cond (text (values "done" text))
          ((null failure) (error-reply (format nil "System ~A not found" name) printed))
          ((search "TIMEOUT" (third failure))
           (error-reply (format nil "loading ~A did not finish within ~D s" name seconds) printed))
          (t (error-reply (failure-text failure) printed)))))

;;; The server

(defun answer-evaluation (fields)
  "The answer to a request of FIELDS: a command and its arguments."
  (destructuring-bind (&optional kind (first "") (second "") &rest more) fields
    (cond ((equal kind "evaluate") (evaluate-request first second))
          ((equal kind "expand") (expand-request first second (or (first more) "")))
          ((equal kind "load") (load-request first))
          ((equal kind "value") (refusing-to-exit (answer-request first second)))
          (t (values "no-request" "")))))

(defun end-thread (condition hook)
  "A debugger hook that ends the thread, which a form has started, on an unhandled error."
  (declare (ignore condition hook))
  (sb-thread:abort-thread))

(defun serve-evaluation ()
  "Evaluate forms and load systems as requested until the client is gone, then exit."
  (setf sb-ext:*invoke-debugger-hook* #'end-thread)
  (serve "evaluator" #'answer-evaluation)
  (sb-ext:exit :code 0 :abort t))
