;;;; The dump of a slice: records of what one release brings to the image of its base.
;;;;
;;;; The stream is that of a dump, of a smaller image: what is newer than the core, and the names of what that
;;;; refers to.  Packages and symbols come last, when it is known which are referred to.  A last record, outside,
;;;; lists the packages and symbols that the release does not bring.

(in-package "OBLIST")

(defvar *others-files* (make-hash-table :test 'equal)
  "The files of other releases' systems that are not in the base: those of releases that depend on each other.")

(defun note-others-files ()
  (dolist (name *system-names*)
    (unless (or (own-system-p name) (member name *base-systems* :test #'string=))
      (dolist (path (asking-system (name "files") (component-files (asdf "REGISTERED-SYSTEM" name))))
        (when path
          (setf (gethash path *others-files*) t))))))

(defun others-file-p (namestring)
  "True when NAMESTRING, as SBCL records it, is that of a file of another release, or of SBCL's: of those of a
module that the release requires, too, since that comes with SBCL.  Some of these have been generated in the
folder where SBCL was built."
  (or (eql 0 (search "SYS:" namestring))
      (search "/contrib/sb-" namestring)
      (gethash namestring *others-files*)))

(defun of-others-p (source)
  "True when the definition source SOURCE is in a file of another release, or of SBCL's."
  (let ((pathname (and source (sb-introspect:definition-source-pathname source))))
    (and pathname (others-file-p (namestring pathname)))))

(defun own-system-names ()
  "The names of the loaded systems that the release defines."
  (remove-if-not #'own-system-p *system-names*))

(defvar *own-packages* (make-hash-table :test 'eq)
  "True for the packages that the release brings, as far as that has been asked.")

(defun own-package-p (package)
  "True when the release brings PACKAGE."
  (multiple-value-bind (own known) (gethash package *own-packages*)
    (if known
        own
        (setf (gethash package *own-packages*)
              (and (not (gethash package *base-package-sums*))
                   (not (of-others-p (sb-introspect:find-definition-source package))))))))

;;; Symbols: those that the release brings are new, or have got a definition

(defun new-symbol-p (symbol)
  "True when SYMBOL is neither in the base nor in a package that others bring."
  (and (> (symbol-number symbol) *base-symbol-count*)
       (let ((home (symbol-package symbol)))
         (or (null home)
             (gethash home *base-package-sums*)
             (own-package-p home)))))

(defun own-symbol-p (symbol)
  (or (new-symbol-p symbol)
      (eq (gethash symbol *defined-symbols*) t)))

(defun others-code-p (code)
  "True when the object CODE was compiled from a file of another release, or of SBCL's."
  (let ((file (source-of-code code)))
    (and (stringp file) (others-file-p file))))

(defun own-caller-p (name function)
  (and (new-caller-p name function)
       (not (others-code-p (code-of-function function)))))

(defun type-in-slice (symbol)
  "The contract type of SYMBOL as far as this slice has its definitions."
  (cond ((own-symbol-p symbol) (contract-type symbol))
        ((gethash symbol *defined-symbols*) "GENERIC-FUNCTION") ; it has methods here
        (t "SYMBOL")))

(defun written-symbols ()
  "The symbols written so far, in the order of their numbers."
  (let ((symbols (make-array (hash-table-count *written-numbers*))))
    (maphash (lambda (symbol number) (setf (svref symbols (1- number)) symbol))
             *written-numbers*)
    symbols))

(defun put-written-symbols ()
  (let ((symbols (written-symbols)))
    (loop for start from 0 below (length symbols) by +symbols-per-record+
          for end = (min (length symbols) (+ start +symbols-per-record+))
          do (put-record "symbols" "first" (1+ start)
                         "rows" (loop for symbol across (subseq symbols start end)
                                      collect (list (symbol-name symbol)
                                                    (gethash (symbol-package symbol) *package-numbers*)
                                                    (type-in-slice symbol)))))))

;;; Packages

(defun mention-inherited (package)
  "Give numbers to all symbols that PACKAGE inherits: text of the release may name them."
  (dolist (used (package-use-list package))
    (let ((names '()))
      (do-external-symbols (symbol used) (push symbol names))
      (dolist (symbol (sort names #'symbol-before-p))
        (written-number symbol)))))

(defun mentioned-packages (own)
  "The packages that the packages OWN or the symbols written so far refer to, in order, OWN included."
  (let ((mentioned (make-hash-table :test 'eq)))
    (flet ((mention (package)
             (when (gethash package *package-numbers*)
               (setf (gethash package mentioned) t))))
      (dolist (package own)
        (mention package)
        (mapc #'mention (package-use-list package))
        (loop for (nil . target) in (sb-ext:package-local-nicknames package)
              do (mention target)))
      (loop for symbol across (written-symbols)
            do (mention (symbol-package symbol))))
    (sort (loop for package being each hash-key of mentioned collect package)
          #'string< :key #'package-name)))

(defun put-outside-package (package)
  "Write the names of PACKAGE, which the release does not bring, and which of the symbols written are present."
  (put-record "package" "id" (gethash package *package-numbers*)
                        "name" (package-name package)
                        "nicknames" (json-array (sort (remove-if-not #'storable-p (package-nicknames package))
                                                      #'string<))
                        "locked" (json-boolean (sb-ext:package-locked-p package))
                        "uses" :empty
                        "local_nicknames" :empty)
  (let ((external '()) (internal '()))
    (do-present-symbols (symbol status package)
      (let ((number (gethash symbol *written-numbers*)))
        (when number
          (if (eq status :external) (push number external) (push number internal)))))
    (put-record "presences" "package" (gethash package *package-numbers*)
                            "external" (json-array (sort external #'<))
                            "internal" (json-array (sort internal #'<))
                            "shadowing" :empty)))

(defun put-packages-and-symbols (packages)
  (let ((own (remove-if-not #'own-package-p packages)))
    (mapc #'mention-inherited own)
    (mapc #'put-presences own)
    (put-packages own)
    (let* ((mentioned (mentioned-packages own))
           (outside (remove-if #'own-package-p mentioned)))
      (mapc #'put-outside-package outside)
      (put-written-symbols)
      (put-record "outside"
                  "packages" (json-array (numbers-of outside))
                  "symbols" (json-array
                             (loop for symbol across (written-symbols)
                                   for number from 1
                                   unless (own-symbol-p symbol)
                                     collect number)))
      (length mentioned))))

;;; The whole stream

(defun put-slice ()
  (setf *load-failures* (new-failures))
  (put-header)
  (put-load-problems)
  (put-unstorable-names (new-unstorable-names))
  (put-roots)
  (put-all-components)
  (note-others-files)
  (setf *system-names* (own-system-names))
  (put-systems)
  (let ((packages (indexed-packages))
        (touched (touched-symbols))
        (changed (generic-functions-with-other-methods)))
    (setf *written-numbers* (make-hash-table :test 'eq)
          *baseline-code* (remove-if #'others-code-p *baseline-code*))
    (let ((new (remove-if-not #'new-symbol-p *baseline-new-symbols*)))
      (mapc #'written-number new)
      (setf *symbols* (coerce (append new touched) 'vector)))
    (put-definitions)
    (put-package-definitions (remove-if-not #'own-package-p packages))
    (put-classes)
    (loop for (generic-function name) in changed
          do (noting-problems ("class" (printed name) "methods")
               (put-new-methods generic-function name)))
    (put-all-uses packages #'own-caller-p)
    (let ((package-count (put-packages-and-symbols packages)))
      (put-record "end" "packages" package-count
                        "symbols" (hash-table-count *written-numbers*)
                        "definitions" *definition-count*))))

(defun dump-slice (destination)
  "Write all records of a slice to DESTINATION, a path or a descriptor's number."
  (dump-with #'put-slice destination))

;;; The survey

(defun put-survey ()
  (setf *load-failures* (new-failures))
  (put-header :case-tables nil)
  (put-load-problems)
  (put-systems)
  (put-record "surveyed" "defined" (json-array (sort (copy-list *own-systems*) #'string<))
                       "needed" *needed-first*)
  (put-record "end" "packages" 0 "symbols" 0 "definitions" 0))

(defun dump-survey (destination)
  "Write what the definitions of a release say to DESTINATION: a header, problems, systems and an end."
  (dump-with #'put-survey destination))
