;;;; Uses at toplevel: the macros and functions that toplevel forms call, from the source.
;;;;
;;;; SBCL keeps no references of toplevel forms, because their code is gone once it has run.  So only the text
;;;; shows the uses of a defining macro.  CLHS 3.2.3.1 defines toplevel forms, and which forms in them are
;;;; toplevel forms again.

(in-package "OBLIST")

(defvar *local-names* '()
  "The names of the local macros around the current form, which hide global ones.")

(defun map-toplevel-forms (function start)
  "Call FUNCTION with the start of the form at START and the start and end of its operator; if the forms in
it are toplevel forms too, as in a PROGN, call FUNCTION for each of them instead."
  (multiple-value-bind (begin end) (and (eql (char-at start) #\() (form-operator start))
    (when begin
      (let ((name (nth-value 1 (split-token (token-string begin end)))))
        (flet ((body (position)
                 (map-elements (lambda (from to)
                                 (declare (ignore to))
                                 (map-toplevel-forms function from))
                               position)))
          (cond ((member name *local-names* :test #'string=))
                ((member name '("PROGN" "LOCALLY") :test #'string=) (body end))
                ((member name '("EVAL-WHEN" "SYMBOL-MACROLET") :test #'string=)
                 (body (scan-next end nil 0)))
                ((string= name "MACROLET")
                 (let ((*local-names* (append (local-names (skip-blank end)) *local-names*)))
                   (body (scan-next end nil 0))))
                (t (funcall function start begin end))))))))

(defun map-elements (function position)
  "Call FUNCTION with the start and end of every object from POSITION to the next closing
parenthesis."
  (loop
    (setf position (skip-blank position))
    (when (member (char-at position) '(nil #\))) (return))
    (let ((end (scan-object position nil 0)))
      (funcall function position end)
      (setf position end))))

(defun local-names (start)
  "The names that a MACROLET defines; START is the start of its list of definitions."
  (let ((names '()))
    (when (eql (char-at start) #\()
      (map-elements (lambda (from to)
                      (declare (ignore to))
                      (multiple-value-bind (begin end) (form-operator from)
                        (when begin (push (token-string begin end) names))))
                    (1+ start)))
    names))

(defun definition-at (file start)
  "The number of the definition that the form at START of FILE makes: if there are several, the one whose
name is in the form, else the first; NIL if there is none."
  (let ((definitions (gethash (place-key file start) *definitions-at*)))
    (car (or (find-if (lambda (definition) (defines-name-p start (cdr definition)))
                      definitions)
             (first (last definitions))))))

(defun toplevel-use (begin end)
  "The number of the macro or function that the operator between BEGIN and END of *TEXT* names, and the
position of the relation in *RELATIONS*; NIL when the operator names none in the index."
  (let* ((symbol (token-symbol (token-string begin end) *in-package*))
         (number (and symbol (symbol-number symbol))))
    (cond ((null number) nil)
          ((macro-function symbol) (values number 1))
          ((and (fboundp symbol) (not (special-operator-p symbol))) (values number 0)))))

(defun put-toplevel-uses-of-form (scan file toplevel-form)
  "Write the macros and functions that the toplevel form calls at toplevel, up to the first doubt about
the text."
  (map-toplevel-forms
   (lambda (start begin end)
     (multiple-value-bind (callee relation) (toplevel-use begin end)
       (when (and callee (not *doubt-at*))
         (let ((definition (definition-at file start)))
           (multiple-value-bind (line column) (line-of scan begin)
             (put-record "references"
                         "caller" definition
                         "name" (and (null definition) "toplevel form")
                         "file" file
                         "toplevel_form" toplevel-form
                         ;; No form number: this use is from the text, not from SBCL.
                         "uses" (list (list relation 0
                                            (list callee nil line column nil)))))))))
   (aref (scan-toplevel-starts scan) toplevel-form)))

(defun put-toplevel-uses-of-file (scan file)
  "Write the uses at toplevel in the file numbered FILE."
  (let ((*text* (scan-source scan)) (*scan* scan) (*in-package* "COMMON-LISP-USER")
        (*flipped* nil) (*conditionals* 0))
    (loop for start across (scan-toplevel-starts scan)
          for trusted across (scan-trusted scan)
          for toplevel-form from 0
          do (note-package start)
             (when (plusp trusted)
               (let ((*doubt-at* nil))
                 (handler-case (put-toplevel-uses-of-form scan file toplevel-form)
                   (scan-error () nil))))))) ; the file has a reader macro of its own

(defun scan-system-sources ()
  "Scan the systems' source files that were not scanned for a definition: mostly those of tests."
  (let ((known (make-hash-table :test 'equal)))
    (loop for path being each hash-key of *scans*
          do (setf (gethash (real-path (physical-path path)) known) t))
    (dolist (system *system-names*)
      (dolist (path (asking-system (system "files") (source-files (asdf "REGISTERED-SYSTEM" system))))
        (let ((real (real-path path)))
          (when (and real (not (gethash real known)))
            (setf (gethash real known) t)
            (let ((pathname (sb-ext:parse-native-namestring path)))
              (file-number pathname)
              (scan-file (namestring pathname) path))))))))

(defun real-path (path)
  "The path of the file with all links resolved, or NIL when it does not exist."
  (handler-case (let ((truename (probe-file (sb-ext:parse-native-namestring path))))
                  (and truename (sb-ext:native-namestring truename)))
    (error () nil)))

(defun put-toplevel-uses ()
  "Write the uses at toplevel in all scanned files, in the order of their numbers."
  (scan-system-sources)
  (let ((scans '()))
    (loop for path being each hash-key of *scans* using (hash-value scan)
          do (when (and scan (gethash path *file-numbers*))
               (push (cons (gethash path *file-numbers*) scan) scans)))
    (loop for (file . scan) in (sort scans #'< :key #'car)
          do (put-toplevel-uses-of-file scan file))))
