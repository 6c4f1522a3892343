;;;; The last good state: in a refresh, a system that no longer loads may be loaded from the files that were
;;;; compiled when it last did, so that the index goes on following all the others.
;;;;
;;;; The file that OBLIST_LAST_GOOD names says how, in lines of a word and a text:
;;;;
;;;; keep NAME      load this system from its last good files
;;;; omit NAME      do not load this system, which has just failed and never loaded before
;;;; system NAME    the next system in the order in which they last loaded; then for each of its files:
;;;; fasl PATH      the compiled file
;;;; source PATH    the path of the source that it was compiled from
;;;; text PATH      a copy of the source as it was then
;;;;
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defvar *kept-systems* '()
  "The names of the systems to load from their last good files.")

(defvar *omitted-systems* '()
  "The names of the systems not to load.")

(defvar *last-good* '()
  "The systems in the order in which they last loaded: lists of the name and, for each file, a list of fasl,
source and text.")

(defvar *last-good-texts* (make-hash-table :test 'equal)
  "By the path of a source: the path of its text as it was when it was compiled.")

(defun read-last-good (path)
  "Read the file at PATH into the variables above."
  (with-open-file (in (sb-ext:parse-native-namestring path))
    (loop for line = (read-line in nil)
          while line
          do (let* ((space (position #\Space line))
                    (word (subseq line 0 space))
                    (text (subseq line (1+ space))))
               (flet ((word-p (expected) (string= word expected)))
                 (cond ((word-p "keep") (push text *kept-systems*))
                       ((word-p "omit") (push text *omitted-systems*))
                       ((word-p "system") (push (list text) *last-good*))
                       ((word-p "fasl") (push (list text) (rest (first *last-good*))))
                       (t (nconc (second (first *last-good*)) (list text))))))))
  (setf *last-good* (nreverse *last-good*))
  (dolist (system *last-good*)
    (setf (rest system) (nreverse (rest system)))))

(defun planned-systems ()
  "The names of the project's systems that ASDF is to load."
  (remove-if #'base-has-all-p
             (set-difference (systems-to-load) (append *kept-systems* *omitted-systems*) :test #'string=)))

(defun from-last-good-p (name wanted)
  "True when the system NAME is to be loaded from its last good files: it is one to keep, or it is not one of
those WANTED, and was loaded because one of them needs it."
  (or (member name *kept-systems* :test #'string=)
      (and (assoc name *last-good* :test #'string=)
           (not (member name wanted :test #'string=))
           (asdf "REGISTERED-SYSTEM" name))))

(defun load-from-last-good (name)
  "Load the system NAME from its last good files; return true if that succeeds."
  (let ((files (rest (assoc name *last-good* :test #'string=))))
    (when (loading name "system"
                   (lambda ()
                     (loop for (fasl source text) in files
                           do (load (sb-ext:parse-native-namestring fasl))
                              (setf (gethash source *last-good-texts*) text))))
      (push (list name) *loaded-files*))))

(defun in-last-good-order (wanted)
  "The systems WANTED, except those to omit, and what else is loaded from its last good files.  Each comes
after what it needed when it last loaded."
  (let ((known (mapcar #'first *last-good*)))
    (flet ((wanted-p (name) (member name wanted :test #'string=))
           (known-p (name) (member name known :test #'string=))
           (omitted-p (name) (member name *omitted-systems* :test #'string=)))
      (remove-if #'omitted-p
                 (append (remove-if-not (lambda (name)
                                          (or (wanted-p name) (from-last-good-p name wanted)))
                                        known)
                         (remove-if #'known-p wanted))))))

(defun systems-from-last-good ()
  "The names of the systems that were loaded from their last good files."
  (loop for (name source) in *loaded-files*
        unless source collect name))

(defun loaded-systems-with-files ()
  "The systems loaded in this refresh, in order, also those that have no files: lists of the name and, for
each file, a list of source and fasl.  Those from their last good files come without files."
  (let ((systems '()))
    (loop for (name . file) in (append (reverse *loaded-files*) (mapcar #'list (reverse *asked-systems*)))
          do (let ((system (or (assoc name systems :test #'string=)
                               (first (push (list name) systems)))))
               (when file
                 (push file (rest system)))))
    (loop for (name . files) in (reverse systems)
          when (or (null files)
                   (member name *asked-systems* :test #'string=) ; ASDF forgets: see LOADED-SYSTEM-NAMES
                   (asdf "COMPONENT-LOADED-P" (asdf "REGISTERED-SYSTEM" name)))
            collect (cons name (reverse files)))))

(defun text-of-source (path)
  "The path of the text from which the source at PATH was compiled: PATH itself, or a copy of its last good
state."
  (gethash path *last-good-texts* path))
