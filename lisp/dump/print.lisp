;;;; Print lambda lists, types and constants as the index shows them.
;;;;
;;;; All of this runs inside WITH-PRINTER, which surrounds the whole dump: under standard IO syntax, but
;;;; printing neither prettily nor readably.

(in-package "OBLIST")

(defmacro with-printer (&body body)
  "Run BODY under standard IO syntax with *PRINT-PRETTY* and *PRINT-READABLY* nil."
  `(with-standard-io-syntax
     (let ((*print-pretty* nil) (*print-readably* nil))
       ,@body)))

(defun without-addresses (string)
  "STRING with {} in place of the addresses of unreadable objects, such as {1001A2B3C3}.
Two dumps of one image must be equal, but objects move."
  (let ((brace (and (search "#<" string) (position #\{ string))))
    (if (null brace)
        string
        (with-output-to-string (out)
          (loop with start = 0
                while brace
                do (let ((end (position-if-not (lambda (c) (digit-char-p c 16))
                                               string :start (1+ brace))))
                     (write-string string out :start start :end (1+ brace))
                     (setf start (if (and end (> end (+ brace 7))
                                          (char= (char string end) #\}))
                                     end
                                     (1+ brace))
                           brace (position #\{ string :start start)))
                finally (write-string string out :start start))))))

(defun printed (object)
  "OBJECT as PRIN1 shows it, symbols with their packages."
  (without-addresses (prin1-to-string object)))

;;; Lambda lists: symbols other than keywords are printed without packages, and backquotes as written.

(defvar *plain-names* (make-hash-table :test 'eq)
  "The printed names, without packages, of the symbols printed so far.")

(defvar *nodes-left* 0
  "The number of nodes that may still be printed, which is limited because some literals are circular.")

(defconstant +most-nodes+ 50000)

(defun plain-name (symbol)
  (or (gethash symbol *plain-names*)
      (setf (gethash symbol *plain-names*)
            (if (or (null symbol) (keywordp symbol))
                (prin1-to-string symbol)
                (let ((*print-gensym* nil))
                  (prin1-to-string (make-symbol (symbol-name symbol))))))))

(defun write-plain (form out)
  "Write FORM to the stream OUT, with symbols other than keywords printed without packages."
  (when (minusp (decf *nodes-left*))
    (error "The form is circular, or has more than ~D parts." +most-nodes+))
  (cond ((symbolp form) (write-string (plain-name form) out))
        ((backquote-form-p form)
         (write-char #\` out)
         (write-plain (second form) out))
        ((consp form) (write-plain-list form out))
        ((simple-vector-p form)
         (write-char #\# out)
         (write-plain-list (coerce form 'list) out))
        (t
         (multiple-value-bind (comma expression) (comma-parts form)
           (cond (comma (write-string comma out)
                        (write-plain expression out))
                 (t (write-string (printed form) out)))))))

(defun write-plain-list (list out)
  (write-char #\( out)
  (loop for (element . tail) on list
        do (write-plain element out)
           (cond ((null tail))
                 ((atom tail)
                  (write-string " . " out)
                  (write-plain tail out))
                 (t (write-char #\Space out))))
  (write-char #\) out))

(defun plain (form)
  "FORM as one line, with symbols other than keywords printed without packages."
  (let ((*nodes-left* +most-nodes+))
    (with-output-to-string (out) (write-plain form out))))

(defun plain-list (list)
  "A lambda list as one line; () when it is empty."
  (if (null list) "()" (plain list)))

(defun constant-text (value)
  "The text that describe shows for VALUE, the value of a constant.
It is not printed to a stream class of our own: defining one would finalize SBCL's class, which is indexed."
  (without-addresses (value-text value (make-string-output-stream)
                                 #'get-output-stream-string)))
