;;;; Lambda lists, types and values as text, and problems: what could not be learned.

(in-package "OBLIST-RECORDS")

(defconstant +most-parts+ 20000)

(defvar *parts-left* +most-parts+
  "How many more parts of a form may be printed: some forms are circular.")

(defun printed (object)
  "OBJECT as PRIN1 shows it, symbols with their packages."
  (without-addresses (prin1-to-string object)))

(defun without-addresses (text)
  "TEXT without the addresses in objects such as #<a FOO 0x7F3B55216300>: two dumps of one image are equal."
  (loop for start = (and (search "#<" text) (search " 0x" text)) then (search " 0x" text)
        while start
        do (let ((end (position-if-not (lambda (char) (digit-char-p char 16)) text :start (+ start 3))))
             (setf text (concatenate 'string (subseq text 0 start) (subseq text (or end (length text))))))
        finally (return text)))

(defun write-plain (form out)
  (when (minusp (decf *parts-left*))
    (error "The form is circular, or has more than ~D parts." +most-parts+))
  (cond ((or (null form) (keywordp form)) (prin1 form out))
        ((symbolp form) (let ((*print-gensym* nil)) (prin1 (make-symbol (symbol-name form)) out)))
        ((consp form)
         (write-char #\( out)
         (loop for (element . tail) on form
               do (write-plain element out)
                  (cond ((null tail))
                        ((atom tail) (write-string " . " out) (write-plain tail out))
                        (t (write-char #\Space out))))
         (write-char #\) out))
        (t (write-string (printed form) out))))

(defun plain (form)
  "FORM as one line, with symbols other than keywords printed without packages."
  (let ((*parts-left* +most-parts+))
    (with-output-to-string (out) (write-plain form out))))

(defun plain-list (list)
  (if (null list) "()" (plain list)))

(defun written-list (list &optional (text #'plain))
  "The elements of LIST as text with spaces between them, or NIL if there are none."
  (and list (format nil "~{~A~^ ~}" (mapcar text list))))

(defun put-problem (stage subject part condition)
  "Write that at STAGE the PART of SUBJECT could not be learned, because of CONDITION."
  (put-record "problem" "stage" stage "subject" subject "part" part
                        "condition" (symbol-name (type-of condition))
                        "message" (or (ignore-errors (without-addresses (princ-to-string condition)))
                                      "The condition cannot be printed.")))

(defmacro noting-problems ((stage subject part) &body body)
  "Return the value of BODY; NIL if an error ends it, which is written as a problem."
  (let ((condition (gensym)))
    `(handler-case (progn ,@body)
       (error (,condition) (put-problem ,stage ,subject ,part ,condition) nil))))

(defun as-text (value)
  "VALUE, which should be a string but may be anything, as text; NIL for NIL."
  (if (typep value '(or null string)) value (printed value)))
