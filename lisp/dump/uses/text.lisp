;;;; Occurrences in all files, and the uses that only the text shows.

(in-package "OBLIST")

(defun note-named-symbols (packages)
  "Note which symbols are indexed by name: those with definitions, and those external in one of PACKAGES."
  (loop for name across *definition-names*
        do (when (and name (or (symbolp name) (consp name)))
             (setf (gethash (if (consp name) (second name) name) *named-symbols*) t)))
  (loop for symbol being each hash-key of *deferred-symbols*
        do (setf (gethash symbol *named-symbols*) t))
  (dolist (package packages)
    (do-external-symbols (symbol package)
      (unless (keywordp symbol)
        (when (symbol-number symbol)
          (setf (gethash symbol *named-symbols*) t))))))

(defvar *own-files* (make-hash-table :test 'equal)
  "The real paths of the source files of the project's own systems, of those that were asked for, and of files that were
loaded by themselves.")

(defun scan-system-sources ()
  "Scan the systems' source files that were not scanned for a definition, mostly those of tests, and the files
that define the systems.  Note which sources are the project's own."
  (let ((known (make-hash-table :test 'equal)))
    (loop for path being each hash-key of *scans*
          do (setf (gethash (real-path (physical-path path)) known) t))
    (flet ((scan-new (path real)
             (when (and real (not (gethash real known)))
               (setf (gethash real known) t)
               (let ((pathname (sb-ext:parse-native-namestring path)))
                 (file-number pathname)
                 (scan-file (namestring pathname) path)))))
      (dolist (path (append (environment-lines "OBLIST_LOAD")
                            ;; A layer may have a part of a system, which is not loaded yet.
                            (and (environment "OBLIST_REFRESH")
                                 (loop for (system source) in *loaded-files*
                                       when (and source (own-system-p system)) collect source))))
        (setf (gethash (real-path path) *own-files*) t))
      (dolist (name *system-names*)
        (let ((system (asdf "REGISTERED-SYSTEM" name))
              (own (or (own-system-p name) (member name *asked-systems* :test #'string=))))
          (dolist (path (asking-system (name "files") (source-files system)))
            (let ((real (real-path path)))
              (when own (setf (gethash real *own-files*) t))
              (scan-new path real)))
          (let ((path (asking-system (name "definition file")
                        (as-path (asdf "SYSTEM-SOURCE-FILE" system)))))
            (when path (scan-new path (real-path path)))))))
    (remhash nil *own-files*)))         ; of files that do not exist

(defun real-path (path)
  "The path of the file with all links resolved, or NIL when it does not exist."
  (handler-case (let ((truename (probe-file (sb-ext:parse-native-namestring path))))
                  (and truename (sb-ext:native-namestring truename)))
    (error () nil)))

(defun read-base-files (path)
  "Read the list of the base's files at PATH, a line each."
  (with-open-file (in (sb-ext:parse-native-namestring path) :external-format :utf-8)
    (loop for line = (read-line in nil)
          while line
          do (setf (gethash line *base-files*) t))))

(defun numbered-scans ()
  "All scans with the numbers of their files, in the order of the numbers; in a refresh, those of new files,
since the base has the occurrences of its own.  Deferred files are left to the images above."
  (sort (loop for path being each hash-key of *scans* using (hash-value scan)
              for number = (gethash path *file-numbers*)
              when (and scan number
                        (not (gethash path *base-files*))
                        (not (and *deferring* (deferred-file-p path))))
                collect (cons number scan))
        #'< :key #'car))

(defun own-file-p (path)
  (and path
       (plusp (hash-table-count *own-files*))
       (gethash (real-path (physical-path path)) *own-files*)))

(defun walk-scan (scan file)
  "Find the occurrences in SCAN, of the file with this number, unless that has been done."
  (unless (scan-walked scan)
    (setf (scan-walked scan) t)
    (noting-problems ("source" (or (gethash file *file-paths*) "") "occurrences")
      (setf (values (scan-occurrences scan) (scan-renamings scan) (scan-unread scan) (scan-local-macros scan))
            (let ((*own-text* (own-file-p (gethash file *file-paths*))))
              (file-occurrences scan file (gethash file *file-paths*)))))
    (loop for occurrence across (reverse (scan-occurrences scan))
          do (push occurrence (gethash (occurrence-symbol occurrence) (scan-by-symbol scan))))))

(defun find-occurrences (packages)
  "Find the occurrences in all files; PACKAGES are those of the index."
  (scan-system-sources)
  (note-named-symbols packages)
  (know-define-package)
  (loop for (file . scan) in (numbered-scans)
        do (walk-scan scan file)))

;;; Uses that only the text shows

(defun text-caller (occurrence file)
  "The definition around OCCURRENCE, or its toplevel form."
  (let ((definition (occurrence-caller occurrence)))
    (caller-at definition
               (and (null definition) "toplevel form")
               file
               (occurrence-toplevel-form occurrence))))

(defun note-text-use (occurrence file scan)
  (multiple-value-bind (line column) (line-of scan (occurrence-offset occurrence))
    (let ((use (add-use (make-use (occurrence-symbol occurrence)
                                  (occurrence-operator occurrence)
                                  (occurrence-relation occurrence)
                                  (text-caller occurrence file)
                                  nil line column (occurrence-length occurrence)))))
      (when (occurrence-template occurrence)
        (setf (use-expansion use) *template-mark*)))))

(defun note-text-uses ()
  "Note the occurrences that are not one with a reference of SBCL's."
  (loop for (file . scan) in (numbered-scans)
        do (loop for occurrence across (scan-occurrences scan)
                 unless (occurrence-claims occurrence)
                   do (note-text-use occurrence file scan))))

;;; Methods and the classes they specialize on

(defun specializing-occurrences ()
  "The occurrences in lambda lists of methods, in order: a table from (FILE FORM SYMBOL), where FORM is the offset
of the form that makes the method, to conses of occurrence and scan."
  (let ((table (make-hash-table :test 'equal)))
    (loop for (file . scan) in (reverse (numbered-scans))
          do (loop for occurrence across (reverse (scan-occurrences scan))
                   when (and (= (occurrence-relation occurrence) (relation-number :specializes))
                             (occurrence-form occurrence))
                     do (push (cons occurrence scan)
                              (gethash (list file (occurrence-form occurrence) (occurrence-symbol occurrence))
                                       table))))
    table))

(defun own-before-other (one another)
  "True when the definition ONE has the own name of its function and ANOTHER has not: the text is of that."
  (and (gethash another *of-other-names*)
       (not (gethash one *of-other-names*))))

(defun note-specializing ()
  "Note the methods as uses of the classes that they specialize on."
  (let ((occurrences (specializing-occurrences)))
    (loop for (definition symbol) in (stable-sort (remove-duplicates (reverse *specialized*) :test #'equal)
                                                  #'own-before-other :key #'first)
          do (destructuring-bind (&optional file toplevel-form line form) (gethash definition *definition-places*)
               (let* ((use (add-use (make-use symbol 0 (relation-number :specializes)
                                              (caller-at definition nil file toplevel-form)
                                              nil line)))
                      (key (list file form symbol))
                      (found (pop (gethash key occurrences))))
                 (when found
                   (place-at use (cdr found) (occurrence-offset (car found)) (car found))))))))

(defun put-unread-texts ()
  "Write the places of the texts that are not in standard syntax."
  (let ((rows (make-rows "unread")))
    (loop for (file . scan) in (numbered-scans)
          do (loop for (start . end) in (scan-unread scan)
                   do (add-row rows (list file
                                          (values (line-of scan start))
                                          (values (line-of scan (max start (1- end))))))))
    (write-rows rows)))
