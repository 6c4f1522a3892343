;;;; Scan the objects in a text: find the end of each, and number the forms in it.
;;;;
;;;; NUMBERED is true where the compiler numbers forms; DEPTH is the depth of nesting.

(in-package "OBLIST")

(defun begin-form (position)
  "Number the form at POSITION; return its index in the vectors."
  (vector-push-extend 0 (scan-ends *scan*))
  (vector-push-extend position (scan-starts *scan*)))

(defun end-form (place position)
  (setf (aref (scan-ends *scan*) place) position))

(defun scan-object (position numbered depth)
  "The end of the object at POSITION, which is not a blank."
  (declare (type fixnum position depth))
  (let ((char (char-at position)))
    (case char
      ((nil) (missing position))
      (#\( (scan-list position numbered depth))
      (#\) (missing position))
      (#\" (scan-string position))
      (#\' (scan-wrapped position 1 (and numbered :quote) depth))
      (#\` (scan-wrapped position 1 numbered depth))
      (#\, (scan-comma position numbered depth))
      (#\# (scan-dispatch position numbered depth))
      ((#\[ #\{) (scan-bracket position))
      (t (let ((end (token-end position)))
           (if (= end position) (1+ position) end))))))

(defun scan-bracket (position)
  "Scan the token that begins with the bracket at POSITION.  Unless it names a symbol, the bracket is a macro
character of the file's own readtable: what it makes of the objects up to the closing one cannot be known."
  (let ((end (token-end position)))
    (unless (nth-value 1 (token-symbol (token-string position end) *in-package*))
      (doubt nil))
    end))

(defun scan-next (position numbered depth)
  "The end of the object that follows POSITION."
  (scan-object (skip-blank position) numbered depth))

(defun scan-string (position)
  (declare (type fixnum position) (optimize speed))
  (loop
    (incf position)
    (case (char-at position)
      ((nil) (missing position))
      (#\\ (incf position))
      (#\" (return (1+ position))))))

(defun too-deep-p (depth)
  (and *numbers-quoted-lists* (>= depth +deepest-number+)))

(defun scan-wrapped (position prefix numbered depth)
  "'X, `X and #'X are lists of two: (QUOTE X), (QUASIQUOTE X), (FUNCTION X)."
  (let* ((inside (cond ((too-deep-p depth) nil)
                       ((eq numbered :quote) *numbers-quoted-lists*)
                       (t numbered)))
         (place (and numbered (begin-form position)))
         (end (scan-next (+ position prefix) inside (1+ depth))))
    (when place (end-form place end))
    end))

(defun comma-length (position)
  (if (member (char-at (1+ position)) '(#\@ #\.)) 2 1))

(defun scan-comma (position numbered depth)
  "Scan a comma: the older compiler does not see it; to the newer compiler it is a list of two."
  (if *numbers-quoted-lists*
      (scan-wrapped position (comma-length position) numbered depth)
      (scan-next (+ position (comma-length position)) numbered depth)))

(defun scan-tail (position numbered depth)
  "Scan the object after a consing dot: its elements belong to the list around it, so it has no number."
  (let ((prefix (case (char-at position)
                  ((#\' #\`) 1)
                  (#\, (comma-length position))
                  (#\# (if (eql (char-at (1+ position)) #\') 2 0))
                  (t 0))))
    (cond ((eql (char-at position) #\()
           (scan-elements (1+ position) numbered depth))
          ((and numbered *numbers-quoted-lists*)
           (scan-next (+ position prefix) numbered depth))
          (t (scan-object position nil depth)))))

(defun scan-list (position numbered depth)
  (let* ((place (and numbered (begin-form position)))
         (inside (and numbered (not (too-deep-p depth)))))
    (multiple-value-bind (end elements) (scan-elements (1+ position) inside (1+ depth))
      (cond ((null place))
            ((zerop elements)           ; NIL, an atom
             (decf (fill-pointer (scan-starts *scan*)))
             (decf (fill-pointer (scan-ends *scan*))))
            (t (end-form place end)))
      end)))

(defun scan-elements (position numbered depth)
  "Scan the elements of a list up to its closing parenthesis; return its end and the number of elements.
After the symbol QUOTE the older compiler numbers nothing more in the list."
  (declare (type fixnum position depth))
  (let ((elements 0))
    (declare (type fixnum elements))
    (loop
      (setf position (skip-blank position))
      (let ((char (char-at position)))
        (cond ((null char) (missing position))
              ((eql char #\)) (return (values (1+ position) elements)))
              ((and (eql char #\.) (delimiter-p (char-at (1+ position))))
               (setf position (scan-tail (skip-blank (1+ position)) numbered depth)))
              (t
               (let ((end (scan-object position numbered depth)))
                 (when (and numbered (not *numbers-quoted-lists*)
                            (= (- end position) 5)
                            (string-equal *text* "quote" :start1 position :end1 end))
                   (setf numbered nil))
                 (setf position end)
                 (incf elements))))))))

(defun scan-dispatch (position numbered depth)
  "The end of the object that begins with # at POSITION."
  (let* ((letter (or (position-if-not #'digit-char-p *text* :start (1+ position))
                     (missing position)))
         (next (1+ letter)))
    (case (char-downcase (schar *text* letter))
      (#\' (scan-wrapped position (- next position) numbered depth))
      (#\( (values (scan-elements next nil depth)))
      (#\\ (token-end (1+ next)))
      ;; A rune in closure-common's readtable: #/x, or escaped: #/\x.
      (#\/ (token-end (if (eql (char-at next) #\\) (+ next 2) (1+ next))))
      (#\. (scan-read-time next numbered depth))
      (#\: (token-end next))
      ((#\* #\b #\o #\x #\r) (token-end next))
      ((#\p #\s #\c #\a) (scan-next next nil depth))
      (#\= (scan-next next numbered depth))
      (#\# (scan-again position next numbered))
      (#\" (scan-string letter))        ; not standard syntax, but a string in all libraries that use it
      (t (scan-unknown position next depth)))))

(defun scan-again (start end numbered)
  "Scan #N#.  The older compiler gives an object that occurs again no number; the newer one may."
  (when (and numbered *numbers-quoted-lists*)
    (setf (site-end (doubt start)) end))
  end)

(defun scan-unknown (start position depth)
  "Scan the object at START, of a dispatching macro that is not known, with its argument at POSITION if any."
  (let ((site (doubt start))
        (here (skip-blank position)))
    (setf (site-end site)
          (if (member (char-at here) '(nil #\)))
              here
              (scan-object here nil depth)))))

(defun scan-read-time (position numbered depth)
  "Scan #.X.  If X yields a list, number its forms: where they are in the text if X quotes them, else all at X."
  (let* ((here (skip-blank position))
         (end (scan-object here nil 0)))
    (when numbered
      (multiple-value-bind (kind value) (read-time-value here)
        (case kind
          (:atom)
          (:object (when (consp value) (number-value value here end)))
          (:text (scan-object value numbered depth))
          (t (setf (site-end (doubt (- position 2))) end)))))
    end))

(defun number-value (value start end)
  "Number the forms of VALUE, a list read at START; a list that occurs again is not numbered again."
  (unless (member value *values-met* :test #'eq)
    (push value *values-met*)
    (loop repeat (length (sb-di:form-number-translations value 0))
          do (end-form (begin-form start) end))))
