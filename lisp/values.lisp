;;;; Printing a value as the text contract says: bounded in length, depth, size and time.
;;;;
;;;; The rules are those of DESIGN, section 9: PRIN1 under standard IO syntax, not readably,
;;;; not pretty, with the limits below.  Whoever calls this binds the syntax.

(in-package "OBLIST")

(defconstant +value-seconds+ 1)
(defconstant +value-characters+ 10000)

(defclass bounded-output (sb-gray:fundamental-character-output-stream)
  ((text :initform (make-string-output-stream) :reader bounded-text)
   (room :initform +value-characters+ :accessor room-left)
   (column :initform 0 :accessor column))
  (:documentation "A stream that takes so many characters; the next one ends the printing.
A string stream would take what a print function writes until the heap is full."))

(defmethod sb-gray:stream-write-char ((stream bounded-output) char)
  (when (minusp (decf (room-left stream)))
    (throw 'value-printed :truncated))
  (setf (column stream) (if (char= char #\Newline) 0 (1+ (column stream))))
  (write-char char (bounded-text stream)))

(defmethod sb-gray:stream-write-string ((stream bounded-output) string &optional (start 0) end)
  (loop for i from start below (or end (length string))
        do (sb-gray:stream-write-char stream (char string i)))
  string)

(defmethod sb-gray:stream-line-column ((stream bounded-output))
  (column stream))

(defmethod sb-gray:stream-start-line-p ((stream bounded-output))
  (zerop (column stream)))

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

(defun value-text (value)
  "VALUE as describe shows it; and true when that is no text of the value at all."
  (let* ((stream (make-instance 'bounded-output))
         (end (print-bounded value stream)))
    (flet ((printed () (get-output-stream-string (bounded-text stream))))
      (ecase end
        (:printed (printed))
        (:truncated (concatenate 'string (printed) " ... [truncated]"))
        (:time-limit (values "<value not printed: time limit>" t))
        (:error (values "<error printing value>" t))))))
