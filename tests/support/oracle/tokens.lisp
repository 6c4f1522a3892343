;;;; Every symbol in the files that the questions name, as the Lisp reader reads them, with its place.
;;;;
;;;; The readtable is the standard one, but a macro function stands before each character that begins a token:
;;;; it notes where the token begins and ends and what the standard reader makes of it.

(in-package "ORACLE")

(defvar *standard* (copy-readtable nil))
(defvar *path* nil)
(defvar *tokens* '())

(defun read-token (stream char)
  "Read the token that begins with CHAR by the standard reader, and note it."
  (unread-char char stream)
  (let* ((start (file-position stream))
         (object (let ((*readtable* *standard*))
                   (read-preserving-whitespace stream t nil t))))
    ;; Features are read in the package KEYWORD.
    (when (and (symbolp object) (not *read-suppress*) (not (eq *package* (find-package "KEYWORD"))))
      (push (list start (file-position stream) object) *tokens*))
    object))

(defun recording-readtable ()
  (let ((table (copy-readtable nil)))
    (loop for code below 256
          for char = (code-char code)
          ;; A backslash must stay what it is in strings: no file begins a token with one.
          do (unless (or (find char "()\"';`,#\\")
                         (member char '(#\Space #\Newline #\Tab #\Return #\Page #\Backspace #\Rubout)))
               (set-macro-character char #'read-token t table)))
    (set-dispatch-macro-character #\# #\. #'skip-read-time table)
    table))

(defun skip-read-time (stream char argument)
  "Read #.X without evaluating X: the code that builds a system is not in the image."
  (declare (ignore char argument))
  (read stream t nil t)
  nil)

(defun file-text (path)
  (with-open-file (in (sb-ext:parse-native-namestring path) :element-type '(unsigned-byte 8))
    (let ((octets (make-array (file-length in) :element-type '(unsigned-byte 8))))
      (read-sequence octets in)
      (handler-case (sb-ext:octets-to-string octets :external-format '(:utf-8))
        (error () (sb-ext:octets-to-string octets :external-format :latin-1))))))

(defun answer-tokens (path)
  "Answer the symbols that the toplevel form just read consists of; lines and columns count from 1."
  (dolist (token (reverse *tokens*))
    (destructuring-bind (start end symbol) token
      (when (symbol-package symbol)
        (answer "token" path start (- end start)
                (package-name (symbol-package symbol)) (symbol-name symbol)))))
  (setf *tokens* '()))

(defun use-symbol-anyway (condition)
  "Read a symbol that is not external, or no longer there: a later SBCL takes symbols of its build away."
  (let ((restart (find-restart 'continue condition)))
    (when restart (invoke-restart restart))))

(defun answer-file (path)
  "Answer the symbols in the file at PATH, then how far it was read."
  (let* ((text (file-text path))
         (*package* (find-package (if (search ".asd" path) "ASDF-USER" "COMMON-LISP-USER")))
         (*readtable* (recording-readtable))
         (read 0))
    (setf *tokens* '())
    (with-input-from-string (in text)
      (handler-case
          (handler-bind ((sb-int:simple-reader-package-error #'use-symbol-anyway))
            (loop for form = (read in nil in)
                  until (eq form in)
                  do (answer-tokens path)
                     (setf read (file-position in))
                     (when (typep form '(cons (eql in-package)))
                       (setf *package* (or (find-package (second form))
                                           (error "There is no package ~A." (second form)))))
                  finally (setf read (length text))))
        (error (condition)
          (answer "unread" path read (length text) (princ-to-string condition)))))
    (answer "read" path read)))

(defun read-questions ()
  (with-open-file (in (sb-ext:posix-getenv "ORACLE_QUESTIONS") :external-format :utf-8)
    (loop for line = (read-line in nil)
          while line collect line)))

(defun answer-all ()
  (let ((*features* (append *features* sb-impl:+internal-features+
                            '(:sb-xc :os-provides-poll))))
    (sb-ext:without-package-locks
      ;; The name that SBCL's own sources give CL while it is built.
      (rename-package "COMMON-LISP" "COMMON-LISP" '("CL" "SB-XC"))
      (mapc #'answer-file (read-questions)))))
