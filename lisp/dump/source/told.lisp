;;;; Places that the recorded number of a form does not tell, but the text does.

(in-package "OBLIST")

(defun told-interval (scan toplevel-form number name kind maker namestring)
  "The start and end of the form in the toplevel form of the file NAMESTRING that makes the definition of NAME
of that KIND, perhaps the method MAKER, though the recorded NUMBER alone does not tell it; NIL when the text does
not tell it either."
  (let ((alone (alone-p name kind namestring toplevel-form)))
    (multiple-value-bind (start end)
        (doubtful-interval scan toplevel-form number name alone namestring)
      (unless (or start (not alone))
        (multiple-value-setq (start end) (named-interval scan toplevel-form name)))
      (unless (or start (null maker))
        (multiple-value-setq (start end) (option-interval scan toplevel-form maker)))
      (unless (or start number (not alone))
        (multiple-value-setq (start end) (words-interval scan toplevel-form name)))
      ;; It may be a toplevel form whose text could not be scanned at all.
      (if (or start (not (names-itself-p scan toplevel-form name (null number))))
          (values start end)
          (values (aref (scan-toplevel-starts scan) toplevel-form)
                  (aref (scan-toplevel-ends scan) toplevel-form))))))

(defun alone-p (name kind namestring toplevel-form)
  "True unless SBCL recorded several definitions of NAME of that KIND in the toplevel form of the file NAMESTRING:
then a form that names NAME may be any of them."
  (let ((records (and (not (stringp name)) (recorded-numbers name namestring toplevel-form))))
    (<= (count (kind-name kind) (remove-duplicates records :test #'equal) :key #'car :test #'string=) 1)))

(defun words-interval (scan toplevel-form name)
  "The start and end of the only form DEF.. in the toplevel form that has all words of NAME; NIL if there is none."
  (let* ((*text* (scan-source scan)) (*cases* (scan-cases scan))
         (found (remove-if-not (lambda (form) (names-words-p (aref (scan-starts scan) form) name))
                               (code-forms-of scan toplevel-form))))
    (and found
         (null (rest found))
         (values (aref (scan-starts scan) (first found)) (aref (scan-ends scan) (first found))))))

(defun names-itself-p (scan toplevel-form name any)
  "True when the toplevel form is (DEF.. NAME ..); with ANY, when it is (DEF.. ..) of any name: what is recorded
without a number is made by the toplevel form, as by its number 0."
  (let ((*text* (scan-source scan)) (*cases* (scan-cases scan))
        (start (aref (scan-toplevel-starts scan) toplevel-form)))
    (if any
        (and (defined-place start) t)
        (defines-name-p start name))))

;;; The only form that defines the name

(defun named-interval (scan toplevel-form name)
  "The start and end of the only form in the toplevel form that defines NAME: as (DEF.. NAME ..),
as a slot of a DEFSTRUCT, or as another part of a DEFSTRUCT; NIL when there is no such form."
  (let* ((*text* (scan-source scan)) (*cases* (scan-cases scan))
         (forms (code-forms-of scan toplevel-form)))
    (flet ((only (test)
             (let ((found (remove-if-not test forms)))
               (when (and found (null (rest found)))
                 (return-from named-interval
                   (values (aref (scan-starts scan) (first found))
                           (aref (scan-ends scan) (first found))))))))
      (only (lambda (form) (defines-name-p (aref (scan-starts scan) form) name)))
      (let ((structures (remove-if-not
                         (lambda (form)
                           (equal (operator-name scan (aref (scan-starts scan) form))
                                  "DEFSTRUCT"))
                         forms)))
        (when (and structures (null (rest structures)))
          (let* ((structure (first structures))
                 (end (aref (scan-ends scan) structure)))
            (let ((slot (slot-form scan structure end name)))
              (when slot
                (return-from named-interval
                  (values (aref (scan-starts scan) slot) (aref (scan-ends scan) slot)))))
            (only (lambda (form)
                    (and (= form structure)
                         (part-of-structure-p scan form name))))))))))

(defun slot-form (scan structure end name)
  "The form of the slot whose accessor is NAME, in the structure that ends at END: the slot with the
longest name that NAME ends with.  NIL when there is none."
  (let ((best nil) (best-length 0) (form (1+ structure)))
    (loop
      (when (or (>= form (length (scan-starts scan)))
                (> (aref (scan-ends scan) form) end))
        (return best))
      (let ((length (slot-length (aref (scan-starts scan) form) (name-text name)))
            (form-end (aref (scan-ends scan) form)))
        (when (> length best-length)
          (setf best form best-length length))
        ;; On to the next part of the structure, past the forms in this one.
        (loop do (incf form)
              while (and (< form (length (scan-starts scan)))
                         (< (aref (scan-starts scan) form) form-end)))))))

(defun slot-length (start name)
  "The length of the slot's name when the form at START is a slot whose accessor is NAME
because NAME ends in -SLOT; else 0."
  (multiple-value-bind (begin end) (form-operator start)
    (let ((rest (if begin (- (length name) (- end begin)) 0)))
      (if (and (plusp rest)
               (string-equal name *text* :start1 rest :start2 begin :end2 end)
               (char= #\- (char name (1- rest))))
          (- end begin)
          0))))

(defun part-of-structure-p (scan form name)
  "True when NAME is built from the structure's name, or occurs in its DEFSTRUCT form."
  (let* ((start (aref (scan-starts scan) form))
         (place (skip-blank (nth-value 1 (form-operator start))))
         (begin (if (eql (char-at place) #\() (skip-blank (1+ place)) place))
         (structure (nth-value 1 (split-token (token-string begin (token-end begin)))))
         (name (name-text name)))
    (or (and (> (length name) (length structure))
             (string= structure name :end2 (length structure))
             (char= #\- (char name (length structure))))
        (token-place name start (aref (scan-ends scan) form)))))
