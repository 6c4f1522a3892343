;;;; Source positions: from SBCL's records to the line, column and extent of a form.

(in-package "OBLIST")

(defvar *file-numbers* (make-hash-table :test 'equal)
  "The numbers of source files, by the namestring that SBCL records.")

(defvar *file-paths* (make-hash-table)
  "The paths at which programs can open the source files, by number; NIL for a file without one.")

(defvar *scans* (make-hash-table :test 'equal)
  "The scans of source files, by the namestring that SBCL records; NIL for a file that cannot be read.")

(defvar *compiled-sources* nil
  "By namestring: what compiled code knows of its source files.")

(defun compiled-source (namestring)
  "What compiled code knows of the source file NAMESTRING, or NIL."
  (unless *compiled-sources* (setf *compiled-sources* (all-compiled-sources)))
  (values (gethash namestring *compiled-sources*)))

(defun file-number (pathname)
  "The number of the source file PATHNAME; writes the file's record when the file is new."
  (let ((namestring (namestring pathname)))
    (or (gethash namestring *file-numbers*)
        (let* ((number (1+ (hash-table-count *file-numbers*)))
               (path (physical-path pathname))
               ;; The text is read once more for the index, which must not take another than the scanned one.
               (scan (and (not (gethash namestring *base-files*)) (scan-file namestring path))))
          (put-record "file" "id" number "recorded" namestring "path" path "crc32" (and scan (scan-crc32 scan)))
          (setf (gethash number *file-paths*) path)
          (setf (gethash namestring *file-numbers*) number)))))

(defun physical-path (pathname)
  "The path at which a program can open PATHNAME, or NIL when there is none."
  (handler-case (sb-ext:native-namestring (translate-logical-pathname pathname))
    (error () nil)))

(defun decode (octets)
  "The text in OCTETS, as UTF-8 or, if it is not valid UTF-8, as Latin-1; and true if every character is
one byte.  indexer/source_text.py has the same rule, so that offsets agree."
  (let ((text (handler-case (sb-ext:octets-to-string octets :external-format '(:utf-8))
                (error () nil))))
    (unless text
      (setf text (sb-ext:octets-to-string octets :external-format :latin-1)))
    (values (coerce text '(simple-array character (*)))
            (= (length text) (length octets)))))

(declaim (type (simple-array (unsigned-byte 32) (256)) *crc-table*))
(defvar *crc-table*
  (let ((table (make-array 256 :element-type '(unsigned-byte 32))))
    (dotimes (octet 256 table)
      (let ((rest octet))
        (loop repeat 8
              do (setf rest (if (logbitp 0 rest)
                                (logxor #xEDB88320 (ash rest -1))
                                (ash rest -1))))
        (setf (aref table octet) rest))))
  "What each octet adds to a CRC-32.")

(defun crc-32 (octets)
  "The CRC-32 of OCTETS (RFC 1952, section 8), in 8 hexadecimal digits."
  (declare (type (simple-array (unsigned-byte 8) (*)) octets) (optimize speed))
  (let ((rest #xFFFFFFFF))
    (declare (type (unsigned-byte 32) rest))
    (loop for octet across octets
          do (setf rest (logxor (ash rest -8) (aref *crc-table* (logand #xFF (logxor rest octet))))))
    (format nil "~(~8,'0X~)" (logxor rest #xFFFFFFFF))))

(defun character-offsets (text octet-offsets)
  "The character offsets of OCTET-OFFSETS, ascending offsets in the UTF-8 encoding of TEXT."
  (let ((octets 0) (position 0))
    (loop for wanted in octet-offsets
          do (loop while (and (< octets wanted) (< position (length text)))
                   do (let ((code (char-code (schar text position))))
                        (incf octets (cond ((< code #x80) 1) ((< code #x800) 2)
                                           ((< code #x10000) 3) (t 4))))
                      (incf position))
          collect position)))

(defun ascending-p (numbers limit)
  "True when NUMBERS ascend and can be offsets in a file of LIMIT bytes."
  (and numbers (apply #'<= 0 numbers) (<= (car (last numbers)) limit)))

(defun expected-ends (namestring text octets bytes-are-characters)
  "The ends of the toplevel forms of the file NAMESTRING as the compiler saw them.
Some debug sources have no vector of positions, or have that of another file."
  (let* ((compiled (compiled-source namestring))
         (positions (and compiled (coerce (compiled-source-positions compiled) 'list))))
    (and (ascending-p positions (length octets))
         (rest (if bytes-are-characters
                   positions
                   (character-offsets text positions))))))

(defun scan-in-its-case (namestring text expected-ends)
  "Scan TEXT, that of the file NAMESTRING, in the cases that it is read in."
  (let* ((scan (scan-text text expected-ends))
         (*cases* (unless (eql 0 (search "SYS:" namestring))
                    (text-cases scan))))
    (if *cases*
        (scan-text text expected-ends)
        scan)))

(defun read-and-scan (namestring path)
  "The scan of the source file at PATH, which SBCL records as NAMESTRING.  An error if it has another text than the
one that was compiled."
  (let* ((file (sb-ext:parse-native-namestring
                (text-of-source (or path (error "The file has no path on this machine.")))))
         (octets (read-octets file)))
    (multiple-value-bind (text bytes-are-characters) (decode octets)
      (let ((scan (scan-in-its-case namestring text
                                    (expected-ends namestring text octets bytes-are-characters))))
        (unless (or (null (environment "OBLIST_TEXTS"))
                    (eql 0 (search "SYS:" namestring))) ; SBCL comes with other dates than it was built with
          (check-text namestring file octets scan))
        (setf (scan-crc32 scan) (crc-32 octets))
        scan))))

;;; Whether a text is the one that was compiled: see prepare/texts.lisp.

(defun check-text (namestring path octets scan)
  "Signal an error if OCTETS, the text of the file at PATH, is not the one from which the code was compiled that SBCL
records as of NAMESTRING."
  (let* ((compiled (compiled-source namestring))
         (fasl (and (find-package "ASDF")
                    (not (equal "asd" (pathname-type path))) ; loaded as it is; the fasl of foo.lisp is foo.fasl too
                    (compiled-file path)))
         (known (and fasl (compiled-from fasl))))
    (cond ((null fasl))
          (known
           (unless (or (= known (octets-hash octets)) (another-is-compiled-p path))
             (refuse-text "Its text is not the one that it was compiled from.")))
          ((null compiled))
          ((not (eql (compiled-source-date compiled) (file-write-date path)))
           (refuse-text "Its date is not that of the file that it was compiled from."))
          ((contradicts-names-p scan compiled)
           (refuse-text "Functions that were compiled from it are not where they were."))
          ((not (changed-since-p path fasl))
           (note-compiled-from fasl (octets-hash octets))))))

(defun refuse-text (how)
  (error "The file has changed since it was compiled, but ASDF loads what was compiled.  ~A  No places in it are ~
known.  Touch it, and build the index again." how))

(defun contradicts-names-p (scan compiled)
  "True when code of COMPILED comes from a toplevel form that is missing from SCAN, or is a DEFUN there that names none
of the functions compiled from it."
  (let ((names (make-hash-table)))
    (dolist (code (compiled-source-code compiled))
      (map-code-functions
       (lambda (function)
         (let ((name (recorded-function-name function))
               (toplevel-form (first (sb-introspect:definition-source-form-path
                                      (sb-introspect:find-definition-source function)))))
           (when (and name (symbolp name) toplevel-form)
             (push name (gethash toplevel-form names)))))
       code))
    (loop for toplevel-form being each hash-key of names using (hash-value those)
            thereis (or (>= toplevel-form (length (scan-toplevel-starts scan)))
                        (names-none-p scan toplevel-form those)))))

(defun names-none-p (scan toplevel-form names)
  "True when the TOPLEVEL-FORM of SCAN is (DEFUN NAME ..), its NAME is a symbol that is written out, and none of NAMES
occurs in the form.  Macros in it may define functions whose names do not."
  (let* ((*text* (scan-source scan)) (*cases* (scan-cases scan))
         (start (aref (scan-toplevel-starts scan) toplevel-form))
         (end (aref (scan-toplevel-ends scan) toplevel-form)))
    (multiple-value-bind (place accessor) (defined-place start)
      (and (equal "DEFUN" (operator-name scan start))
           place
           (not accessor)
           (not (eql #\# (char-at place)))
           (notany (lambda (name)
                     (or (search (symbol-name name) *text* :test #'char-equal :start2 start :end2 end)
                         (token-at-names-p (symbol-name name) place)))
                   names)))))

(defun scan-file (namestring path)
  "The scan of the source file at PATH, which SBCL records as NAMESTRING; NIL and a
problem record when it cannot be read."
  (multiple-value-bind (scan known) (gethash namestring *scans*)
    (if known
        scan
        (setf (gethash namestring *scans*)
              (noting-problems ("source" namestring "file")
                (read-and-scan namestring path))))))

(defun scan-of-source (source)
  "The scan of the file that the definition source SOURCE names, or NIL."
  (let ((pathname (and source (sb-introspect:definition-source-pathname source))))
    (and pathname
         (scan-file (namestring pathname) (physical-path pathname)))))

;;; Lines

(defun line-of (scan offset)
  "The line and column, both counted from 1, of the character at OFFSET."
  (let* ((lines (scan-lines scan))
         (low 0) (high (length lines)))
    (loop while (> (- high low) 1)
          do (let ((middle (ash (+ low high) -1)))
               (if (<= (aref lines middle) offset) (setf low middle) (setf high middle))))
    (values (1+ low) (1+ (- offset (aref lines low))))))

;;; Forms

(defun form-interval (scan toplevel-form form-number)
  "The start and end of form FORM-NUMBER, and true when it certainly is that form.
If the number cannot be trusted, return the start and end of the toplevel form; NIL when there is no such
toplevel form."
  (when (and scan toplevel-form (< -1 toplevel-form (fill-pointer (scan-firsts scan))))
    (let ((place (+ (aref (scan-firsts scan) toplevel-form) (or form-number 0))))
      (cond ((and form-number
                  (< form-number (aref (scan-trusted scan) toplevel-form)))
             (values (aref (scan-starts scan) place) (aref (scan-ends scan) place) t))
            (t
             (values (aref (scan-toplevel-starts scan) toplevel-form)
                     (aref (scan-toplevel-ends scan) toplevel-form)
                     nil))))))

(defun form-operator (start)
  "The start and end of the token with which the form at START of *TEXT* begins, or NIL."
  (let ((begin (case (char-at start)
                 (#\( (skip-blank (1+ start)))
                 (#\# (and (eql (char-at (1+ start)) #\') (skip-blank (+ start 2)))))))
    (when begin
      (let ((end (token-end begin)))
        (and (> end begin) (values begin end))))))

(defun operator-name (scan start)
  "The name of the symbol with which the form at START begins, or NIL."
  (let ((*text* (scan-source scan)) (*cases* (scan-cases scan)))
    (multiple-value-bind (begin end) (form-operator start)
      (and begin (nth-value 1 (split-token (token-string begin end)))))))

(defun class-definer-p (operator)
  (member operator '("DEFCLASS" "DEFSTRUCT" "DEFINE-CONDITION") :test #'equal))

(defun class-definer-around (scan toplevel-form start end part-p)
  "The operator of the form in the toplevel form that defines a class or structure and contains the text
between START and END, or NIL.  With PART-P the text is a slot or option, and any DEF... form around it counts."
  (loop for form from (aref (scan-firsts scan) toplevel-form)
          below (fill-pointer (scan-starts scan))
        for from = (aref (scan-starts scan) form)
        while (<= from start)           ; starts ascend: a form comes before the forms in it
        do (when (<= end (aref (scan-ends scan) form))
             (let ((operator (operator-name scan from)))
               (when (or (class-definer-p operator)
                         (and part-p (eql 0 (search "DEF" operator))))
                 (return operator))))))

(defun defining-operator (scan toplevel-form start end part-p)
  "The defining macro of the form between START and END, in lower case.
The parts of a class or structure are defined by the form around them; with PART-P the form is a part of any."
  (let ((operator (or (class-definer-around scan toplevel-form start end part-p)
                      (operator-name scan start))))
    (and operator (string-downcase operator))))

;;; Now and then SBCL records the number of a form in the body of a function; and for code in an EVAL-WHEN
;;; that was compiled in this image, it records the number of the EVAL-WHEN.

(defun own-interval (scan toplevel-form start end name)
  "START and END if the form between them defines NAME; else the start and end of the form that does: the
toplevel form if it is (DEFUN NAME ..), or the only form in an EVAL-WHEN or PROGN that defines NAME."
  (let* ((*text* (scan-source scan)) (*cases* (scan-cases scan))
         (outer (aref (scan-toplevel-starts scan) toplevel-form))
         (operator (operator-name scan outer)))
    (flet ((one-of (&rest names)
             (member operator names :test #'equal)))
      (cond ((defines-name-p start name) (values start end))
            ((and (one-of "DEFUN" "DEFMACRO") (defines-name-p outer name))
             (values outer (aref (scan-toplevel-ends scan) toplevel-form)))
            ((and (= start outer) (one-of "EVAL-WHEN" "PROGN"))
             (multiple-value-bind (from to) (named-interval scan toplevel-form name)
               (if from (values from to) (values start end))))
            (t (values start end))))))

(defun forms-of (scan toplevel-form)
  "The indices of all forms of the toplevel form in the vectors of SCAN."
  (loop for i from (aref (scan-firsts scan) toplevel-form)
          below (if (< (1+ toplevel-form) (length (scan-firsts scan)))
                    (aref (scan-firsts scan) (1+ toplevel-form))
                    (length (scan-starts scan)))
        collect i))

(defun code-forms-of (scan toplevel-form)
  "The indices of the forms of the toplevel form that are not in a quoted or backquoted one: in the templates of a
macro, a form that names something is not its definition."
  (let ((quoted-to 0))
    (loop for form in (forms-of scan toplevel-form)
          for start = (aref (scan-starts scan) form)
          unless (< start quoted-to)
            when (member (schar (scan-source scan) start) '(#\' #\`))
              do (setf quoted-to (aref (scan-ends scan) form))
            else
              collect form)))
