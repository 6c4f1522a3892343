;;;; The value of every bound symbol by a direct reading of the text contract, in the same
;;;; process that is asked afterwards: written when a saved core with this file starts.

(defpackage "LIVE-ORACLE"
  (:use "COMMON-LISP"))

(in-package "LIVE-ORACLE")

(defun reading (symbol)
  "The value of SYMBOL as the contract words it, bound to nothing else when it is read."
  (let ((value (symbol-value symbol)))
    (handler-case
        (sb-ext:with-timeout 1
          (let ((text (with-standard-io-syntax
                        (let ((*print-readably* nil) (*print-pretty* nil)
                              (*package* (find-package "COMMON-LISP-USER"))
                              (*print-length* 20) (*print-level* 3) (*print-circle* t))
                          (prin1-to-string value)))))
            (if (> (length text) 10000)
                (concatenate 'string (subseq text 0 10000) " ... [truncated]")
                text)))
      (sb-ext:timeout () "<value not printed: time limit>")
      (serious-condition () "<error printing value>"))))

(defun put-field (text out)
  (loop for char across text
        for code = (char-code char)
        do (if (and (<= 32 code 126) (char/= char #\\))
               (write-char char out)
               (format out "\\~X;" code))))

(defun write-readings (path)
  (with-open-file (out path :direction :output :if-exists :supersede)
    (dolist (package (list-all-packages))
      (do-symbols (symbol package)      ; may come to one symbol twice
        (when (and (eq (symbol-package symbol) package)
                   (boundp symbol)
                   (string/= (package-name package) "HOSTILE"))
          (let ((text (reading symbol)))
            (put-field (package-name package) out)
            (write-char #\Tab out)
            (put-field (symbol-name symbol) out)
            (write-char #\Tab out)
            (put-field text out)
            (terpri out)))))))

(push (lambda ()
        (let ((path (sb-ext:posix-getenv "LIVE_ORACLE_OUTPUT")))
          (when (and path (string/= path ""))
            ;; Twice: a value that differs belongs to the running process, and will differ again later.
            (write-readings (concatenate 'string path ".first"))
            (write-readings path))))
      sb-ext:*init-hooks*)
