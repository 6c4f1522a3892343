;;;; The names of the symbols in each of the files of $FILES, one per line, as SBCL's own reader reads
;;;; them, into the file $ANSWERS: one line per form, with the file's number first. The systems $SYSTEMS
;;;; are loaded first. The readtable is the standard one, but that what a prefix stands for is left
;;;; out: 'x and #'x read as x, #.x is not evaluated, #s(..) and its like are lists. Where the reader
;;;; stumbles, the file's last line is ERROR and what it says.

(load (merge-pathnames "lines.lisp" *load-truename*))

(in-package "TEST-ORACLE")

(require :asdf)
(mapc #'sb-ext:unlock-package (list-all-packages))

(let ((*standard-output* (make-broadcast-stream)) (*error-output* (make-broadcast-stream)))
  (loop with names = (sb-posix:getenv "SYSTEMS")
        for start = 0 then (1+ end)
        for end = (position #\Space names :start start)
        do (handler-bind ((warning #'muffle-warning))
             (funcall (intern "LOAD-SYSTEM" "ASDF") (subseq names start end)))
        while end))

(defun read-one (stream &rest ignored)
  (declare (ignore ignored))
  (read stream t nil t))

(defun read-comma (stream char)
  (declare (ignore char))
  (when (member (peek-char nil stream t nil t) '(#\@ #\.))
    (read-char stream t nil t))
  (read stream t nil t))

(defvar *plain*
  (let ((table (copy-readtable nil)))
    (set-macro-character #\' #'read-one nil table)
    (set-macro-character #\` #'read-one nil table)
    (set-macro-character #\, #'read-comma nil table)
    (dolist (char '(#\' #\. #\S #\A #\C #\P))
      (set-dispatch-macro-character #\# char #'read-one table))
    (set-dispatch-macro-character
     #\# #\( (lambda (stream char number)
               (declare (ignore number))
               (read-delimited-list (if (char= char #\() #\) char) stream t))
     table)
    table))

(defun names-in (form)
  "The names of the symbols in FORM in the order of the text, keywords and NIL left out."
  (let ((names '()))
    (labels ((walk (one)
               (cond ((null one))
                     ((consp one) (walk (car one)) (walk (cdr one)))
                     ((and (symbolp one) (symbol-package one) (not (keywordp one)))
                      (push (symbol-name one) names)))))
      (walk form))
    (nreverse names)))

(defun told-of (condition)
  (if (typep condition 'simple-condition)
      (simple-condition-format-control condition)
      (type-of condition)))

(defun write-names (number path out)
  (with-open-file (in (sb-ext:parse-native-namestring path) :external-format :utf-8)
    (let ((*package* (find-package "CL-USER")) (*readtable* *plain*))
      (handler-case
          (loop for form = (read in nil in)
                until (eq form in)
                do (put-line out (princ-to-string number) (format nil "~{~A~^ ~}" (names-in form)))
                   (when (typep form '(cons (eql in-package)))
                     (setf *package* (find-package (second form)))))
        (error (condition)
          (put-line out (princ-to-string number) (format nil "ERROR ~A" (told-of condition))))))))

(with-open-file (out (environment-file "ANSWERS") :direction :output)
  (loop for (path) in (read-lines "FILES")
        for number from 0
        do (write-names number path out)))
