;;;; What the scripts of the tests share: files of lines of fields, between tabs, \N for nothing, \HEX; for everything
;;;; that is not printable ASCII; and the texts of sources.

(eval-when (:compile-toplevel :load-toplevel :execute)
  (unless (find-package "TEST-ORACLE")
    (make-package "TEST-ORACLE" :use '("COMMON-LISP"))))

(in-package "TEST-ORACLE")

(defun plain-character-p (char)
  (and (char<= #\Space char #\~) (char/= char #\\)))

(defun escaped (field)
  (with-output-to-string (out)
    (if (null field)
        (write-string "\\N" out)
        (loop for char across field
              do (if (plain-character-p char)
                     (write-char char out)
                     (format out "\\~X;" (char-code char)))))))

(defun unescaped (field)
  (unless (string= field "\\N")
    (with-output-to-string (out)
      (loop with start = 0
            for escape = (position #\\ field :start start)
            do (write-string field out :start start :end escape)
               (unless escape (return))
               (let ((end (position #\; field :start escape)))
                 (write-char (code-char (parse-integer field :start (1+ escape) :end end :radix 16))
                             out)
                 (setf start (1+ end)))))))

(defun fields (line)
  (loop with start = 0
        for tab = (position #\Tab line :start start)
        collect (unescaped (subseq line start tab))
        while tab
        do (setf start (1+ tab))))

(defun environment-file (variable)
  (sb-ext:parse-native-namestring (sb-ext:posix-getenv variable)))

(defun read-lines (variable)
  "The lines of the file that the environment VARIABLE names, as lists of fields."
  (with-open-file (in (environment-file variable) :external-format :utf-8)
    (loop for line = (read-line in nil)
          while line
          collect (fields line))))

(defun put-line (out &rest fields)
  (format out "~{~A~^	~}~%" (mapcar #'escaped fields)))

(defun file-text (path)
  "The text of the file at PATH, in UTF-8 or else in Latin-1."
  (flet ((text (format)
           (with-open-file (in (sb-ext:parse-native-namestring path) :external-format format)
             (let* ((text (make-string (file-length in))) (end (read-sequence text in)))
               (subseq text 0 end)))))
    (handler-case (text :utf-8) (error () (text :latin-1)))))
