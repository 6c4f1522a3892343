;;;; Compile our code: a fasl for each system that OBLIST depends on in oblist.asd.
;;;;
;;;; lisp/sbcl.py runs this file in a separate process.  The environment variable OBLIST_LISP names the folder
;;;; of these sources, and OBLIST_FASLS names the target folder.
;;;;
;;;; ASDF could do this, but loading ASDF takes longer than reading the list of systems, and the user decides
;;;; where ASDF puts its fasls.

(defun folder-named-by (variable)
  "The folder that the environment VARIABLE names."
  (sb-ext:parse-native-namestring (sb-ext:posix-getenv variable)
                                  nil *default-pathname-defaults* :as-directory t))

(defvar *sources* (folder-named-by "OBLIST_LISP"))
(defvar *fasls* (folder-named-by "OBLIST_FASLS"))
(defvar *failed* nil "True when a file did not compile cleanly.")

;;; The files to compile

(defun read-systems ()
  "The systems in oblist.asd: lists of a name and options."
  (with-open-file (in (merge-pathnames "oblist.asd" *sources*) :external-format :utf-8)
    (let ((*read-eval* nil))
      (loop for form = (read in nil)
            while form collect (rest form)))))

(defvar *systems* (read-systems))

(defun system-options (name)
  (rest (assoc name *systems* :test #'string=)))

(defun needed-systems (name)
  "The system NAME and all its dependencies, dependencies first."
  (remove-duplicates (append (mapcan #'needed-systems (getf (system-options name) :depends-on))
                             (list name))
                     :test #'string= :from-end t))

(defun component-files (component folder)
  "The Lisp files of COMPONENT, which is in FOLDER, in order."
  (destructuring-bind (type name &key components &allow-other-keys) component
    (flet ((named (suffix)
             (merge-pathnames (concatenate 'string name suffix) folder)))
      (ecase type
        (:file (list (named ".lisp")))
        (:static-file '())
        (:module (loop for part in components
                       append (component-files part (named "/"))))))))

(defun system-files (name)
  "The Lisp files of the system NAME."
  (loop for component in (getf (system-options name) :components)
        append (component-files component *sources*)))

;;; Compiling

(defvar *compiled* (make-hash-table :test 'equal)
  "The fasl of each source.")

(defun compile-and-load (source)
  (let ((part (merge-pathnames (format nil "~D.part" (hash-table-count *compiled*)) *fasls*)))
    (multiple-value-bind (fasl warnings-p failure-p) (compile-file source :output-file part)
      (when (or (null fasl) warnings-p failure-p)
        (setf *failed* t))
      (when fasl
        (load fasl)
        (setf (gethash source *compiled*) fasl)))))

(defun compile-system (name)
  "Compile and load the system NAME, or require it when it is a module of SBCL."
  (if (system-options name)
      (mapc #'compile-and-load (system-files name))
      (require (string-upcase name))))

(defun append-file (file out)
  (with-open-file (in file :element-type '(unsigned-byte 8))
    (let ((octets (make-array (file-length in) :element-type '(unsigned-byte 8))))
      (read-sequence octets in)
      (write-sequence octets out))))

(defun parts-of (name)
  "The systems that go into the fasl of the system NAME."
  (if (string= name "oblist/prepare")
      (list name)
      (remove "oblist/prepare" (needed-systems name) :test #'string=)))

(defun write-fasl (name)
  "Write the fasl of the system NAME; its name is the part of NAME after the slash."
  (let ((fasl (concatenate 'string (subseq name (1+ (position #\/ name))) ".fasl")))
    (with-open-file (out (merge-pathnames fasl *fasls*)
                         :direction :output :if-exists :supersede
                         :element-type '(unsigned-byte 8))
      (dolist (source (mapcan #'system-files (parts-of name)))
        (append-file (gethash source *compiled*) out)))))

;; The files are one unit, because a file may call functions of later files.
(with-compilation-unit ()
  (mapc #'compile-system (needed-systems "oblist")))

(unless *failed*
  (mapc #'write-fasl (getf (system-options "oblist") :depends-on))
  (loop for part being each hash-value of *compiled*
        do (delete-file part)))

(sb-ext:exit :code (if *failed* 1 0) :abort t)
