;;;; Answering for values: a child process that is asked by package and name, a line each.
;;;;
;;;; It runs in a saved core, or in an image that has just loaded the systems.  Requests and
;;;; replies have descriptors of their own, for libraries write to standard output.  A request
;;;; is a package and a name; a reply is what it is and a text; between tabs, escaped.  What is
;;;; asked for is looked up, never read as Lisp, never evaluated and never interned.

(in-package "OBLIST")

;;; Lines

(defun storable-char (char)
  "CHAR, or the replacement character for a surrogate, which UTF-8 cannot hold."
  (if (<= #xD800 (char-code char) #xDFFF) (code-char #xFFFD) char))

(defun write-field (field out)
  "Write the string FIELD escaped: it holds neither tab nor line break then."
  (loop for char across field
        do (case char
             (#\\ (write-string "\\\\" out))
             (#\Tab (write-string "\\t" out))
             (#\Newline (write-string "\\n" out))
             (#\Return (write-string "\\r" out))
             (t (write-char (storable-char char) out)))))

(defun write-reply (out &rest fields)
  "Write the line of FIELDS; NIL when nobody reads any more."
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
  "The fields of LINE, which tabs divide."
  (loop for start = 0 then (1+ tab)
        for tab = (position #\Tab line :start start)
        collect (unescaped (subseq line start tab))
        while tab))

;;; Values

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

(defun printed-text (stream)
  "What was printed to the bounded STREAM."
  (get-output-stream-string (bounded-text stream)))

(defun global-value (symbol)
  "The global value of SYMBOL, and true if it has one.  Some of SBCL's own variables have
a value in each thread only: then that in this one."
  (handler-case (values (sb-ext:symbol-global-value symbol) t)
    (unbound-variable ()
      (if (boundp symbol)
          (values (symbol-value symbol) t)
          (values nil nil)))))

(defun standard-value-text (value)
  "VALUE as describe shows it; and true when that is no text of the value."
  (with-standard-io-syntax
    (let ((*print-readably* nil) (*print-pretty* nil))
      (value-text value (make-instance 'bounded-output) #'printed-text))))

(defun answer-request (package-name name)
  "What the symbol NAME of the package PACKAGE-NAME has for a value: two strings, what the
answer is and the text of the value, empty where there is none."
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
  "Stands before EXIT: a print function that calls it only fails to print."
  (declare (ignore exit arguments))
  (error "A print function called EXIT."))

(defmacro refusing-to-exit (&body body)
  "The values of BODY, within which SB-EXT:EXIT is an error."
  `(call-with-exit-replaced 'refuse-to-exit (lambda () ,@body)))

(defun answer-requests (in out answer)
  "Answer the lines of IN on OUT until one of them ends: whoever asked is gone then.
The function ANSWER makes kind and text of the answer from the fields of a line."
  (loop for line = (read-line in nil)
        for number from 1
        while line
        ;; The limit on garbage holds from the first collection on; one question needs none.
        do (when (= number 100) (sb-ext:gc))
        while (multiple-value-bind (kind text) (funcall answer (request-fields line))
                (write-reply out kind text))))

(defun descriptor-of (variable)
  "The number of the descriptor that the environment VARIABLE names."
  (parse-integer (sb-ext:posix-getenv variable)))

(defun serve (greeting answer)
  "Answer what comes on one descriptor on the other, by ANSWER, until nobody asks any more.
The first line is the GREETING: with it stands which SBCL this is, and how many things did
not load."
  (when *save-hooks-of-image*
    (setf sb-ext:*save-hooks* *save-hooks-of-image*))
  (let ((in (sb-sys:make-fd-stream (descriptor-of "OBLIST_REQUESTS")
                                   :input t :buffering :full
                                   :external-format '(:utf-8 :replacement #\?)))
        (out (sb-sys:make-fd-stream (descriptor-of "OBLIST_REPLIES")
                                    :output t :buffering :full :external-format :utf-8)))
    ;; No handler stands around what is answered: a form that is evaluated would find it.
    (when (write-reply out greeting (lisp-implementation-version)
                       (princ-to-string (length *load-failures*)))
      (answer-requests in out answer))))

(defconstant +garbage-bytes+ (* 8 1024 1024)
  "How much garbage may gather: a server that idles should be small.")

(defun answer-for-values (fields)
  "The answer to a request of FIELDS, which are a package and a name."
  (if (= (length fields) 2)
      (answer-request (first fields) (second fields))
      (values "no-request" "")))

(defun serve-child ()
  "What a saved core does when it starts, and an image that has loaded the systems."
  (setf (sb-ext:bytes-consed-between-gcs) +garbage-bytes+)
  (refusing-to-exit
    (handler-case (serve "ready" #'answer-for-values)
      (stream-error () nil)))           ; nobody asks any more
  (sb-ext:exit :code 0 :abort t))
