;;;; Find the occurrences in a file: walk its toplevel forms, then look for symbols that no walk has met.

(in-package "OBLIST")

(defun toplevel-node (scan toplevel-form)
  "The node of the TOPLEVEL-FORM of SCAN; NIL when the text is not standard syntax."
  (destructuring-bind (&optional position flipped)
      (rest (assoc toplevel-form (scan-flips scan)))
    (let ((*flipped* flipped) (*conditionals* 0))
      (handler-case
          (let ((node (read-node (if position
                                     (skip-blank position)
                                     (aref (scan-toplevel-starts scan) toplevel-form)))))
            (and (= (node-end node) (aref (scan-toplevel-ends scan) toplevel-form))
                 node))
        (scan-error () nil)))))

(defun note-unseen (node)
  "Note as mentions the symbols in NODE that no walk has met."
  (case (node-kind node)
    ((:symbol :keyword) (unless (node-seen node) (note node :mentions)))
    (t (mapc #'note-unseen (node-children node)))))

(defun note-tokens (start end)
  "Note as mentions the symbols in the text between START and END, which is not in standard syntax."
  (push (cons start end) *unread*)
  (map-tokens (lambda (from to)
                (declare (ignore to))
                (note (read-token from) :mentions))
              start end))

(defun know-package (start)
  "As NOTE-PACKAGE: the form at START may say in which package the next ones are read."
  (let ((before *in-package*))
    (note-package start)
    (unless (equal before *in-package*)
      (clrhash *found-symbols*)
      (setf *package* (or (find-package *in-package*) *package*)))))

(defun walk-computed-features (positions)
  "Walk the forms at POSITIONS, of feature expressions that are computed at read time."
  (dolist (position positions)
    (let ((node (read-node position)))
      (walk node)
      (note-unseen node))))

(defun walk-toplevel-form (scan toplevel-form last)
  "Walk the TOPLEVEL-FORM of SCAN and the feature expressions after LAST, where the form before it ends."
  (let ((*toplevel-form* toplevel-form) (*caller* nil) (*caller-form* nil) (features '()))
    (let ((*note-computed-feature* (lambda (position) (pushnew position features))))
      (next-object last)
      (let ((node (toplevel-node scan toplevel-form)))
        (cond (node
               (walk node)
               (note-unseen node))
              (t (note-tokens (aref (scan-toplevel-starts scan) toplevel-form)
                              (aref (scan-toplevel-ends scan) toplevel-form))))))
    (walk-computed-features features)))

(defun first-package (path)
  "The name of the package that the file at PATH is read in until it says otherwise."
  (if (and (equalp (pathname-type path) "asd") (find-package "ASDF-USER"))
      "ASDF-USER"
      "COMMON-LISP-USER"))

(defun next-object (position)
  "The position of the next object after POSITION, or as far as blanks can be told."
  (handler-case (skip-blank position)
    (scan-error () position)))

(defun walk-forms-of-file (scan)
  "Walk all toplevel forms of SCAN, then look for tokens in what follows the last that could be read."
  (let ((last 0))
    (loop for start across (scan-toplevel-starts scan)
          for end across (scan-toplevel-ends scan)
          for toplevel-form from 0
          do (know-package start)
             (walk-toplevel-form scan toplevel-form last)
             (setf last end))
    (let ((rest (next-object last))
          (*toplevel-form* (max 0 (1- (length (scan-toplevel-starts scan))))))
      (when (< rest (length *text*))
        (note-tokens rest (length *text*))))))

(defun occurrence-order (occurrence)
  "The place of OCCURRENCE in the order of the text; of two at one place, the one with an operator comes first."
  (- (* 8 (occurrence-offset occurrence)) (occurrence-operator occurrence)))

(defun file-occurrences (scan file path)
  "Four values: the occurrences in the file at PATH that is numbered FILE, as a vector in the order of the text,
the forms whose bindings rename, the texts that are not in standard syntax, and where forms name local macros."
  (clrhash *found-symbols*)
  (clrhash *absent-symbols*)
  (let* ((*text* (scan-source scan)) (*cases* (scan-cases scan)) (*scan* (make-scan)) (*file* file)
         (*occurrences* '()) (*renamings* '()) (*unread* '()) (*macro-heads* '())
         (*certain* t) (*flipped* nil) (*conditionals* 0) (*sites* '()) (*caller* nil)
         (*in-package* (first-package path))
         ;; Local nicknames are those of the current package.
         (*package* (or (find-package *in-package*) *package*)))
    (walk-forms-of-file scan)
    (values (sort (coerce *occurrences* 'vector) #'< :key #'occurrence-order)
            *renamings*
            (reverse *unread*)
            *macro-heads*)))
