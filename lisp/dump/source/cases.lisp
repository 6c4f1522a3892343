;;;; The case that a file is read in: :UPCASE, unless the file, or what compiles it, changes the READTABLE-CASE of its
;;;; readtable.
;;;;
;;;; No image keeps that, but it keeps every symbol that the reader made.  So a text was read in the case in which
;;;; most of its tokens name symbols that exist.  Only names with letters in upper case can tell.

(in-package "OBLIST")

(defparameter *cases-tried* '(:upcase :invert :preserve :downcase)
  "The values of READTABLE-CASE; of those that explain a text equally well, the first is taken.")

(defun text-cases (scan)
  "The value of *CASES* for the text of SCAN."
  (let ((*text* (scan-source scan)) (*cases* '()) (*in-package* "COMMON-LISP-USER") (cases '()))
    (dolist (forms (stretches-of-one-readtable scan))
      (let ((case (most-likely-case forms)))
        (unless (eq case (if cases (cdr (first cases)) :upcase))
          (push (cons (first (first forms)) case) cases))))
    cases))

(defun stretches-of-one-readtable (scan)
  "The toplevel forms of SCAN in lists, each from a form that may change the readtable to the next: lists of a form's
start, its end and the package that it is read in."
  (let ((stretches '()) (forms '()))
    (loop for start across (scan-toplevel-starts scan)
          for end across (scan-toplevel-ends scan)
          do (enter-package start)
             (push (list start end *in-package*) forms)
             (when (may-change-readtable-p start end)
               (push (reverse forms) stretches)
               (setf forms '())))
    (reverse (if forms (cons (reverse forms) stretches) stretches))))

(defun enter-package (start)
  "As NOTE-PACKAGE, in whatever case the form at START names a package that exists."
  (let ((before *in-package*))
    (dolist (case *cases-tried*)
      (let ((*cases* (list (cons 0 case))))
        (handler-case (note-package start)
          (scan-error () nil)))
      (when (find-package *in-package*) (return))
      (setf *in-package* before))))

(defun may-change-readtable-p (start end)
  "True when the toplevel form between START and END speaks of readtables, and does not only define something."
  (and (search "readtable" *text* :start2 start :end2 end :test #'char-equal)
       (not (string-equal "(def" *text* :start2 start :end2 (min end (+ start 4))))))

(defun most-likely-case (forms)
  "The case in which most tokens in FORMS name symbols that exist."
  (if (notany #'telling-p forms)
      :upcase
      (let ((tokens (make-hash-table :test 'equal)))
        (loop for (start end package) in forms
              do (map-tokens (lambda (from to)
                               (unless (uninterned-p from)
                                 (setf (gethash (cons package (subseq *text* from to)) tokens) (cons from to))))
                             start end))
        (first (stable-sort (copy-list *cases-tried*) #'> :key (lambda (case) (named-in-case tokens case)))))))

(defun telling-p (form)
  "True when a token in FORM has a letter in upper case."
  (destructuring-bind (start end package) form
    (declare (ignore package))
    (map-tokens (lambda (from to)
                  (when (and (not (uninterned-p from))
                             (find-if #'upper-case-p *text* :start from :end to))
                    (return-from telling-p t)))
                start end)))

(defun uninterned-p (position)
  "True when the token at POSITION is that of an uninterned symbol."
  (and (>= position 2)
       (string= "#:" *text* :start2 (- position 2) :end2 position)))

(defun named-in-case (tokens case)
  "How many of TOKENS name symbols that exist when they are read in CASE."
  (let ((*cases* (list (cons 0 case))))
    (loop for (package) being each hash-key of tokens using (hash-value (from . to))
          count (nth-value 1 (token-symbol (token-string from to) package)))))
