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
  (loop for (field . more) on fields
        do (write-field field out)
           (write-char (if more #\Tab #\Newline) out))
  (finish-output out))

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
  "The package and the name in LINE; NIL when it is no request."
  (let ((tab (position #\Tab line)))
    (and tab
         (values (unescaped (subseq line 0 tab)) (unescaped (subseq line (1+ tab)))))))

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

(defun answer-requests (in out)
  "Answer the lines of IN on OUT until IN ends: whoever asked is gone then."
  (loop for line = (read-line in nil)
        for number from 1
        while line
        ;; The limit on garbage holds from the first collection on; one question needs none.
        do (when (= number 100) (sb-ext:gc))
           (multiple-value-bind (package-name name) (request-fields line)
             (if (null name)
                 (write-reply out "no-request" "")
                 (multiple-value-bind (kind text) (answer-request package-name name)
                   (write-reply out kind text))))))

(defconstant +garbage-bytes+ (* 8 1024 1024)
  "How much garbage may gather: a server that idles should be small.")

(defun serve (requests replies)
  "Answer what comes on the descriptor REQUESTS on the descriptor REPLIES, then end.
The first line says which SBCL this is, and how many things did not load."
  (sb-int:encapsulate 'sb-ext:exit 'refuse-to-exit #'refuse-to-exit)
  (setf (sb-ext:bytes-consed-between-gcs) +garbage-bytes+)
  (when *save-hooks-of-image*
    (setf sb-ext:*save-hooks* *save-hooks-of-image*))
  (let ((in (sb-sys:make-fd-stream requests :input t :buffering :full
                                            :external-format '(:utf-8 :replacement #\?)))
        (out (sb-sys:make-fd-stream replies :output t :buffering :full
                                            :external-format :utf-8)))
    (handler-case
        (progn
          (write-reply out "ready" (lisp-implementation-version)
                       (princ-to-string (length *load-failures*)))
          (answer-requests in out))
      (stream-error () nil)))           ; nobody reads any more
  (sb-int:unencapsulate 'sb-ext:exit 'refuse-to-exit)
  (sb-ext:exit :code 0 :abort t))

(defun serve-child ()
  "What a saved core does when it starts, and an image that has loaded the systems."
  (serve (parse-integer (sb-ext:posix-getenv "OBLIST_REQUESTS"))
         (parse-integer (sb-ext:posix-getenv "OBLIST_REPLIES"))))
