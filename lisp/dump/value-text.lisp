;;;; Print a value as the text contract requires: with limits of length, depth, size and time.
;;;;
;;;; docs/formats/text.md has the rules: PRIN1 under standard IO syntax, neither readably nor pretty, with
;;;; the limits below.  Callers bind the syntax.

(in-package "OBLIST")

(defconstant +value-seconds+ 1)
(defconstant +value-characters+ 10000)
(defvar *out-of-time* "<value not printed: time limit>")
(defvar *not-printable* "<error printing value>")

(defun call-with-time-limit (seconds function)
  "Call FUNCTION and return its value; after SECONDS, throw :TIME-LIMIT to VALUE-PRINTED.
WITH-TIMEOUT would signal a condition, which a print function could handle."
  (let ((timer (sb-ext:make-timer (lambda () (throw 'value-printed :time-limit)))))
    (sb-ext:schedule-timer timer seconds)
    (unwind-protect (funcall function)
      (sb-ext:unschedule-timer timer))))

(defun print-limited (value stream)
  "Print VALUE to STREAM with limits of length and depth."
  (let ((*print-length* 20) (*print-level* 3) (*print-circle* t))
    (prin1 value stream)))

(defun quick-value-p (value)
  "True for values of the most frequent types, which need no limits."
  (typep value '(or fixnum float symbol character)))

(defun print-bounded (value stream)
  "Print VALUE to STREAM; return :PRINTED, :TRUNCATED, :TIME-LIMIT or :ERROR."
  (catch 'value-printed
    (handler-case
        (call-with-time-limit
         +value-seconds+
         (lambda ()
           (print-limited value stream)
           :printed))
      (serious-condition () :error))))

(defun value-text (value stream text)
  "The text that describe shows for VALUE, and true when that text says why VALUE was not printed.  VALUE is
printed to STREAM; the function TEXT returns the text of STREAM."
  (if (quick-value-p value)
      (shortened (prin1-to-string value) nil)
      (let ((end (print-bounded value stream)))
        (if (member end '(:printed :truncated))
            (shortened (funcall text stream) (eq end :truncated))
            (values (ecase end
                      (:time-limit *out-of-time*)
                      (:error *not-printable*))
                    t)))))

(defun shortened (text cut)
  "TEXT, or its beginning with a truncation mark if it is too long or was already CUT."
  (if (or cut (> (length text) +value-characters+))
      (concatenate 'string (subseq text 0 (min (length text) +value-characters+))
                   " ... [truncated]")
      text))
