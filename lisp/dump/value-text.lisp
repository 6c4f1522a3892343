;;;; Printing a value as the text contract says: bounded in length, depth, size and time.
;;;;
;;;; The rules are those of DESIGN, section 9: PRIN1 under standard IO syntax, not readably,
;;;; not pretty, with the limits below.  Whoever calls this binds the syntax.

(in-package "OBLIST")

(defconstant +value-seconds+ 1)
(defconstant +value-characters+ 10000)

(defun call-with-time-limit (seconds function)
  "The value of FUNCTION, or of throwing to VALUE-PRINTED when SECONDS are over.
A condition, as WITH-TIMEOUT signals it, a print function could handle."
  (let ((timer (sb-ext:make-timer (lambda () (throw 'value-printed :time-limit)))))
    (sb-ext:schedule-timer timer seconds)
    (unwind-protect (funcall function)
      (sb-ext:unschedule-timer timer))))

(defun print-bounded (value stream)
  "Print VALUE to STREAM: :PRINTED, :TRUNCATED, :TIME-LIMIT or :ERROR."
  (catch 'value-printed
    (handler-case
        (call-with-time-limit
         +value-seconds+
         (lambda ()
           (let ((*print-length* 20) (*print-level* 3) (*print-circle* t))
             (prin1 value stream)
             :printed)))
      (serious-condition () :error))))

(defun value-text (value stream text)
  "VALUE as describe shows it, printed to STREAM, whose text the function TEXT gives; and true
when that is no text of the value at all."
  (if (typep value '(or fixnum float symbol character)) ; most are, and they need no watch
      (shortened (prin1-to-string value) nil)
      (let ((end (print-bounded value stream)))
        (if (member end '(:printed :truncated))
            (shortened (funcall text stream) (eq end :truncated))
            (values (ecase end
                      (:time-limit "<value not printed: time limit>")
                      (:error "<error printing value>"))
                    t)))))

(defun shortened (text cut)
  "TEXT, or its beginning and a word when it is longer than it may be, or CUT already."
  (if (or cut (> (length text) +value-characters+))
      (concatenate 'string (subseq text 0 (min (length text) +value-characters+))
                   " ... [truncated]")
      text))
