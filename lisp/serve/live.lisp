;;;; Report values: a child process that answers requests, one per line.
;;;;
;;;; It runs in a saved core and loads nothing.  Requests and replies have descriptors of their own, because
;;;; libraries write to standard output.  A request is a package and a name; a reply is a kind and a text;
;;;; fields are escaped, with tabs between them.  A name is looked up: it is never read as Lisp, evaluated or
;;;; interned.

(in-package "OBLIST")

;;; Lines

(defun storable-char (char)
  "CHAR, or the replacement character for a surrogate, which UTF-8 cannot encode."
  (if (<= #xD800 (char-code char) #xDFFF) (code-char #xFFFD) char))

(defun write-field (field out)
  "Write the string FIELD, its tabs and line breaks escaped."
  (loop for char across field
        do (case char
             (#\\ (write-string "\\\\" out))
             (#\Tab (write-string "\\t" out))
             (#\Newline (write-string "\\n" out))
             (#\Return (write-string "\\r" out))
             (t (write-char (storable-char char) out)))))

(defun write-reply (out &rest fields)
  "Write a line of FIELDS; return NIL when the reader is gone."
  (handler-case
      (loop for (field . more) on fields
            do (write-field field out)
               (write-char (if more #\Tab #\Newline) out)
            finally (finish-output out)
                    (return t))
    (stream-error () nil)))

(defun unescaped (field)
  (with-output-to-string (out)
    (loop with escaped = nil
          for char across field
          do (cond (escaped
                    (write-char (case char (#\t #\Tab) (#\n #\Newline) (#\r #\Return) (t char))
                                out)
                    (setf escaped nil))
                   ((char= char #\\) (setf escaped t))
                   (t (write-char char out))))))

(defun request-fields (line)
  "The fields of LINE, which tabs separate."
  (loop for start = 0 then (1+ tab)
        for tab = (position #\Tab line :start start)
        collect (unescaped (subseq line start tab))
        while tab))

;;; Values

(defclass bounded-output (sb-gray:fundamental-character-output-stream)
  ((text :initform (make-string-output-stream) :reader bounded-text)
   (room :initform +value-characters+ :accessor room-left)
   (column :initform 0 :accessor column))
  (:documentation "A stream that accepts a limited number of characters; one more ends the printing.
To a plain string stream, a print function could write until the heap is full."))

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

(defun printed-text (stream)
  "The text printed to the bounded STREAM."
  (get-output-stream-string (bounded-text stream)))

(defun global-value (symbol)
  "The global value of SYMBOL, and true if it has one.  Some of SBCL's own variables have only
thread-local values: for these, return the value in this thread."
  (handler-case (values (sb-ext:symbol-global-value symbol) t)
    (unbound-variable ()
      (if (boundp symbol)
          (values (symbol-value symbol) t)
          (values nil nil)))))

(defun standard-value-text (value)
  "The text that describe shows for VALUE; and true when that text says why VALUE was not printed."
  (with-standard-io-syntax
    (let ((*print-readably* nil) (*print-pretty* nil))
      (value-text value (make-instance 'bounded-output) #'printed-text))))

(defun answer-request (package-name name)
  "The value of the symbol NAME of the package PACKAGE-NAME, as two strings: the kind of the answer, and
the text of the value, empty where there is none."
  (let ((package (find-package package-name)))
    (if (null package)
        (values "no-package" "")
        (multiple-value-bind (symbol status) (find-symbol name package)
          (if (null status)
              (values "no-symbol" "")
              (multiple-value-bind (value bound) (global-value symbol)
                (if (not bound)
                    (values "unbound" "")
                    (multiple-value-bind (text failed) (standard-value-text value)
                      (values (if failed "failed" "value") text)))))))))

;;; The server

(defun refuse-to-exit (exit &rest arguments)
  "The replacement for EXIT: a print function that calls it merely fails."
  (declare (ignore exit arguments))
  (error "A print function called EXIT."))

(defmacro refusing-to-exit (&body body)
  "Run BODY and return its values; in it, calling SB-EXT:EXIT is an error."
  `(call-with-exit-replaced 'refuse-to-exit (lambda () ,@body)))

(defun answer-requests (in out answer)
  "Answer the requests from IN, one per line, on OUT until either stream ends because the client is gone.
The function ANSWER takes the fields of a request and returns the kind and text of its answer."
  (loop for line = (read-line in nil)
        for number from 1
        while line
        ;; The limit on garbage takes effect with the first collection; a single request needs none.
        do (when (= number 100) (sb-ext:gc))
        while (multiple-value-bind (kind text) (funcall answer (request-fields line))
                (write-reply out kind text))))

(defun descriptor-of (variable)
  "The number of the file descriptor, which the environment VARIABLE holds."
  (parse-integer (sb-ext:posix-getenv variable)))

(defun serve (greeting answer)
  "Answer the requests from one descriptor on the other, with the function ANSWER, until the client is gone.
The first line sent has the GREETING, the version of SBCL, and the number of things that did not load."
  (when *save-hooks-of-image*
    (setf sb-ext:*save-hooks* *save-hooks-of-image*))
  (let ((in (sb-sys:make-fd-stream (descriptor-of "OBLIST_REQUESTS")
                                   :input t :buffering :full
                                   :external-format '(:utf-8 :replacement #\?)))
        (out (sb-sys:make-fd-stream (descriptor-of "OBLIST_REPLIES")
                                    :output t :buffering :full :external-format :utf-8)))
    ;; No handlers around this: a form that is evaluated would find them.
    (when (write-reply out greeting (lisp-implementation-version)
                       (princ-to-string (length *load-failures*)))
      (answer-requests in out answer))))

(defconstant +garbage-bytes+ (* 8 1024 1024)
  "The limit on garbage, which keeps an idle server small.")

(defun answer-for-values (fields)
  "The answer to a request of FIELDS, which are a package and a name."
  (if (= (length fields) 2)
      (answer-request (first fields) (second fields))
      (values "no-request" "")))

(defun serve-child ()
  "Report values until the client is gone, then exit."
  (setf (sb-ext:bytes-consed-between-gcs) +garbage-bytes+)
  (refusing-to-exit
    (handler-case (serve "ready" #'answer-for-values)
      (stream-error () nil)))           ; the client is gone
  (sb-ext:exit :code 0 :abort t))
