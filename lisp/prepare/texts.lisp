;;;; Which text a fasl was compiled from: ASDF goes by dates, and a file that is moved, copied or unpacked keeps its own.
;;;;
;;;; Each compilation is noted in the file that OBLIST_TEXTS names, which all images share: a line with the fasl's
;;;; inode, size and date, and a hash of the source.  The name is left out, because ASDF renames what it has compiled.
;;;; A fasl that others have compiled is taken to be of the present text if that is older, by the date of its inode,
;;;; which programs cannot set; then it is noted as well.  Without the variable, nothing is noted or doubted.
;;;;
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defvar *texts* nil
  "A table from the identity of a fasl to the hash of the text that it was compiled from; NIL before it is read.")

(declaim (ftype (function ((simple-array (unsigned-byte 8) (*))) (unsigned-byte 64)) octets-hash))
(defun octets-hash (octets)
  "The hash FNV-1a of OCTETS (64 bits)."
  (declare (type (simple-array (unsigned-byte 8) (*)) octets) (optimize speed))
  (let ((hash #xCBF29CE484222325))
    (declare (type (unsigned-byte 64) hash))
    (loop for octet across octets
          do (setf hash (ldb (byte 64 0) (* (logxor hash octet) #x100000001B3))))
    hash))

(defun read-octets (path)
  "The contents of the file at PATH, which has to be a regular one."
  (refuse-special-file path)
  (with-open-file (in path :element-type '(unsigned-byte 8))
    (let ((octets (make-array (file-length in) :element-type '(unsigned-byte 8))))
      (read-sequence octets in)
      octets)))

(defun text-hash (path)
  "The hash of the file at PATH, or NIL if it cannot be read."
  (handler-case (octets-hash (read-octets path))
    (error () nil)))

(defun all-texts ()
  "The table of all texts that are known."
  (or *texts*
      (let ((path (environment "OBLIST_TEXTS")))
        (setf *texts* (make-hash-table :test 'equal))
        (when path
          (with-open-file (in (sb-ext:parse-native-namestring path) :if-does-not-exist nil
                              :external-format :latin-1)
            (loop for line = (and in (read-line in nil))
                  while line
                  do (note-line line))))
        *texts*)))

(defun note-line (line)
  "Enter a line of the file into the table; one that is cut short counts for nothing."
  (let ((numbers (loop for start = 0 then (1+ end)
                       for end = (position #\Space line :start start)
                       collect (parse-integer line :start start :end end :junk-allowed t)
                       while end)))
    (when (and (= 4 (length numbers)) (notany #'null numbers))
      (setf (gethash (subseq numbers 0 3) *texts*) (fourth numbers)))))

(defun compiled-from (fasl)
  "The hash of the text that FASL was compiled from, or NIL if that is not known."
  (values (gethash (file-identity fasl) (all-texts))))

(defun note-compiled-from (fasl hash)
  "Note that FASL was compiled from the text with HASH."
  (let ((path (environment "OBLIST_TEXTS")) (identity (file-identity fasl)))
    (when (and path identity hash)
      (setf (gethash identity (all-texts)) hash)
      ;; What cannot be noted is compiled again the next time.
      (handler-case (with-open-file (out (sb-ext:parse-native-namestring path)
                                         :direction :output :if-exists :append :if-does-not-exist :create
                                         :external-format :latin-1)
                      (write-string (format nil "~{~D ~}~D~%" identity hash) out))
        (error () nil)))))

(defun changed-since-p (source fasl)
  "True when SOURCE may have changed after FASL was written, by the date of its inode."
  (let ((changed (inode-date source)))
    (or (null changed) (>= changed (file-write-date fasl)))))

(defun other-text-p (source fasl)
  "True unless FASL was compiled from the present text of SOURCE, as far as that is known."
  (let ((known (compiled-from fasl)) (hash (text-hash source)))
    (cond ((null hash) t)
          (known (/= known hash))
          ((changed-since-p source fasl) t)
          (t (note-compiled-from fasl hash)
             nil))))
