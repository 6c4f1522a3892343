;;;; Write JSON: one record per line, in UTF-8, to a stream of bytes.

(in-package "OBLIST-RECORDS")

(defvar *output* nil
  "The stream of bytes that records are written to.")

(defun write-json-string (string out)
  (write-char #\" out)
  (loop for char across string
        for code = (char-code char)
        do (cond ((or (char= char #\") (char= char #\\)) (write-char #\\ out) (write-char char out))
                 ((< code 32) (format out "\\u~4,'0X" code))
                 ((surrogate-p char) (write-char (code-char #xFFFD) out))
                 (t (write-char char out))))
  (write-char #\" out))

(defun write-json (value out)
  "Write VALUE: a string, an integer, NIL (null), :TRUE, :FALSE, :EMPTY (an empty array), or a list (an array)."
  (etypecase value
    (string (write-json-string value out))
    (integer (format out "~D" value))
    (null (write-string "null" out))
    ((eql :true) (write-string "true" out))
    ((eql :false) (write-string "false" out))
    ((eql :empty) (write-string "[]" out))
    (cons (write-char #\[ out)
     (loop for (element . more) on value
           do (write-json element out)
              (when more (write-char #\, out)))
     (write-char #\] out))))

(defun json-array (list)
  "LIST in a form that is written as an array even if it is empty."
  (or list :empty))

(defun json-boolean (value)
  (if value :true :false))

(defun octets (string)
  "The bytes of STRING in UTF-8."
  (let ((octets (make-array (* 4 (length string)) :element-type '(unsigned-byte 8) :fill-pointer 0)))
    (loop for char across string
          for code = (char-code char)
          do (flet ((tail (shift) (vector-push (logior #x80 (ldb (byte 6 shift) code)) octets)))
               (cond ((< code #x80) (vector-push code octets))
                     ((< code #x800) (vector-push (logior #xC0 (ash code -6)) octets) (tail 0))
                     ((< code #x10000) (vector-push (logior #xE0 (ash code -12)) octets) (tail 6) (tail 0))
                     (t (vector-push (logior #xF0 (ash code -18)) octets) (tail 12) (tail 6) (tail 0)))))
    octets))

(defun put-record (kind &rest names-and-values)
  "Write one record: an object with \"record\": KIND, and the NAMES-AND-VALUES but for those whose value is NIL."
  (write-sequence (octets (with-output-to-string (out)
                            (write-string "{\"record\":" out)
                            (write-json kind out)
                            (loop for (name value) on names-and-values by #'cddr
                                  when value
                                    do (format out ",\"~A\":" name)
                                       (write-json value out))
                            (format out "}~%")))
                  *output*))
