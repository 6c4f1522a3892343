;;;; The text contract of apropos, read off directly from the live image.
;;;;
;;;; KNOWN-P decides which symbols count: those that the tests brought are not the user's.

(in-package "TEST-ORACLE")

(deftype text () '(simple-array character (*)))

(defstruct known symbol (name "" :type text) type)

(defun contract-type (symbol)
  (cond ((macro-function symbol) "MACRO")
        ((and (fboundp symbol) (typep (fdefinition symbol) 'generic-function)) "GENERIC-FUNCTION")
        ((fboundp symbol) "FUNCTION")
        ((find-class symbol nil) "CLASS")
        ((boundp symbol) "VARIABLE")
        (t "SYMBOL")))

(defun known-symbols (table)
  "All symbols that are keys of TABLE, with their names and types."
  (loop for symbol being the hash-keys of table
        collect (make-known :symbol symbol
                            :name (coerce (symbol-name symbol) 'text)
                            :type (contract-type symbol))))

(defun matching (pattern knowns)
  "The elements of KNOWNS whose names contain PATTERN."
  (declare (type text pattern) (optimize speed))
  (loop for known in knowns
        when (search pattern (the text (known-name known)) :test #'char-equal)
          collect known))

(defun symbols-of (package scope)
  "A table of the symbols in SCOPE of PACKAGE: accessible, present or external."
  (let ((symbols (make-hash-table :test 'eq)))
    (do-symbols (symbol package symbols)
      (let ((status (nth-value 1 (find-symbol (symbol-name symbol) package))))
        (when (or (string= scope "accessible")
                  (eq status :external)
                  (and (string= scope "present") (eq status :internal)))
          (setf (gethash symbol symbols) package))))))

(defun external-symbols (packages)
  "A table of the external symbols of all PACKAGES, with the first package each is found in."
  (let ((symbols (make-hash-table :test 'eq)))
    (dolist (package (sort (copy-list packages) #'string< :key #'package-name) symbols)
      (do-external-symbols (symbol package)
        (unless (gethash symbol symbols)
          (setf (gethash symbol symbols) package))))))

(defvar *tables* (make-hash-table :test 'equal) "The tables of earlier questions, by package and scope.")

(defun asked-symbols (package-name scope packages)
  (let ((key (list package-name scope)))
    (or (gethash key *tables*)
        (setf (gethash key *tables*)
              (if package-name
                  (symbols-of package-name scope)
                  (external-symbols packages))))))

(defun raw (name)
  "NAME on one line, control characters as \\n and \\xNN."
  (with-output-to-string (out)
    (loop for char across name
          for code = (char-code char)
          do (cond ((char= char #\Newline) (write-string "\\n" out))
                   ((or (< code 32) (<= 127 code 159)) (format out "\\x~2,'0X" code))
                   (t (write-char char out))))))

(defun home-package (symbol)
  "The home package of SYMBOL, unless it was deleted: symbols may still point to a package that
was deleted while a file was being loaded, and it even keeps its name (SBCL 2.2.9)."
  (let ((home (symbol-package symbol)))
    (and home (package-name home) (eq home (find-package (package-name home))) home)))

(defun shown (known found-in)
  "The fields of KNOWN that sorting and showing need: name, package, type."
  (list (known-name known)
        (package-name (or (home-package (known-symbol known)) found-in))
        (known-type known)))

(defun before-p (a b)
  (if (string= (first a) (first b))
      (string< (second a) (second b))
      (string< (first a) (first b))))

(defun apropos-lines (pattern matching symbols type)
  "The lines of the answer: the symbols in both MATCHING and the table SYMBOLS."
  (let ((found (loop for known in matching
                     for found-in = (gethash (known-symbol known) symbols)
                     when (and found-in (or (null type) (string-equal type (known-type known))))
                       collect (shown known found-in))))
    (list* (format nil "Found ~D symbol~:P matching '~A':" (length found) (raw pattern))
           ""
           (loop for (name package type) in (sort found #'before-p)
                 collect (format nil "  ~A::~A [~A]" (raw package) (raw name) type)))))

(defun answer-questions (questions knowns packages out)
  "Write for each of QUESTIONS, lists (PATTERN PACKAGE SCOPE TYPE), its lines and their number.
There are no lines when there is no such package."
  (let ((last-pattern nil) (matching '()))
    (loop for (pattern package scope type) in questions
          do (unless (equal pattern last-pattern)
               (setf last-pattern pattern
                     matching (matching (coerce pattern 'text) knowns)))
             (let ((lines (and (or (null package) (find-package package))
                               (apropos-lines pattern matching
                                              (asked-symbols package scope packages) type))))
               (format out "~D~%~{~A~%~}" (length lines) lines)))))
