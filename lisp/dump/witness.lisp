;;;; The witness: what the dump is about to ask, for the reader of the records to know if the image ends there.
;;;;
;;;; The door (prepare/guard/door.lisp) survives whatever unwinds.  It cannot survive code that ends the process, or that
;;;; never ends and cannot be interrupted.  After such a loss, a second image names each question in the file
;;;; OBLIST_WITNESS before it asks; a third one does without what was named there last.
;;;;
;;;; The file has two lines, which the next question overwrites: the thing to do without, by kind and name as
;;;; LOADING announced it, empty if it is not known; and the question.

(in-package "OBLIST")

(defvar *culprits-of-files* nil
  "In a start that bears witness: a table from the paths of source files to what they were loaded for.")

(defun note-culprits-of-files ()
  "Fill *CULPRITS-OF-FILES*."
  (setf *culprits-of-files* (make-hash-table :test 'equal))
  (maphash (lambda (name thing)
             (dolist (path (or (guarding t (files-of-system name) (condition) '())
                               (list name)))
               (setf (gethash (true-path path) *culprits-of-files*) thing)))
           *loaded-for*))

(defun files-of-system (name)
  "The paths of the files of the system NAME, if there is one."
  (let ((system (and (find-package "ASDF") (asdf "REGISTERED-SYSTEM" name))))
    (and system
         (cons (as-path (asdf "SYSTEM-SOURCE-FILE" system))
               (component-files system)))))

(defun true-path (path)
  "The path of the file at PATH without links; NIL if there is no such file."
  (guarding nil (and path (sb-ext:native-namestring (truename (sb-ext:parse-native-namestring path)))) (condition)
    nil))

(defun source-paths (kind name instance)
  "The path of the source of NAME's INSTANCE of KIND, in a list that is empty if there is none."
  (guarding t (let* ((source (funcall (kind-source kind) name instance))
                     (pathname (and source (sb-introspect:definition-source-pathname source))))
                (and pathname (list (true-path (as-path pathname)))))
      (condition)
    '()))

(defun all-source-paths (name)
  "The paths of the sources of all definitions of NAME."
  (loop for kind in *kinds*
        when (and (kind-source kind) (or (symbolp name) (eq :function (kind-names kind))))
          append (loop for instance in (guarding t (listed (funcall (kind-instances kind) name)) (condition) '())
                       append (source-paths kind name instance))))

(defun package-of-name (name)
  (symbol-package (nth-value 1 (operator-and-symbol name))))

(defun package-source-paths (package)
  (source-paths *package-kind* nil package))

(defun loaded-for (paths)
  "What the first of the files at PATHS that is in the table was loaded for, or NIL."
  (unless *culprits-of-files*
    (note-culprits-of-files))
  (loop for path in paths
          thereis (gethash path *culprits-of-files*)))

(defun culprit-of-definition (name kind instance placeless)
  "What NAME's INSTANCE of KIND was loaded for, or NIL.  If its package is PLACELESS, another definition will do."
  (or (and kind (kind-source kind) (loaded-for (source-paths kind name instance)))
      (and placeless (not (packagep name)) (not (keywordp name))
           (loaded-for (all-source-paths name)))))

(defun write-witness (culprit subject part)
  (let ((line (format nil "~A~%~A~%" (or culprit "")
                      (substitute #\Space #\Newline (format nil "~A, ~A" subject part)))))
    (file-position *witness* 0)
    (write-string line *witness*)
    (finish-output *witness*)))

(defun find-culprit (subject part)
  "Note in *ABOUT* what it came from.  To ask that may end the image as well."
  (destructuring-bind (name kind instance) *about*
    (let* ((package (if (packagep name) name (package-of-name name)))
           (paths (and package (package-source-paths package)))
           (culprit (loaded-for paths)))
      (write-witness culprit subject part)
      (setf (cdddr *about*)
            (list (or (culprit-of-definition name kind instance (null paths)) culprit))))))

(defun bear-witness (stage subject part)
  "Write that the PART of SUBJECT is asked next."
  (when (and *about* (null (cdddr *about*)))
    (find-culprit subject part))
  (write-witness (if (string= stage "system")
                     (values (gethash subject *loaded-for*))
                     (fourth *about*))
                 subject part))
