;;;; Scan source text: find every toplevel form and every form in it.
;;;;
;;;; For a definition or a use, SBCL records only the file, the number of the toplevel form, and the number
;;;; of the form within it (depth first, as the compiler numbers conses).  This scanner finds all forms of a
;;;; file and numbers them in the same way, without the Lisp reader: it interns nothing, evaluates
;;;; nothing, and does not need the packages of the file.
;;;;
;;;; The rules for the numbers are in SB-C::SUB-FIND-SOURCE-PATHS (src/compiler/ir1tran.lisp) and
;;;; SB-DI:FORM-NUMBER-TRANSLATIONS (src/code/debug-int.lisp).  They changed in 2.5.11.

(in-package "OBLIST")

(defparameter *numbers-quoted-lists*
  (> (length (sb-di:form-number-translations '((quote (1))) 0)) 2)
  "True if the compiler numbers commas and lists inside QUOTE (2.5.11 and later).")

(defconstant +deepest-number+ 100
  "The depth down to which the newer compiler numbers forms (lp#654289).")

(deftype offsets () '(and (vector (unsigned-byte 32)) (not simple-array)))

(defun make-offsets ()
  (make-array 256 :element-type '(unsigned-byte 32) :adjustable t :fill-pointer 0))

(defstruct (scan (:conc-name scan-))
  "The forms in one file.  A form is an interval of character offsets, end exclusive."
  (source (coerce "" (quote (simple-array character (*)))) :type (simple-array character (*)))
  (crc32 nil)                           ; of the octets of the file
  (lines nil)                           ; offsets at which lines begin
  (cases '() :type list)                ; the value of *CASES*
  ;; All numbered forms of all toplevel forms, in order.
  (starts (make-offsets) :type offsets)
  (ends (make-offsets) :type offsets)
  ;; For each toplevel form: its interval, and the place of its form 0 in STARTS and ENDS.
  (toplevel-starts (make-offsets) :type offsets)
  (toplevel-ends (make-offsets) :type offsets)
  (firsts (make-offsets) :type offsets)
  ;; For each toplevel form: how many of its form numbers can be trusted.
  (trusted (make-offsets) :type offsets)
  ;; The toplevel forms with sites, newest first.
  (doubtful '() :type list)
  ;; Of toplevel forms with a reader conditional that is decided the other way: lists of the number of the
  ;; toplevel form, the position from which conditionals count, and the number of that conditional.
  (flips '() :type list)
  ;; The occurrences in the text, in order, once they have been looked for.
  (occurrences #() :type simple-vector)
  (walked nil)                          ; true once they have been
  (by-symbol (make-hash-table :test 'eq))
  (operators (make-hash-table))         ; in lower case, by the starts of their forms
  (renamings '() :type list)
  (unread '() :type list)
  (local-macros '() :type list))        ; the starts of the names of local macros in the forms that they expand

(defstruct (site (:constructor make-site (number start)))
  "A place in a toplevel form whose forms cannot be counted: all later numbers are higher by an unknown amount."
  (number 0 :type fixnum)               ; of the first form after it, if it has none itself
  (start nil)                           ; of its text, or NIL when it may have fewer forms than in the text
  (end nil))

(defstruct (doubtful (:constructor make-doubtful (toplevel-form package sites)) (:predicate nil))
  "A toplevel form with sites, in order; shifts.lisp finds the rest."
  (toplevel-form 0 :type fixnum)
  package                               ; the name of the package that it is read in
  (sites '() :type list)
  (anchors '() :type list)
  (stretches '() :type list))

(define-condition scan-error (error)
  ((offset :initarg :offset :reader scan-error-offset))
  (:report (lambda (condition stream)
             (format stream "The text ends, or a parenthesis is missing, at character ~D."
                     (scan-error-offset condition)))))

;;; The state of one scan, bound by SCAN-TEXT.

(defvar *scan* (make-scan)
  "The scan that collects forms.  Functions that skip a form outside SCAN-TEXT, as after a reader
conditional, collect it in this default scan, which is never read.")
(defvar *text*)
(defvar *in-package* "COMMON-LISP-USER"
  "The name of the package that the current toplevel form is read in.")
(defvar *sites* '()
  "The sites of the current toplevel form, newest first.")
(defvar *values-met* '()
  "The values of #. met so far in the current toplevel form: the compiler numbers each list only once.")
(defvar *conditionals* 0
  "The number of reader conditionals in the current toplevel form so far.")
(defvar *flipped* nil
  "The number of the reader conditional to decide the other way, or NIL.")
(defvar *note-computed-feature* (constantly nil)
  "A function called with the position of each feature expression that is computed at read time: #.FORM.")
(defvar *cases* '()
  "Where the case in which tokens of the text are read changes from :UPCASE: conses of a start and a READTABLE-CASE, the
last first.")
(declaim (type (simple-array character (*)) *text*))

(declaim (inline char-at))
(defun char-at (position)
  "The character at POSITION, or NIL at the end of the text."
  (declare (type fixnum position))
  (and (< position (length *text*)) (schar *text* position)))

(defun missing (position)
  (error 'scan-error :offset position))

(declaim (inline space-p delimiter-p))
(defun space-p (char)
  (case char ((#\Space #\Newline #\Tab #\Return #\Page #\Backspace) t)))
(defun delimiter-p (char)
  (case char
    ((nil #\Space #\Newline #\Tab #\Return #\Page #\Backspace
      #\( #\) #\" #\' #\; #\` #\,)
     t)))

(defun doubt (start)
  "Note that from here on the numbers of the current toplevel form may be wrong: return a new site.
START is where the text of the forms that cannot be counted begins, NIL if there may be fewer than in the text."
  (first (push (make-site (fill-pointer (scan-starts *scan*)) start) *sites*)))

;;; Text between forms: spaces, comments, and objects that reader conditionals exclude

(defun skip-line (position)
  (declare (type fixnum position) (optimize speed))
  (or (position #\Newline *text* :start position) (length *text*)))

(defun skip-block-comment (position)
  "The end of the block comment whose #| is at POSITION."
  (declare (type fixnum position) (optimize speed))
  (let ((depth 0))
    (declare (type fixnum depth))
    (loop
      (let ((char (char-at position)) (next (char-at (1+ position))))
        (cond ((null char) (missing position))
              ((and (eql char #\#) (eql next #\|)) (incf depth) (incf position 2))
              ((and (eql char #\|) (eql next #\#))
               (incf position 2)
               (when (zerop (decf depth)) (return position)))
              (t (incf position)))))))

(defun skip-blank (position)
  "The position of the next object or closing parenthesis, or of the end of the text."
  (declare (type fixnum position) (optimize speed))
  (loop
    (let ((char (char-at position)))
      (cond ((null char) (return position))
            ((space-p char) (incf position))
            ((eql char #\;) (setf position (skip-line position)))
            ((not (eql char #\#)) (return position))
            (t
             (case (char-at (1+ position))
               (#\| (setf position (skip-block-comment position)))
               ((#\+ #\-) (setf position (skip-conditional position)))
               (t (return position))))))))

(defun skip-conditional (position)
  "The position after #+FEATURE or #-FEATURE at POSITION, and after the object that it excludes, if any."
  (let ((wanted (eql (char-at (1+ position)) #\+)))
    (multiple-value-bind (holds end) (scan-feature (skip-blank (+ position 2)))
      (when (eql *flipped* (1- (incf *conditionals*))) (setf holds (not holds)))
      (if (eq (and holds t) wanted)
          end
          (let ((next (skip-blank end)))
            (if (char-at next) (scan-object next nil 0) next))))))

;;; Tokens

(defun token-end (position)
  "The end of the token at POSITION."
  (declare (type fixnum position) (optimize speed))
  (loop with piped = nil
        for char = (char-at position)
        do (cond ((null char) (if piped (missing position) (return position)))
                 ((eql char #\\) (incf position))
                 ((eql char #\|) (setf piped (not piped)))
                 ((and (not piped) (delimiter-p char)) (return position)))
           (incf position)))

(defun plain-token-p (start end)
  "True when the reader only upcases the token between START and END, character by character: it is ASCII without
escapes."
  (declare (type fixnum start end) (optimize speed))
  (and (null *cases*)
       (loop for position of-type fixnum from start below end
             for char = (schar *text* position)
             never (or (char= char #\\) (char= char #\|) (> (char-code char) 127)))))

(declaim (inline upcased))
(defun upcased (char)
  "CHAR, an ASCII character, as the reader upcases it."
  (if (char<= #\a char #\z) (code-char (- (char-code char) 32)) char))

(defparameter *escaped-colon* (code-char #xFFFF)
  "Stands in for a colon that is part of a name, in the string of a token.  Unicode reserves it: no text has it.")

(defun token-string (start end)
  "The token between START and END as the reader reads it: upcased, without pipes, escaped colons marked."
  (declare (type fixnum start end) (optimize speed))
  (if (plain-token-p start end)
      (let ((token (make-string (- end start))))
        (loop for position of-type fixnum from start below end
              for place of-type fixnum from 0
              do (setf (schar token place) (upcased (schar *text* position))))
        token)
      (odd-token-string start end)))

(defun odd-token-string (start end)
  "Do as TOKEN-STRING for any token, in the case of the readtable there."
  (let ((case (or (cdr (find start *cases* :key #'car :test #'>=)) :upcase))
        (rest (token-stretches start end)))
    (with-output-to-string (out)
      (loop while rest
            do (let ((colons (position :colons rest :key #'cdr)))
                 (write-part (subseq rest 0 colons) case out)
                 (setf rest (and colons (nthcdr colons rest)))
                 (when rest
                   (write-string (car (pop rest)) out)))))))

(defun write-part (stretches case out)
  "Write the name of a package or symbol, STRETCHES of a token, as it is read in CASE: what is not escaped is brought
into Unicode's form NFKC first."
  (let* ((texts (loop for (text . escaped) in stretches
                      collect (cons (if escaped text (normalized text)) escaped)))
         (change (case-change case (loop for (text . escaped) in texts
                                         unless escaped collect text))))
    (loop for (text . escaped) in texts
          do (write-string (substitute *escaped-colon* #\: (if escaped text (funcall change text))) out))))

(defun case-change (case texts)
  "The function that changes each of TEXTS, what is not escaped in a name, when it is read in CASE (CLHS 23.1.2)."
  (flet ((all-p (test)
           (every (lambda (text)
                    (every (lambda (char) (or (not (both-case-p char)) (funcall test char))) text))
                  texts)))
    (ecase case
      (:upcase #'string-upcase)
      (:downcase #'string-downcase)
      (:preserve #'identity)
      (:invert (cond ((all-p #'upper-case-p) #'string-downcase)
                     ((all-p #'lower-case-p) #'string-upcase)
                     (t #'identity))))))

(defun normalized (text)
  "TEXT in Unicode's form NFKC, into which the reader brings it."
  (if (every (lambda (char) (< (char-code char) 128)) text)
      text
      (sb-unicode:normalize-string text :nfkc)))

(defun token-stretches (start end)
  "The pieces of the token between START and END, without pipes and backslashes: conses of a string, and true when it is
escaped, or :COLONS."
  (let ((stretches '()) (piped nil) (position start) (out (make-string-output-stream)) (kind nil))
    (flet ((change (now)
             (unless (eq now kind)
               (push (cons (get-output-stream-string out) kind) stretches)
               (setf kind now))))
      (loop while (< position end)
            do (let ((char (schar *text* position)))
                 (case char
                   (#\| (setf piped (not piped)))
                   (#\\ (incf position)
                    (when (< position end)
                      (change t)
                      (write-char (schar *text* position) out)))
                   (t (change (cond (piped t) ((char= char #\:) :colons)))
                    (write-char char out))))
               (incf position))
      (push (cons (get-output-stream-string out) kind) stretches))
    (nreverse stretches)))

(defun map-tokens (function start end)
  "Call FUNCTION with the start and end of each token in the text between START and END, even if that is not in
standard syntax."
  (let ((position start))
    (loop
      (setf position (handler-case (skip-blank position)
                       (scan-error () end)))
      (when (>= position end) (return))
      (let ((char (char-at position)))
        (setf position
              (handler-case
                  (cond ((eql char #\") (scan-string position))
                        ((and (eql char #\#) (eql (char-at (1+ position)) #\\)) (token-end (+ position 3)))
                        ((delimiter-p char) (1+ position))
                        ((eql char #\#) (+ position 2))
                        (t (let ((token-end (token-end position)))
                             (funcall function position token-end)
                             token-end)))
                (scan-error () end)))))))

(defun with-colons (token)
  "TOKEN, a part of the string of a token, as the name that it is."
  (if (find *escaped-colon* token)
      (substitute #\: *escaped-colon* token)
      token))

(defun split-token (token)
  "The package and the symbol name in TOKEN; the package is NIL when there is none."
  (let ((colon (position #\: token)))
    (if colon
        (values (with-colons (subseq token 0 colon))
                (with-colons (subseq token (or (position #\: token :start colon :test #'char/=)
                                               (length token)))))
        (values nil (with-colons token)))))

(defun token-symbol (token default)
  "The existing symbol that TOKEN names, or NIL; DEFAULT names its package."
  (multiple-value-bind (package name) (split-token token)
    (let ((package (find-package (cond ((null package) default)
                                       ((string= package "") "KEYWORD")
                                       ;; The name of COMMON-LISP in SBCL's sources while they are built.
                                       ((string= package "SB-XC") "COMMON-LISP")
                                       (t package)))))
      (and package (find-symbol name package)))))

(defun string-at (position)
  "The string that the text at POSITION, which begins with a double quote, denotes."
  (let ((text (subseq *text* (1+ position) (1- (scan-string position)))))
    (if (find #\\ text)
        (with-output-to-string (out)
          (loop with escaped = nil
                for char across text
                do (cond ((and (char= char #\\) (not escaped)) (setf escaped t))
                         (t (write-char char out) (setf escaped nil)))))
        text)))

;;; Features (CLHS 24.1.2.1)

(defun all-features ()
  "The features that held when the image's sources were compiled; the last two are those of SBCL's own build,
which the image no longer tells."
  (append *baseline-features* (internal-features) '(:sb-xc :os-provides-poll)))

(defun computed-feature-p (position)
  "Whether the feature expression #.FORM at POSITION holds, as far as the text and the image tell."
  (multiple-value-bind (kind value)
      (and (eql (char-at (1+ position)) #\.)
           (read-time-value (skip-blank (+ position 2))))
    (case kind
      (:text (values (scan-feature value)))
      (:object (and (symbolp value) (member value (all-features))))
      (t (doubt nil)
         nil))))

(defun scan-feature (position)
  "Whether the feature expression at POSITION holds, and its end."
  (let ((char (char-at position)))
    (cond ((null char) (missing position))
          ((eql char #\() (scan-feature-list position))
          ((eql char #\#)
           (funcall *note-computed-feature* position)
           (values (computed-feature-p position) (scan-object position nil 0)))
          (t
           (let ((end (token-end position)))
             (when (= end position) (missing position))
             (let ((symbol (token-symbol (token-string position end) "KEYWORD")))
               (values (and symbol (member symbol (all-features))) end)))))))

(defun scan-feature-list (position)
  (let* ((start (skip-blank (1+ position)))
         (end (token-end start))
         (operator (token-string start end))
         (results '()))
    (setf position (skip-blank end))
    (loop until (eql (char-at position) #\))
          do (multiple-value-bind (holds next) (scan-feature position)
               (push holds results)
               (setf position (skip-blank next))))
    (values (cond ((search "AND" operator) (every #'identity results))
                  ((search "NOT" operator) (notany #'identity results))
                  (t (some #'identity results)))
            (1+ position))))
