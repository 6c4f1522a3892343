;;;; Above a base: an image that starts from the core of a layer, loads more, and dumps what is newer than that core.
;;;;
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

;;; New objects

(defun new-code ()
  "The code objects that are not in the base."
  (loop for size = 20000 then (* 2 size)
        for found = (make-array size)
        for count = 0
        do (map-young-objects (lambda (object type bytes)
                                (declare (ignore bytes))
                                (when (and (eql type sb-vm:code-header-widetag)
                                           (new-object-p object))
                                  ;; Nothing may be allocated while the heap is being walked.
                                  (when (< count size)
                                    (setf (svref found count) object))
                                  (incf count))))
           (when (<= count size)
             (return (coerce (subseq found 0 count) 'list)))))

(defun number-new-packages (packages)
  "Number those of PACKAGES that are not in the base, after it."
  (let ((number (hash-table-count *package-numbers*)))
    (dolist (package packages)
      (unless (gethash package *package-numbers*)
        (setf (gethash package *package-numbers*) (incf number))))))

(defun symbols-unknown-in (package)
  "As two values: the symbols present in PACKAGE that are not in the base, and true if the presence or status of any
other symbol changed."
  (let ((unknown '()) (external 0) (internal 0))
    (declare (fixnum external internal))
    (do-present-symbols (symbol status package)
      (let ((number (symbol-number symbol)))
        (cond ((integerp number)
               (if (eq status :external) (incf external number) (incf internal number)))
              ((and (new-object-p symbol)
                    (not (eq (symbol-package symbol) *oblist-package*)))
               (push symbol unknown)))))
    (values unknown
            (not (equal (list external internal (shadowing-sum package))
                        (gethash package *base-package-sums*))))))

(defun take-newer-baseline ()
  "Number the symbols and packages that are not in the base, after it, and note the packages whose present symbols
changed."
  (setf *baseline-features* (sound-list *features*)
        *baseline-code* (new-code)
        *baseline-packages* (remove *oblist-package* (list-all-packages)))
  (let ((packages (indexed-packages)) (found '()))
    (number-new-packages packages)
    (dolist (package packages)
      (multiple-value-bind (unknown changed) (symbols-unknown-in package)
        (when (or unknown changed)
          (push package *baseline-changed-packages*))
        (dolist (symbol unknown)
          (unless (gethash symbol *symbol-numbers*)
            (cond ((storable-p (symbol-name symbol))
                   (setf (gethash symbol *symbol-numbers*) :new)
                   (push symbol found))
                  (t (note-unstorable "symbol" symbol)))))))
    (setf found (sort found #'symbol-before-p))
    (loop for symbol in found
          for number from (1+ *base-symbol-count*)
          do (setf (gethash symbol *symbol-numbers*) number))
    (setf *baseline-new-symbols* found)))

;;; Deferred files

(defvar *deferred-names* (make-hash-table :test 'equal)
  "Whether files are deferred, by the namestring that SBCL records, as far as that has been asked.")

(defun deferred-file-p (namestring)
  "True when NAMESTRING, as SBCL records it, is that of one of *DEFERRED-FILES*."
  (when *deferred-files*
    (multiple-value-bind (deferred known) (gethash namestring *deferred-names*)
      (if known
          deferred
          (setf (gethash namestring *deferred-names*)
                (let ((file (guarding nil (probe-file (translate-logical-pathname namestring)) (condition)
                              nil)))
                  (and file
                       (member (sb-ext:native-namestring file) *deferred-files* :test #'string=)
                       t)))))))

(defun defer-files (paths)
  "Leave the definitions and uses of the files at PATHS, which this image has loaded, to the images above."
  (setf *deferred-files* paths)
  (when paths
    (dolist (code (new-code))
      (let ((file (source-of-code code)))
        (when (and (stringp file) (deferred-file-p file))
          (setf (gethash code *deferred-code*) t))))))

;;; Files of the base that are loaded again: their text is that of the base, and their code is not

(defvar *loaded-files-of-base* '()
  "The value of *LOADED-FILES* that the base was saved with.")

(defun loaded-again ()
  "The path of a source that the base has loaded, and this image loaded again, or NIL."
  (loop for (nil source) in (ldiff *loaded-files* *loaded-files-of-base*)
        thereis (and source
                     (member source *loaded-files-of-base* :key #'second :test #'equal)
                     source)))

;;; What did not load

(defvar *failures-of-base* '()
  "The failures that the base was saved with.")

(defun new-failures ()
  "What did not load above the base."
  (ldiff *load-failures* *failures-of-base*))

;;; What cannot be stored

(defvar *unstorable-names-of-base* '()
  "The names that the base was saved with.")

(defun new-unstorable-names ()
  "The names met above the base that an index cannot store."
  (ldiff *unstorable-names* *unstorable-names-of-base*))

;;; Loading everything above a base

(defun keep-base-systems ()
  "Make ASDF take the systems that the base has loaded as they are: that their files have not changed is known, or this
image would not have been started."
  (let ((register (asdf-symbol "REGISTER-IMMUTABLE-SYSTEM")))
    (when (and register (fboundp register))
      (mapc register *base-systems*))))

(defun base-has-all-p (name)
  "True when the base has a part of the project, and in it all of the system NAME."
  (and *loaded-files-of-base*
       (member name *base-systems* :test #'string=)))

(defun dump-by (name)
  "Load the dumper and call its function NAME with the descriptor for the records."
  (load-dumper (environment "OBLIST_DUMPER"))
  (funcall (find-symbol name *oblist-package*) (environment "OBLIST_RECORDS")))

(defun dump-and-end (name)
  "Call the dumper's function NAME, and end this process once what is being saved is."
  (setf *sign-of-life* (constantly nil))
  (dump-by name)
  (sb-ext:exit :code (await-snapshot) :abort t))

(defun begin-from-core ()
  "What an image does first that starts from the core of a layer."
  (setf sb-ext:*save-hooks* *save-hooks-of-image*
        *failures-of-base* *load-failures*
        *unstorable-names-of-base* *unstorable-names*
        *loaded-files-of-base* *loaded-files*)
  (sb-ext:disable-debugger)
  (note-surroundings)
  (begin-observing)
  (note-loaded-for "its libraries" "base"))

(defun begin-above ()
  "The toplevel function of a layer's core: OBLIST_VALUES says that the image is to report values, OBLIST_PLACES that it
is for slices, OBLIST_REFRESH that it is to follow a project."
  (note-environment)
  (when (environment "OBLIST_VALUES")
    (serve-saved-image))
  (begin-from-core)
  (cond ((environment "OBLIST_PLACES") (load-for-slice))
        ((environment "OBLIST_REFRESH") (refresh-project))
        (t (load-and-save)))
  (take-newer-baseline)
  (dump-and-end "DUMP-NEWER"))
