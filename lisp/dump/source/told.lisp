;;;; Places that the recorded number of a form does not tell, but the text does.

(in-package "OBLIST")

(defun told-interval (scan toplevel-form number name maker namestring)
  "The start and end of the form in the toplevel form of the file NAMESTRING that defines NAME, or makes the
method MAKER, though the recorded NUMBER alone does not tell it; NIL when the text does not tell it either."
  (multiple-value-bind (start end) (doubtful-interval scan toplevel-form number name namestring)
    (unless start
      (multiple-value-setq (start end) (named-interval scan toplevel-form name)))
    (unless (or start (null maker))
      (multiple-value-setq (start end) (option-interval scan toplevel-form maker)))
    ;; The text of the toplevel form may be one that cannot be scanned at all.
    (if (or start (not (names-itself-p scan toplevel-form name)))
        (values start end)
        (values (aref (scan-toplevel-starts scan) toplevel-form)
                (aref (scan-toplevel-ends scan) toplevel-form)))))

(defun names-itself-p (scan toplevel-form name)
  (let ((*text* (scan-source scan)))
    (defines-name-p (aref (scan-toplevel-starts scan) toplevel-form) name)))
