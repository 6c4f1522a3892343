;;;; Scan a whole file: its toplevel forms, compared with those that the compiler saw.

(in-package "OBLIST")

(defun note-package (start)
  "Remember the package when the toplevel form at START is an IN-PACKAGE."
  (when (eql (char-at start) #\()
    (let* ((operator (skip-blank (1+ start)))
           (end (token-end operator)))
      (when (in-package-p (token-string operator end))
        (let ((name (designated-name (skip-blank end))))
          (when name (setf *in-package* name)))))))

(defun in-package-p (token)
  "True when TOKEN, an operator, is CL:IN-PACKAGE: by the symbol, and by its name where the package does not exist."
  (and (string= (nth-value 1 (split-token token)) "IN-PACKAGE")
       (multiple-value-bind (symbol status) (token-symbol token *in-package*)
         (or (eq symbol 'in-package)
             (and (null status) (null (find-package *in-package*)))))))

(defun designated-name (position)
  "The name that the string or symbol at POSITION designates, or NIL."
  (case (char-at position)
    (#\" (string-at position))
    (t (let* ((start (if (eql (char-at position) #\#) (+ position 2) position))
              (end (token-end start)))
         (and (< start end)
              (nth-value 1 (split-token (token-string start end))))))))

(defun scan-toplevel-form (position flipped)
  "Scan the toplevel form after POSITION into *SCAN*; return its start and end, or NIL at the end of the text.
FLIPPED is the number of the reader conditional to decide the other way, or NIL."
  (let ((first (fill-pointer (scan-starts *scan*)))
        (*sites* '()) (*values-met* '()) (*flipped* flipped) (*conditionals* 0))
    (let ((start (skip-blank position)))
      (when (char-at start)
        (when (eql (char-at start) #\))
          (return-from scan-toplevel-form (scan-toplevel-form (1+ start) flipped)))
        (let ((end (scan-object start t 0)))
          (when flipped
            (push (list (fill-pointer (scan-firsts *scan*)) position flipped) (scan-flips *scan*)))
          (vector-push-extend start (scan-toplevel-starts *scan*))
          (vector-push-extend end (scan-toplevel-ends *scan*))
          (vector-push-extend first (scan-firsts *scan*))
          (vector-push-extend (- (if *sites*
                                     (site-number (first (last *sites*)))
                                     (fill-pointer (scan-starts *scan*)))
                                 first)
                              (scan-trusted *scan*))
          (note-sites first)
          (note-package start)
          (values start end))))))

(defun note-sites (first)
  "Keep the sites of the toplevel form that was scanned last, whose form 0 is at FIRST."
  (when *sites*
    (dolist (site *sites*) (decf (site-number site) first))
    (push (make-doubtful (1- (fill-pointer (scan-firsts *scan*))) *in-package* (reverse *sites*))
          (scan-doubtful *scan*))))

(defun forget-toplevel-form ()
  "Remove the toplevel form that was scanned last."
  (let ((first (vector-pop (scan-firsts *scan*))))
    (when (eql (first (first (scan-flips *scan*))) (fill-pointer (scan-firsts *scan*)))
      (pop (scan-flips *scan*)))
    (when (and (scan-doubtful *scan*)
               (= (doubtful-toplevel-form (first (scan-doubtful *scan*)))
                  (fill-pointer (scan-firsts *scan*))))
      (pop (scan-doubtful *scan*)))
    (vector-pop (scan-toplevel-starts *scan*))
    (vector-pop (scan-toplevel-ends *scan*))
    (vector-pop (scan-trusted *scan*))
    (setf (fill-pointer (scan-starts *scan*)) first
          (fill-pointer (scan-ends *scan*)) first)))

(defconstant +most-flips+ 8)

(defun attempt-form (position flipped)
  "Like SCAN-TOPLEVEL-FORM, but returns only the end, or NIL when the text is not a form."
  (handler-case (nth-value 1 (scan-toplevel-form position flipped))
    (scan-error () nil)))

(defun find-form-ending-at (expected position)
  "Scan the toplevel form after POSITION that ends at EXPECTED; return true if there is one.
The image may lack features that its build had.  So each reader conditional is tried the other way, then
forms before the expected one are taken to be excluded."
  (loop for flipped below +most-flips+
        for end = (attempt-form position flipped)
        do (cond ((eql end expected) (return-from find-form-ending-at t))
                 (end (forget-toplevel-form))))
  (loop
    (let ((end (attempt-form position nil)))
      (cond ((eql end expected) (return t))
            ((null end) (return nil)))
      (forget-toplevel-form)
      (when (> end expected) (return nil))
      (setf position end))))

(defun attempt-doubtful-form (position)
  "The end of the form after POSITION that is there only if a conditional on a feature computed at read
time (#+#.(..)) is decided the other way; else NIL.  No number in such a form is certain."
  (when (doubtful-blank-p position)
    (loop for flipped below +most-flips+
          thereis (attempt-form position flipped))))

(defun doubtful-blank-p (position)
  "True when text after POSITION is excluded by a feature expression whose value cannot be known."
  (let ((*sites* '()) (*flipped* nil) (*conditionals* 0))
    (handler-case (skip-blank position)
      (scan-error () nil))
    *sites*))

(defun scan-expected-form (position expected)
  "Scan the toplevel form after POSITION, which should end at EXPECTED (NIL: anywhere).
Return its end, and true if it ends elsewhere: then none of its form numbers is trusted."
  (let ((end (attempt-form position nil)))
    (cond ((or (null expected) (eql end expected)) end)
          (t
           (when end (forget-toplevel-form))
           (cond ((find-form-ending-at expected position) expected)
                 ((setf end (attempt-form position nil))
                  (let ((trusted (scan-trusted *scan*)))
                    (setf (aref trusted (1- (fill-pointer trusted))) 0))
                  (values end t))
                 (t
                  (note-unreadable-form position expected)
                  (values expected t)))))))

(defun note-unreadable-form (position end)
  "Note the toplevel form between POSITION and END, without any of its forms."
  (vector-push-extend (min end (skip-blank position)) (scan-toplevel-starts *scan*))
  (vector-push-extend end (scan-toplevel-ends *scan*))
  (vector-push-extend (fill-pointer (scan-starts *scan*)) (scan-firsts *scan*))
  (vector-push-extend 0 (scan-trusted *scan*)))

(defun scan-forms (text expected-ends)
  "Scan TEXT; return a new SCAN, and the number of forms that did not end where they were expected to."
  (let ((*scan* (make-scan :source text :lines (line-starts text) :cases *cases*))
        (*text* text) (*in-package* "COMMON-LISP-USER")
        (position 0) (surprises 0))
    (loop
      (let ((expected (pop expected-ends)))
        (multiple-value-bind (end surprise) (scan-expected-form position expected)
          (when (null end) (setf end (attempt-doubtful-form position)))
          (when (or (null end) (>= end (length text)))
            (return (values *scan* surprises)))
          (when surprise (incf surprises))
          (setf position (if (and surprise expected (> expected end)) expected end)))))))

(defun scan-text (text expected-ends)
  "Scan TEXT.  EXPECTED-ENDS is the list of the ends of its toplevel forms as the compiler saw them,
perhaps empty or too short.  The list keeps one odd form from spoiling the rest.  If many ends are wrong, they
are those of another file and are ignored."
  (multiple-value-bind (scan surprises) (scan-forms text expected-ends)
    (if (> (* 4 surprises) (length expected-ends))
        (values (scan-forms text '()))
        scan)))

(defun line-starts (text)
  "The offsets at which the lines of TEXT begin."
  (declare (type (simple-array character (*)) text) (optimize speed))
  (let ((starts (make-offsets)))
    (vector-push-extend 0 starts)
    (loop for i of-type fixnum from 0 below (length text)
          when (char= (schar text i) #\Newline)
            do (vector-push-extend (1+ i) starts))
    starts))
