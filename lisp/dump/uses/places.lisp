;;;; The places of SBCL's references: each is one with an occurrence, if the text names the callee.

(in-package "OBLIST")

(defvar *unplaced* '()
  "References whose forms do not begin with the callee: lists of the use, the scan, the start and end of the form,
and the name of its operator.")
(defvar *adrift* '()
  "References of which only a wide form is known, or the toplevel form: lists of the use, the scan, and the start and
end of that form.")

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

(defun occurrence-at (scan offset operator)
  "The occurrence at OFFSET, or NIL; of two there, that with the OPERATOR."
  (loop with occurrences = (scan-occurrences scan)
        with first = nil
        for index from (first-occurrence scan offset) below (length occurrences)
        for occurrence = (svref occurrences index)
        while (= (occurrence-offset occurrence) offset)
        do (when (= (occurrence-operator occurrence) operator)
             (return occurrence))
           (unless first (setf first occurrence))
        finally (return first)))

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

(defun place-at (use scan offset &optional (occurrence (occurrence-at scan offset (use-operator use))))
  "Set the place of USE, and make it one with the OCCURRENCE there; return false if that is of another symbol."
  (when (or (null occurrence) (eq (occurrence-symbol occurrence) (use-callee use)))
    (setf (values (use-line use) (use-column use)) (line-of scan offset))
    (cond (occurrence
           (push (claim-of use) (occurrence-claims occurrence))
           (setf (use-length use) (occurrence-length occurrence))
           (unless (= (occurrence-relation occurrence) (use-relation use))
             (setf (use-text-relation use) (occurrence-relation occurrence))))
          (t (let ((*text* (scan-source scan)) (*cases* (scan-cases scan)))
               (setf (use-length use) (- (token-end offset) offset)))))
    t))

(defun place-use (use name scan toplevel-form)
  "Set the place of USE, a use of NAME that SBCL recorded in the TOPLEVEL-FORM of SCAN: exact if the text names
the callee, else the line of the form, and whose expansion it is."
  (multiple-value-bind (start end exact) (form-interval scan toplevel-form (use-form-number use))
    (when start
      (let* ((*text* (scan-source scan)) (*cases* (scan-cases scan))
             (offset (if (< (use-relation use) 2)
                         (and exact (operator-place name start))
                         (use-of-variable-place use name scan toplevel-form start end))))
        (unless (and offset (place-at use scan offset))
          (setf (use-line use) (line-of scan start))
          (when exact
            (setf (use-expansion use) (expanding-operator scan start)))
          ;; Most of what an expansion uses is not named anywhere in the file.
          (when (gethash (use-callee use) (scan-by-symbol scan))
            (if exact
                (push (list use scan start end (form-operator-name scan start)) *unplaced*)
                (push (list use scan start end) *adrift*))))))))

(defun use-of-variable-place (use name scan toplevel-form start end)
  "The position of the variable NAME that is used: where the text has it in the same relation, else the first."
  (let* ((first (variable-place scan toplevel-form (use-form-number use) name start end))
         (there (and first (occurrence-at scan first (use-operator use)))))
    (if (or (null there) (= (occurrence-relation there) (use-relation use)))
        first
        (loop for occurrence in (gethash (use-callee use) (scan-by-symbol scan))
              for offset = (occurrence-offset occurrence)
              while (< offset end)
              when (and (<= start offset)
                        (= (occurrence-relation occurrence) (use-relation use)))
                return offset
              finally (return (and (may-be-code-p there (use-operator use)) first))))))

(defun expanding-operator (scan start)
  "The name of the macro, perhaps a local one, with which the form at START begins, in lower case, or NIL."
  (and (names-macro-p scan start)
       (form-operator-name scan start)))

(defun form-operator-name (scan start)
  "The name of the symbol with which the form at START begins, in lower case, or NIL."
  (multiple-value-bind (name known) (gethash start (scan-operators scan))
    (if known
        name
        (setf (gethash start (scan-operators scan))
              (let ((name (operator-name scan start)))
                (and name (string-downcase name)))))))

(defun names-macro-p (scan start)
  "True when the form at START begins with the name of a macro."
  (let* ((*text* (scan-source scan)) (*cases* (scan-cases scan))
         (begin (form-operator start))
         (occurrence (and begin (occurrence-at scan begin 0))))
    (if occurrence
        (macro-function (occurrence-symbol occurrence))
        (and begin (member begin (scan-local-macros scan))))))

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
    (destructuring-bind (use scan start end operator) entry
      (let* ((*text* (scan-source scan)) (*cases* (scan-cases scan))
             (found (or (and (not (wide-operator-p operator))
                             (find-occurrence scan start end use nil))
                        (occurrence-in-bindings use scan start end))))
        (cond (found
               (place-at use scan (occurrence-offset found) found)
               (setf (use-expansion use) nil))
              ((wide-operator-p operator)
               (push (list use scan start end) *adrift*))))))
  (setf *unplaced* '())
  (mapc #'land (nreverse *adrift*))
  (setf *adrift* '()))

(defun land (entry)
  "Make the reference of ENTRY, from *ADRIFT*, one with an occurrence in the same definition that no other reference has
claimed: one that the text tells alike, if there is one."
  (destructuring-bind (use scan start end) entry
    (flet ((here-p (occurrence)
             (and (<= start (occurrence-offset occurrence))
                  (< (occurrence-offset occurrence) end)
                  (eql (occurrence-caller occurrence) (caller-definition (use-caller use)))
                  (null (occurrence-claims occurrence))
                  (may-be-code-p occurrence (use-operator use))))
           (alike-p (occurrence)
             (= (occurrence-relation occurrence) (use-relation use))))
      (let* ((here (remove-if-not #'here-p (gethash (use-callee use) (scan-by-symbol scan))))
             (found (or (find-if #'alike-p here) (first here))))
        (when found
          (place-at use scan (occurrence-offset found) found)
          (setf (use-expansion use) nil))))))
