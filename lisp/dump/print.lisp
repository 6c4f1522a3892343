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

(defun with-empty-braces (string)
  "STRING with {} in place of addresses, such as {1001A2B3C3}."
  (let ((brace (position #\{ string)))
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

(defun without-thread-numbers (string)
  "STRING with {} in place of the numbers of threads, as SBCL 2.6 prints them: #<SB-THREAD:THREAD tid=29724 ...>."
  (loop with mark = "THREAD tid="
        for start = 0 then end
        for found = (search mark string :start2 start)
        for number = (and found (+ found (length mark)))
        for end = (and found (or (position-if-not #'digit-char-p string :start number) (length string)))
        collect (subseq string start number) into parts
        while found
        finally (return (format nil "~{~A~^{}~}" parts))))

(defun without-addresses (string)
  "STRING with {} in place of what differs from one image to the next in unreadable objects: two dumps of one image
must be equal, but objects move, and threads get new numbers."
  (if (search "#<" string)
      (without-thread-numbers (with-empty-braces string))
      string))

;;; Objects that only SBCL prints, and others, whose printing may run any code

(defconstant +most-parts+ 20000)
(defconstant +most-depth+ 100)

(defun harmless-p (object)
  "True when printing OBJECT runs no code but SBCL's, and ends soon."
  (let ((left +most-parts+))
    (declare (fixnum left))
    (labels ((harmless-p (object depth)
               (declare (fixnum depth))
               (loop
                 (cond ((atom object)
                        (return (typep object '(or symbol number character simple-string simple-bit-vector))))
                       ((or (minusp (decf left)) (= depth +most-depth+)
                            (not (harmless-p (car object) (1+ depth))))
                        (return nil)))
                 (setf object (cdr object)))))
      (harmless-p object 0))))

(defun printed (object)
  "OBJECT as PRIN1 shows it, symbols with their packages."
  (cond ((harmless-p object) (without-addresses (prin1-to-string object)))
        ;; A part that cannot be printed costs its own text alone.
        ((typep object '(or cons simple-vector)) (written-out object #'prin1-to-string))
        (t (careful-text object))))

(defconstant +most-text-characters+ 50000)

(defvar *careful-texts* (make-hash-table :test 'eq)
  "The texts of the objects printed with care so far: conses of the text and what went wrong, a list or NIL.")

(defvar *slow-classes* (make-hash-table :test 'eq)
  "The number of objects of a class whose printing took too long.")

(defun print-attempt (print object)
  "The text that the function PRINT prints of OBJECT, as long as that is neither too long nor empty; otherwise NIL and
what went wrong.  Printer variables are bound for each attempt, because a print function may set them."
  (guarding t (let ((text (without-addresses (with-output-to-string (out)
                                               (with-printer (funcall print object out))))))
                (cond ((string= text "") (error "Nothing was printed."))
                      ((> (length text) +most-text-characters+)
                       (error "More than ~D characters were printed." +most-text-characters+)))
                (values text nil))
      (condition)
    (values nil (trouble-of condition))))

(defun print-in-full (object stream)
  (let ((*print-length* +most-text-characters+)) ; a list may be circular
    (prin1 object stream)))

(defun stand-in (object)
  "The text for OBJECT, which cannot be printed."
  (let ((type (type-of object)))
    (if (symbolp type)
        (format nil "#<~A unprintable>" (prin1-to-string type))
        "#<unprintable>")))

(defun slow-p (object)
  (> (gethash (class-of object) *slow-classes* 0) 2))

(defun print-with-care (object)
  "The text of OBJECT, and what went wrong, if anything: printed in full, or with limits, or a stand-in."
  (multiple-value-bind (text trouble)
      (if (slow-p object)
          (values nil (list "TIME-LIMIT" "Others of its class took too long to print."))
          (print-attempt #'print-in-full object))
    (cond (text (values text nil))
          ((string= (first trouble) "TIME-LIMIT")
           (incf (gethash (class-of object) *slow-classes* 0))
           (values (stand-in object) trouble))
          ;; It may be circular.
          (t (multiple-value-bind (text trouble) (print-attempt #'print-limited object)
               (values (or text (stand-in object)) trouble))))))

(defun careful-text (object)
  "The text of OBJECT, which may run any code when it is printed; a trouble is noted each time."
  (destructuring-bind (text . trouble)
      (or (gethash object *careful-texts*)
          (setf (gethash object *careful-texts*)
                (multiple-value-call #'cons (print-with-care object))))
    (when trouble (push trouble *troubles*))
    text))

;;; Lambda lists: symbols other than keywords are printed without packages, and backquotes as written.

(defvar *plain-names* (make-hash-table :test 'eq)
  "The printed names, without packages, of the symbols printed so far.")

(defvar *nodes-left* 0
  "The number of nodes that may still be printed, which is limited because some literals are circular.")

(defconstant +most-nodes+ 50000)

(declaim (type function *symbol-text*))
(defvar *symbol-text* #'prin1-to-string
  "The function that returns the text of a symbol in a form.")

(defun plain-name (symbol)
  (or (gethash symbol *plain-names*)
      (setf (gethash symbol *plain-names*)
            (if (or (null symbol) (keywordp symbol))
                (prin1-to-string symbol)
                (let ((*print-gensym* nil))
                  (prin1-to-string (make-symbol (symbol-name symbol))))))))

(defun write-plain (form out)
  "Write FORM to the stream OUT, its parts one by one."
  (when (minusp (decf *nodes-left*))
    (error "The form is circular, or has more than ~D parts." +most-nodes+))
  (cond ((symbolp form) (write-string (funcall *symbol-text* form) out))
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

(defun in-part (form)
  "FORM, which has too many parts or is circular, with the limits for values."
  (with-output-to-string (out)
    (labels ((put (form level)
               (cond ((atom form)
                      (write-string (if (symbolp form) (funcall *symbol-text* form) (printed form)) out))
                     ((zerop level) (write-char #\# out))
                     (t (put-parts form level))))
             (put-parts (form level)
               (write-char #\( out)
               (loop for (part . rest) on form
                     for count from 1
                     do (put part (1- level))
                        (when rest (write-char #\Space out))
                        (cond ((and rest (= count 20))
                               (write-string "..." out)
                               (return))
                              ((and rest (atom rest))
                               (write-string ". " out)
                               (put rest (1- level)))))
               (write-char #\) out)))
      (put form 4))))

(defun written-out (form symbol-text)
  "FORM as one line, its symbols as the function SYMBOL-TEXT returns them."
  (let ((*symbol-text* symbol-text))
    (guarding nil (let ((*nodes-left* +most-nodes+))
                    (with-output-to-string (out) (write-plain form out)))
        (condition)
      (note-trouble condition)
      (in-part form))))

(defun plain (form)
  "FORM as one line, with symbols other than keywords printed without packages."
  (written-out form #'plain-name))

(defun plain-list (list)
  "A lambda list as one line; () when it is empty."
  (if (null list) "()" (plain list)))

(defun constant-text (value)
  "The text that describe shows for VALUE, the value of a constant.
It is not printed to a stream class of our own: defining one would finalize SBCL's class, which is indexed."
  (if (quick-value-p value)
      (shortened (prin1-to-string value) nil)
      (guarding t (without-addresses
                   (shortened (with-output-to-string (out)
                                (with-printer (print-limited value out)))
                              nil))
          (condition)
        (if (string= (note-trouble condition) "TIME-LIMIT")
            *out-of-time*
            *not-printable*))))
