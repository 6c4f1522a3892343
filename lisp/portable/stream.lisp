;;;; The stream: the records in their order, from the header to the end.

(in-package "OBLIST-RECORDS")

(defun pairs (test upcase)
  "The characters for which TEST is true, and what UPCASE makes of each, as two strings."
  (loop for code below char-code-limit
        for char = (and (not (<= #xD800 code #xDFFF)) (code-char code))
        when (and char (funcall test char))
          collect char into characters
          and collect (funcall upcase char) into others
        finally (return (list (coerce characters 'string) (coerce others 'string)))))

(defun put-header ()
  (put-record "header"
              "stream" 6
              "implementation" (format nil "~A ~A" (lisp-implementation-type) (lisp-implementation-version))
              "machine" (format nil "~A ~A" (machine-type) (software-type))
              "features" (sort (mapcar #'printed *baseline-features*) #'string<)
              "case_pairs" (pairs (lambda (char) (and (both-case-p char) (upper-case-p char))) #'char-downcase)
              "titlecase_pairs" (pairs (lambda (char)
                                         (not (or (lower-case-p char) (char= char (char-upcase char)))))
                                       #'char-upcase)
              "relations" :empty
              "operators" (list nil "SETF")
              "kinds" *kinds*
              "left_out" (json-array *left-out*)))

(defun write-records (file)
  "Write the records of the baseline to FILE."
  (with-open-file (*output* file :direction :output :if-exists :supersede :element-type '(unsigned-byte 8))
    (with-standard-io-syntax
      (let ((*print-pretty* nil) (*print-readably* nil))
       ;; What has no documentation of a type may warn of that.
      (handler-bind ((warning #'muffle-warning))
         (put-header)
         (put-systems)
         (put-packages)
         (put-symbols)
         (mapc #'put-presences *packages*)
         (put-definitions)
         (put-classes)
         (put-record "end" "packages" (length *packages*) "symbols" (length *symbols*) "definitions" *count*)))))
  file)
