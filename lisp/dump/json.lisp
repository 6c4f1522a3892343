;;;; Write JSON: one record per line, in UTF-8, to a byte stream.
;;;;
;;;; Output of a character through SBCL's fd-streams costs about 50 ns; encoding it into a buffer costs a
;;;; tenth of that, and a dump writes 15 MB.
;;;;
;;;; A record is complete before its first byte is sent.  A field that cannot be written is left out, and noted as a
;;;; trouble of what the record is about.

(in-package "OBLIST")

(deftype octets () '(simple-array (unsigned-byte 8) (*)))

(declaim (type octets *buffer*) (type fixnum *fill*))
(sb-ext:defglobal *buffer* (make-array 65536 :element-type '(unsigned-byte 8)))
(sb-ext:defglobal *fill* 0)
(defvar *output* nil
  "The byte stream that records are written to.")

(defconstant +full-buffer+ 32768)
(defconstant +most-record-bytes+ (ash 1 26))

(defun flush-buffer ()
  "Write the buffered bytes, which are whole records, to the output stream.  When nobody reads them any more, there is
nothing left to do."
  (let ((*open* nil))                   ; waiting for the reader counts for no question
    (handler-case (write-sequence *buffer* *output* :end *fill*)
      (stream-error () (end-process 1))))
  (setf *fill* 0))

(defun grow-buffer ()
  "Make room for the rest of a record: none is sent before it is complete."
  (when (>= (length *buffer*) +most-record-bytes+)
    (error "It has more than ~D bytes." +most-record-bytes+))
  (setf *buffer* (replace (make-array (* 2 (length *buffer*)) :element-type '(unsigned-byte 8)) *buffer*)))

(declaim (inline put-byte))
(defun put-byte (byte)
  (declare (type (unsigned-byte 8) byte) (optimize speed (safety 0)))
  (when (= *fill* (length *buffer*)) (grow-buffer))
  (setf (aref *buffer* *fill*) byte)
  (incf *fill*))

(defun end-record ()
  (put-byte 125)
  (put-byte 10)
  (when (> *fill* +full-buffer+)
    (flush-buffer)))

(defun put-ascii (string)
  "Write STRING, which is ASCII, as it is."
  (loop for char across (the simple-string string)
        do (put-byte (logand 127 (char-code char)))))

(defun put-utf8 (code)
  (declare (type (integer 128 #x10FFFF) code) (optimize speed))
  (flet ((tail (shift) (put-byte (logior #x80 (ldb (byte 6 shift) code)))))
    (cond ((< code #x800)
           (put-byte (logior #xC0 (ash code -6))) (tail 0))
          ((< code #x10000)
           (put-byte (logior #xE0 (ash code -12))) (tail 6) (tail 0))
          (t
           (put-byte (logior #xF0 (ash code -18))) (tail 12) (tail 6) (tail 0)))))

(declaim (inline surrogate-code-p))
(defun surrogate-code-p (code)
  "True for code points that UTF-8, and so SQLite, cannot encode."
  (<= #xD800 code #xDFFF))

(defun put-string (string)
  "Write STRING as a JSON string.  Lone surrogates, which UTF-8 cannot encode, become U+FFFD;
names that contain one never get here (STORABLE-P)."
  (declare (type string string) (optimize speed))
  (put-byte 34)
  (let ((string (coerce string 'simple-string)))
    (loop for char across string
          for code = (char-code char)
          do (cond ((or (= code 34) (= code 92)) (put-byte 92) (put-byte code))
                   ((< code 32)
                    (put-byte 92) (put-byte 117) (put-byte 48) (put-byte 48)
                    (put-byte (if (< code 16) 48 49))
                    (put-byte (char-code (char "0123456789abcdef" (logand code 15)))))
                   ((< code 128) (put-byte code))
                   ((surrogate-code-p code) (put-utf8 #xFFFD))
                   (t (put-utf8 code)))))
  (put-byte 34))

(defun put-integer (integer)
  (declare (type integer integer) (optimize speed))
  (if (typep integer '(integer 0 999999999))
      (let ((digits (make-array 9 :element-type '(unsigned-byte 8))) (n 0))
        (declare (type (integer 0 9) n) (dynamic-extent digits)
                 (type (unsigned-byte 32) integer))
        (loop (multiple-value-bind (rest digit) (truncate integer 10)
                (setf (aref digits n) (+ 48 digit) integer rest)
                (incf n)
                (when (zerop rest) (return))))
        (loop for i from (1- n) downto 0 do (put-byte (aref digits i))))
      (put-ascii (let ((*print-base* 10) (*print-radix* nil))
                   (princ-to-string integer)))))

(defconstant +deepest-value+ 5)

(defun put-json (value &optional (depth 0))
  "Write VALUE: a string, an integer, NIL (null), :TRUE, :FALSE, :EMPTY (an empty
array), a vector or list of values (an array)."
  (declare (type fixnum depth))
  (typecase value
    (string (put-string value))
    (integer (put-integer value))
    (null (put-ascii "null"))
    ((eql :true) (put-ascii "true"))
    ((eql :false) (put-ascii "false"))
    ((eql :empty) (put-ascii "[]"))
    (sequence
     (when (= depth +deepest-value+)
       (error "It is nested too deeply."))
     (put-byte 91)
     (let ((first t))
       (map nil (lambda (element)
                  (if first (setf first nil) (put-byte 44))
                  (put-json element (1+ depth)))
            value))
     (put-byte 93))
    (t (error "It is of type ~A, which no record has." (type-of value)))))

(defun json-array (sequence)
  "SEQUENCE in a form that PUT-JSON writes as [] rather than null when it is empty."
  (if (zerop (length sequence)) :empty sequence))

(defun json-boolean (generalized-boolean)
  (if generalized-boolean :true :false))

(defun put-flat-record (kind field function)
  "Write one record of KIND whose only FIELD is an array: FUNCTION is called with a function that writes the
next element, an integer, a string or NIL (null)."
  (put-ascii "{\"record\":")
  (put-string kind)
  (put-byte 44)
  (put-string field)
  (put-ascii ":[")
  (let ((first t))
    (funcall function (lambda (value)
                        (if first (setf first nil) (put-byte 44))
                        (put-json value))))
  (put-byte 93)
  (end-record))

(defun put-field (name value)
  (put-byte 44)
  (put-string name)
  (put-byte 58)
  (put-json value))

(defun put-field-if-possible (name value)
  "Write the field NAME with its VALUE; if that cannot be written, an empty array or no field."
  (let ((start *fill*))
    (guarding nil (put-field name value) (condition)
      (setf *fill* start)
      (destructuring-bind (type message) (trouble-of condition)
        (push (list type (format nil "The field ~A is left out. ~A" name message)) *troubles*))
      (when (typep value '(and sequence (not string)))
        (put-field name :empty)))))

(defun put-record-with (put-field kind names-and-values)
  (put-ascii "{\"record\":")
  (put-string kind)
  (loop for (name value) on names-and-values by #'cddr
        when value
          do (funcall put-field name value))
  (end-record))

(defun put-record (kind &rest names-and-values)
  "Write one record: an object with \"record\": KIND, and the NAMES-AND-VALUES.
Fields whose value is NIL are left out; the reader treats them as null."
  (let ((start *fill*))
    (guarding nil (put-record-with #'put-field kind names-and-values) (condition)
      (setf *fill* start)
      (put-record-with #'put-field-if-possible kind names-and-values))))
