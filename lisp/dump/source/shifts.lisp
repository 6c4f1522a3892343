;;;; Shifts: the forms with the numbers that SBCL recorded after a site, a place whose forms cannot be counted.
;;;;
;;;; Between two sites all numbers are too low by the same amount, the shift.  A definition whose name is in the
;;;; text, an anchor, tells it: its form has one number in the text and another in SBCL's records.  A shift is
;;;; taken only if all anchors between the sites agree on it, and at least two of them or one and the form's own text.

(in-package "OBLIST")

(defstruct (stretch (:constructor make-stretch (site low high shift anchors)))
  "The forms after SITE up to the next: their numbers in the text, and their shift or NIL."
  site
  (low 0 :type fixnum)
  (high 0 :type fixnum)
  (shift nil)
  (anchors 0 :type fixnum))             ; how many agree on it

(defun doubtful-at (scan toplevel-form)
  "The sites of the toplevel form with all that is known about them, or NIL when it has none."
  (find toplevel-form (scan-doubtful scan) :key #'doubtful-toplevel-form))

(defun doubtful-interval (scan toplevel-form number name alone namestring)
  "The start and end of the form NUMBER that defines NAME, though there is a site before it in the toplevel form of
the file NAMESTRING; NIL when it is not certain.  ALONE: there is no other definition of its kind and name there."
  (let ((doubtful (doubtful-at scan toplevel-form)))
    (when (and doubtful number)
      (let* ((*text* (scan-source scan)) (*cases* (scan-cases scan)) (*in-package* (doubtful-package doubtful))
             (*package* (or (find-package *in-package*) *package*))) ; whose local nicknames are meant
        (learn-shifts scan doubtful namestring)
        (let ((form (or (shifted-form scan doubtful number name)
                        (and alone (form-with-words scan doubtful number name))))
              (first (aref (scan-firsts scan) toplevel-form)))
          (if form
              (values (aref (scan-starts scan) (+ first form)) (aref (scan-ends scan) (+ first form)))
              (site-around doubtful number name)))))))

;;; Anchors

(defun learn-shifts (scan doubtful namestring)
  "Find the anchors and the stretches of DOUBTFUL, a toplevel form of the file NAMESTRING, unless they are known."
  (unless (doubtful-stretches doubtful)
    (let* ((toplevel-form (doubtful-toplevel-form doubtful))
           (count (length (forms-of scan toplevel-form)))
           (anchors (find-anchors scan toplevel-form namestring)))
      (setf (doubtful-anchors doubtful) anchors
            (doubtful-stretches doubtful)
            (loop for (site next) on (doubtful-sites doubtful)
                  for low = (site-number site)
                  for high = (if next (site-number next) count)
                  collect (stretch-between site low high anchors (doubtful-sites doubtful)))))))

(defun stretch-between (site low high anchors sites)
  "The stretch of the forms LOW up to HIGH."
  (let* ((here (remove-if-not (lambda (anchor) (and (<= low (car anchor)) (< (car anchor) high)))
                              anchors))
         (shifts (remove-duplicates (loop for (form . number) in here collect (- number form)))))
    (make-stretch site low high
                  (and shifts
                       (null (rest shifts))
                       ;; Numbers are smaller than in the text only where fewer forms may be there.
                       (or (>= (first shifts) 0) (notevery #'site-start sites))
                       (first shifts))
                  (length here))))

(defparameter *standard-definers*
  '(("DEFUN" "function" "setf-function") ("DEFMACRO" "macro") ("DEFGENERIC" "generic-function")
    ("DEFMETHOD" "method") ("DEFVAR" "variable") ("DEFPARAMETER" "variable") ("DEFCONSTANT" "constant")
    ("DEFCLASS" "class") ("DEFSTRUCT" "structure") ("DEFINE-CONDITION" "condition") ("DEFTYPE" "type")
    ("DEFINE-COMPILER-MACRO" "compiler-macro") ("DEFINE-SYMBOL-MACRO" "symbol-macro")
    ("DEFSETF" "setf-expander") ("DEFINE-SETF-EXPANDER" "setf-expander"))
  "Operators, with the names of the kinds of definitions that they make.")

(defun untrusted-forms (scan toplevel-form)
  "The numbers in the text of the forms after the first site that may make definitions."
  (let ((first (aref (scan-firsts scan) toplevel-form)))
    (remove-if (lambda (form) (< form (aref (scan-trusted scan) toplevel-form)))
               (mapcar (lambda (index) (- index first)) (code-forms-of scan toplevel-form)))))

(defun find-anchors (scan toplevel-form namestring)
  "Conses of a form's number in the text and in SBCL's records, of forms after the first site."
  (let ((trusted (aref (scan-trusted scan) toplevel-form))
        (first (aref (scan-firsts scan) toplevel-form))
        (forms-of-name (make-hash-table :test 'equal))
        (names '()))
    (loop for form in (reverse (untrusted-forms scan toplevel-form))
          for start = (aref (scan-starts scan) (+ first form))
          do (let ((name (defined-name start)))
               (when name
                 (pushnew name names :test #'equal)
                 (push (cons form (operator-name scan start)) (gethash name forms-of-name)))))
    (loop for name in names
          nconc (anchors-of-name (gethash name forms-of-name)
                                 (remove-if (lambda (number) (< number trusted))
                                            (recorded-numbers name namestring toplevel-form)
                                            :key #'cdr)))))

(defun anchors-of-name (forms records)
  "The anchors among FORMS, conses of a number and an operator, that define a name with these RECORDS, conses of a
kind and a number: first those of standard operators, then the rest; each time only if there are as many of
both."
  (let ((anchors '()))
    (flet ((pair (forms records)
             (let ((numbers (remove-duplicates (mapcar #'cdr records))))
               (when (= (length forms) (length numbers))
                 (setf anchors (append anchors (mapcar #'cons (mapcar #'car forms) (sort numbers #'<))))))))
      (loop for (operator . kinds) in *standard-definers*
            for found = (remove operator forms :key #'cdr :test-not #'equal)
            when found
              do (pair found (remove-if-not (lambda (kind) (member kind kinds :test #'string=))
                                            records :key #'car)))
      (pair (remove-if (lambda (operator) (assoc operator *standard-definers* :test #'equal))
                       forms :key #'cdr)
            (remove-if (lambda (number) (rassoc number anchors)) records :key #'cdr)))
    anchors))

(defun defined-name (start)
  "The name that exists in the image, if the form at START is (DEF.. NAME ..) of one; else NIL."
  (multiple-value-bind (place accessor) (defined-place start)
    (when (and place (char-at place) (not (delimiter-p (char-at place))))
      (multiple-value-bind (symbol found)
          (token-symbol (token-string place (token-end place)) *in-package*)
        (cond ((not (and found symbol)) nil)
              ((null accessor) symbol)
              (t (list (if (string= accessor "CAS") 'sb-ext:cas 'setf) symbol)))))))

(defun recorded-numbers (name namestring toplevel-form)
  "Conses of kind and form number of all definitions of NAME in the toplevel form of the file NAMESTRING."
  (let ((records '()))
    (flet ((note (kind source)
             (when (and source
                        (eql toplevel-form (first (sb-introspect:definition-source-form-path source)))
                        (equal namestring (namestring (sb-introspect:definition-source-pathname source)))
                        (sb-introspect:definition-source-form-number source))
               (push (cons (kind-name kind) (sb-introspect:definition-source-form-number source))
                     records))))
      (dolist (kind *kinds* records)
        (when (and (kind-source kind) (or (symbolp name) (eq :function (kind-names kind))))
          ;; What goes wrong here is noted when the definition is written.
          (guarding t (dolist (instance (funcall (kind-instances kind) name))
                        (note kind (funcall (kind-source kind) name instance)))
              (condition)
            nil))))))

;;; The form of a recorded number

(defun shifted-form (scan doubtful number name)
  "The number in the text of the form with the recorded NUMBER: the shift of just one stretch leads to a form in
it.  A single anchor is enough only if the form's text names NAME as well."
  (let ((found '()) (anchors 0)
        (first (aref (scan-firsts scan) (doubtful-toplevel-form doubtful))))
    (dolist (stretch (doubtful-stretches doubtful))
      (let ((form (and (stretch-shift stretch) (- number (stretch-shift stretch)))))
        (when (and form (<= (stretch-low stretch) form) (< form (stretch-high stretch)))
          (push form found)
          (setf anchors (stretch-anchors stretch)))))
    (and found
         (null (rest found))
         (or (> anchors 1) (names-words-p (aref (scan-starts scan) (+ first (first found))) name))
         (first found))))

(defun form-with-words (scan doubtful number name)
  "The number in the text of the only DEF... form whose operator and name contain all words of NAME, if it is
not an anchor with another number and comes between the right ones; NIL when there is no such form, or several."
  (let* ((toplevel-form (doubtful-toplevel-form doubtful))
         (first (aref (scan-firsts scan) toplevel-form))
         (anchors (doubtful-anchors doubtful))
         (found (loop for form in (untrusted-forms scan toplevel-form)
                      when (and (member (cdr (assoc form anchors)) (list nil number))
                                (loop for (other . recorded) in anchors
                                      always (eq (< other form) (< recorded number)))
                                (names-words-p (aref (scan-starts scan) (+ first form)) name))
                        collect form)))
    (and found (null (rest found)) (first found))))

(defun names-words-p (start name)
  "True when the form at START is (DEF... NAMED ..), and each word of NAME begins a word of DEF... or NAMED."
  (let ((place (defined-place start)))
    (when place
      (let* ((operator (form-operator start))
             (head (token-string operator (max (token-end place) (token-end operator))))
             (symbol (if (stringp name) name (name-text name))))
        (loop for begin = 0 then (1+ end)
              for end = (position #\- symbol :start (min begin (length symbol)))
              always (begins-word-p (subseq symbol (min begin (length symbol)) end) head)
              while end)))))

(defun begins-word-p (word text)
  "True when WORD is at the beginning of a word in TEXT."
  (loop for place = (search word text) then (search word text :start2 (1+ place))
        while place
          thereis (or (zerop place) (not (alphanumericp (char text (1- place)))))))

(defun site-around (doubtful number name)
  "The start and end of the site that yields the form with the recorded NUMBER, or of the form in its text that
defines NAME; NIL when it is not certain."
  (loop for before = 0 then (stretch-shift stretch)
        for (stretch next) on (doubtful-stretches doubtful)
        for low = (stretch-low stretch)
        when (and before
                  (<= (+ low before) number)
                  (cond ((stretch-shift stretch) (< number (+ low (stretch-shift stretch))))
                        (next nil)
                        (t (= low (stretch-high stretch)))))
          return (let ((start (site-start (stretch-site stretch))) (end (site-end (stretch-site stretch))))
                   (and start (form-in-site start end name)))))

(defun form-in-site (start end name)
  "The start and end of the only form (DEF.. NAME ..) in the text between START and END; START and END if there
is none, or if there are several."
  (let ((places (loop for place = (position #\( *text* :start start :end end)
                        then (position #\( *text* :start (1+ place) :end end)
                      while place
                      when (defines-name-p place name)
                        collect place)))
    (if (and places (null (rest places)))
        (values (first places) (scan-object (first places) nil 0))
        (values start end))))
