;;;; The places of SBCL's references: each is one with an occurrence, if the text names the callee.

(in-package "OBLIST")

(defvar *unplaced* '()
  "References whose forms do not begin with the callee: lists of the use, the scan, and the start and end of the
form.")

;;; Occurrences by place

(defun first-occurrence (scan offset)
  "The index of the first occurrence in SCAN at OFFSET or after it."
  (let* ((occurrences (scan-occurrences scan))
         (low 0) (high (length occurrences)))
    (loop while (< low high)
          do (let ((middle (ash (+ low high) -1)))
               (if (< (occurrence-offset (svref occurrences middle)) offset)
                   (setf low (1+ middle))
                   (setf high middle))))
    low))

(defun occurrence-at (scan offset)
  "The occurrence at OFFSET, or NIL."
  (let* ((occurrences (scan-occurrences scan))
         (index (first-occurrence scan offset)))
    (when (< index (length occurrences))
      (let ((occurrence (svref occurrences index)))
        (and (= (occurrence-offset occurrence) offset)
             occurrence)))))

(defun find-occurrence (scan start end use share)
  "The first occurrence between START and END that may be that of USE.  With SHARE it may be that of other
uses of the same kind."
  (loop with claim = (claim-of use)
        for occurrence in (gethash (use-callee use) (scan-by-symbol scan))
        for offset = (occurrence-offset occurrence)
        while (< offset end)
        when (and (<= start offset)
                  (may-be-code-p occurrence (use-operator use))
                  (or share (not (member claim (occurrence-claims occurrence) :test #'equal))))
          return occurrence))

(defun may-be-code-p (occurrence operator)
  "True when SBCL may have recorded what is at OCCURRENCE as a use with this OPERATOR."
  (let ((relation (occurrence-relation occurrence)))
    (and (or (< relation (relation-number :specializes))
             (= relation (relation-number :names))
             (= relation (relation-number :mentions)))
         (or (= operator (occurrence-operator occurrence))
             (and (plusp operator)
                  (zerop (occurrence-operator occurrence))
                  (= relation (relation-number :names)))))))

;;; Claims

(defun claim-of (use)
  (cons (use-relation use) (use-operator use)))

(defun place-at (use scan offset &optional (occurrence (occurrence-at scan offset)))
  "Set the place of USE, and make it one with the OCCURRENCE there; return false if that is of another symbol."
  (when (or (null occurrence) (eq (occurrence-symbol occurrence) (use-callee use)))
    (setf (values (use-line use) (use-column use)) (line-of scan offset))
    (cond (occurrence
           (push (claim-of use) (occurrence-claims occurrence))
           (setf (use-length use) (occurrence-length occurrence))
           (unless (= (occurrence-relation occurrence) (use-relation use))
             (setf (use-text-relation use) (occurrence-relation occurrence))))
          (t (let ((*text* (scan-source scan)))
               (setf (use-length use) (- (token-end offset) offset)))))
    t))

(defun place-use (use name scan toplevel-form)
  "Set the place of USE, a use of NAME that SBCL recorded in the TOPLEVEL-FORM of SCAN: exact if the text names
the callee, else the line of the form, and whose expansion it is."
  (multiple-value-bind (start end exact) (form-interval scan toplevel-form (use-form-number use))
    (when start
      (let* ((*text* (scan-source scan))
             (offset (if (< (use-relation use) 2)
                         (and exact (operator-place name start))
                         (use-of-variable-place use name scan toplevel-form start end))))
        (unless (and offset (place-at use scan offset))
          (setf (use-line use) (line-of scan start))
          (when exact
            (setf (use-expansion use) (form-operator-name scan start))
            ;; Most of what an expansion uses is not named anywhere in the file.
            (when (gethash (use-callee use) (scan-by-symbol scan))
              (push (list use scan start end) *unplaced*))))))))

(defun use-of-variable-place (use name scan toplevel-form start end)
  "The position of the variable NAME that is used: where the text has it in the same relation, else the first."
  (let* ((first (variable-place scan toplevel-form (use-form-number use) name start end))
         (there (and first (occurrence-at scan first))))
    (if (or (null there) (= (occurrence-relation there) (use-relation use)))
        first
        (loop for occurrence in (gethash (use-callee use) (scan-by-symbol scan))
              for offset = (occurrence-offset occurrence)
              while (< offset end)
              when (and (<= start offset)
                        (= (occurrence-relation occurrence) (use-relation use)))
                return offset
              finally (return (and (may-be-code-p there (use-operator use)) first))))))

(defun form-operator-name (scan start)
  "The name of the symbol with which the form at START begins, in lower case, or NIL."
  (multiple-value-bind (name known) (gethash start (scan-operators scan))
    (if known
        name
        (setf (gethash start (scan-operators scan))
              (let ((name (operator-name scan start)))
                (and name (string-downcase name)))))))

;;; References in an expansion, whose callee may be named inside the form: #'CALLEE, or a place

(defparameter *wide-operators* '("let" "let*" "lambda" "progn" "locally" "block" "tagbody" "flet" "labels" "macrolet"
                                 "symbol-macrolet" "eval-when" "cond" "named-lambda")
  "Operators of forms that are too wide to look for a name in.")

(defun wide-operator-p (operator)
  (or (null operator)
      (eql 0 (search "def" operator))
      (member operator *wide-operators* :test #'string=)))

(defun occurrence-in-bindings (use scan start end)
  "The occurrence that a form around the one from START to END renames, if USE is of it."
  (loop for (from to first last) in (scan-renamings scan)
        do (when (and (<= from start) (<= end to))
             (let ((found (find-occurrence scan first last use t)))
               (when found (return found))))))

(defun place-the-rest ()
  "Place the references that are left at occurrences in their forms that no other reference has claimed."
  (dolist (entry (nreverse *unplaced*))
    (destructuring-bind (use scan start end) entry
      (let* ((*text* (scan-source scan))
             (found (or (and (not (wide-operator-p (use-expansion use)))
                             (find-occurrence scan start end use nil))
                        (occurrence-in-bindings use scan start end))))
        (when found
          (place-at use scan (occurrence-offset found) found)
          (setf (use-expansion use) nil)))))
  (setf *unplaced* '()))
