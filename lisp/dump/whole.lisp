;;;; The dump: from the image to records, in the order of the stream.
;;;;
;;;; header, problems of loading, roots, systems, their components, packages, symbols, presences, definitions,
;;;; classes, callers, uses, end.  A file and an expansion are written before their first use, a
;;;; problem when it is found.  The end record tells the reader that nothing is missing.

(in-package "OBLIST")

(defconstant +stream-version+ 6
  "The version of the records; indexer/records.py has the same number.")

(defun case-pairs ()
  "All characters with case, as two strings: in upper case, and in lower case.
CHAR-EQUAL equates exactly these pairs (CLHS 13.1.4.3), and so must every search."
  (loop for code below char-code-limit
        for char = (code-char code)
        when (and char (both-case-p char) (upper-case-p char))
          collect char into upper
          and collect (char-downcase char) into lower
        finally (return (list (coerce upper 'string) (coerce lower 'string)))))

(defun titlecase-pairs ()
  "All characters that the reader upcases although they are not in lower case, as two strings: the
characters, and their upper case.  They are titlecase digraphs such as U+01C5."
  (loop for code below char-code-limit
        for char = (code-char code)
        unless (or (lower-case-p char) (char= char (char-upcase char)))
          collect char into title
          and collect (char-upcase char) into upper
        finally (return (list (coerce title 'string) (coerce upper 'string)))))

(defun put-header (&key (case-tables t))
  "Write the header, with the CASE-TABLES unless the reader has them from the base."
  (put-record "header"
              "stream" +stream-version+
              "implementation" (format nil "~A ~A" (lisp-implementation-type) (lisp-implementation-version))
              "machine" (format nil "~A ~A" (machine-type) (software-type))
              "features" (sort (mapcar #'printed *baseline-features*) #'string<)
              "case_pairs" (if case-tables (case-pairs) (list "" ""))
              "titlecase_pairs" (if case-tables (titlecase-pairs) (list "" ""))
              "relations" (mapcar #'cdr *relations*)
              "operators" (list nil "SETF" "CAS")
              "kinds" (mapcar (lambda (kind)
                                (list (kind-name kind)
                                      (kind-documentation-type kind)
                                      (kind-description kind)))
                              (append *kinds* (list *package-kind*)))
              "left_out" :empty)
  ;; Sent at once: the reader has to know that loading has ended, in case the image ends soon.
  (flush-buffer)
  (finish-output *output*))

(defun make-room ()
  "Let the garbage collector copy what it keeps less often: a dump gathers uses that all live to its end."
  (setf (sb-ext:generation-bytes-consed-between-gcs 1) (floor (sb-ext:dynamic-space-size) 4)
        (sb-ext:generation-number-of-gcs-before-promotion 0) 0))

(defun put-everything ()
  (make-room)
  (put-header)
  (put-load-problems)
  (put-roots)
  (put-systems)
  (put-all-components)
  (let ((packages (indexed-packages)))
    (number-packages packages)
    (number-symbols packages)
    (put-unstorable-names *unstorable-names*)
    (put-packages packages)
    (put-symbols)
    (mapc #'put-presences packages)
    (put-definitions)
    (put-package-definitions packages)
    (put-classes)
    (put-all-uses packages)
    (put-record "end" "packages" (length packages)
                      "symbols" (length *symbols*)
                      "definitions" *definition-count*)))

(defun call-with-output (destination function)
  "Call FUNCTION with *OUTPUT* open on DESTINATION: a path, or a descriptor's number."
  (if (every #'digit-char-p destination)
      (let ((*output* (sb-sys:make-fd-stream (parse-integer destination)
                                             :output t :buffering :full
                                             :element-type '(unsigned-byte 8))))
        (unwind-protect (funcall function)
          (close *output*)))
      (with-open-file (*output* (sb-ext:parse-native-namestring destination)
                                :direction :output :if-exists :supersede
                                :element-type '(unsigned-byte 8))
        (funcall function))))

(defun write-sign-of-life ()
  "Send an empty line between records."
  (write-byte 10 *output*)
  (finish-output *output*))

(defun dump-with (put-records destination)
  "Write the records that the function PUT-RECORDS puts to DESTINATION, a path or a descriptor's number."
  (call-with-output destination
                    (lambda ()
                      (setf *sign-of-life* #'write-sign-of-life)
                      (call-watched (lambda ()
                                      (with-printer (call-with-witness put-records))))
                      (flush-buffer))))

(defun call-with-witness (function)
  "Call FUNCTION with *WITNESS* open on the file that OBLIST_WITNESS names, if any."
  (let ((path (environment "OBLIST_WITNESS")))
    (if path
        (with-open-file (*witness* (sb-ext:parse-native-namestring path)
                                   :direction :output :if-exists :overwrite :if-does-not-exist :create
                                   :external-format :utf-8)
          (funcall function))
        (funcall function))))

(defun dump (destination)
  "Write all records of the image to DESTINATION, a path or a descriptor's number."
  (dump-with #'put-everything destination))
