;;;; A layer: an image that is saved as a core with the numbers of its symbols, so that others start from it, load
;;;; more, and dump only what is newer.  What they start from is their base.  The lowest layer is SBCL alone, the next
;;;; has ASDF; above it is one with the libraries of projects, and each refresh of a project starts from that.
;;;;
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defvar *base-systems* '()
  "The names of the systems that the base has loaded.")

(defvar *base-symbol-count* nil
  "The number of symbols in the base, which is also the highest symbol number; NIL without a base.")

(defvar *base-package-sums* (make-hash-table :test 'eq)
  "The PACKAGE-SUMS of each package of the base.")

(defvar *base-generic-functions* (make-hash-table :test 'eq)
  "The name and the number of methods of each generic function of the base.")

(defvar *base-symbols* #()
  "The symbols of the base, in the order of their numbers.")

(defvar *base-functions* (make-array 0 :adjustable t :fill-pointer t)
  "The cells that hold functions of the base: lists of cell, function or NIL, and symbol.")

(defvar *base-files* (make-hash-table :test 'equal)
  "Above a base: the files of the base, by the namestring that SBCL records.")

(defvar *documented* '()
  "Above a base: the names, functions and classes whose documentation the project set; not what is new
itself, which would be kept after it was replaced.")

(defvar *deferred-files* '()
  "The paths of those of the project's files in a layer that mention what is defined above it: the layer has loaded
them, and leaves their definitions and uses to the images above it, which know what they mention.")

(defvar *deferred-code* (make-hash-table :test 'eq :weakness :key)
  "The code objects that were compiled from these files.")

(defvar *base-class-names* (make-array 0 :adjustable t :fill-pointer t)
  "The symbols of the base that name classes.")

(defvar *base-bound* (make-array 0 :element-type 'bit)
  "For each symbol number of the base: 1 if the symbol had a value.")

(defvar *base-fbound* (make-array 0 :element-type 'bit)
  "For each symbol number of the base: 1 if the symbol had a function.  One that is given a function that is
not new is not touched otherwise.")

(defvar *loaded-files* '()
  "The files loaded in this refresh, newest first: lists of the system's name, and the paths of source and
fasl.  A system that was loaded from its last good files is a list of its name only.")

(defvar *baseline-new-symbols* '()
  "Above a base: the symbols that are not in it.")

(defvar *baseline-changed-packages* '()
  "Above a base: the packages whose present symbols differ from it.")

;;; Remembering the base

(defun shadowing-sum (package)
  "The sum of the numbers of PACKAGE's shadowing symbols; new symbols have no number yet."
  (loop for symbol in (package-shadowing-symbols package)
        for number = (symbol-number symbol)
        when (integerp number) sum number))

(defun package-sums (package)
  "The sums of the numbers of PACKAGE's external, internal and shadowing symbols.  They change when the
symbols present in PACKAGE change, or the status of one of them."
  (let ((external 0) (internal 0))
    (declare (fixnum external internal))
    (do-present-symbols (symbol status package)
      (let ((number (symbol-number symbol)))
        (when number
          (if (eq status :external) (incf external number) (incf internal number)))))
    (list external internal (shadowing-sum package))))

(defun remember-methods (name)
  (let ((function (and (fboundp name) (fdefinition name))))
    (when (typep function 'generic-function)
      (setf (gethash function *base-generic-functions*)
            (cons name (length (methods-of function)))))))

(defun function-names (symbol)
  (if (keywordp symbol)
      '()
      (list symbol `(setf ,symbol) `(sb-ext:cas ,symbol))))

(defun remember-definitions (symbol)
  "Remember which functions, value and class SYMBOL has, because removing one of them leaves nothing new
on the heap."
  (dolist (name (function-names symbol))
    (let ((cell (function-cell name)))
      (when cell
        (vector-push-extend (list cell (cell-function cell) symbol)
                            *base-functions*))))
  (when (find-class symbol nil)
    (vector-push-extend symbol *base-class-names*))
  (setf (sbit *base-bound* (symbol-number symbol)) (if (boundp symbol) 1 0)
        (sbit *base-fbound* (symbol-number symbol)) (if (fboundp symbol) 1 0)))

(defun note-base-files ()
  "Note the files that new code was compiled from; deferred files are new to the images above."
  (dolist (code *baseline-code*)
    (let ((namestring (source-of-code code)))
      ;; By their names: the table of deferred code, whose keys the collector has moved by now, may not find one.
      (when (and (stringp namestring) (not (deferred-file-p namestring)))
        (setf (gethash namestring *base-files*) t)))))

(defun number-everything ()
  "Number everything as this image's dump does, and return the symbols in the order of their numbers."
  (cond (*base-symbol-count*
         (take-newer-baseline)
         (concatenate 'simple-vector *base-symbols* *baseline-new-symbols*))
        (t
         (take-baseline)
         (let ((packages (indexed-packages)))
           (number-packages packages)
           (number-symbols packages))
         *symbols*)))

(defun forget-base ()
  "Forget what was remembered of the base of this image, which is to be the base of others, and which files it loaded,
unless they are the project's."
  (unless (environment "OBLIST_BELOW")
    (setf *loaded-files* '()))
  (clrhash *base-package-sums*)
  (clrhash *base-generic-functions*)
  (setf *base-functions* (make-array 0 :adjustable t :fill-pointer t)
        (fill-pointer *base-class-names*) 0
        *documented* '()
        *baseline-new-symbols* '()
        *baseline-changed-packages* '()))

(defun remember-base ()
  "Number everything as this image's dump does, and remember the state for the images above it to compare with."
  (setf *base-symbols* (number-everything)
        *base-symbol-count* (length *base-symbols*)
        *base-systems* (copy-list *system-names*)
        *base-bound* (make-array (1+ *base-symbol-count*) :element-type 'bit)
        *base-fbound* (make-array (1+ *base-symbol-count*) :element-type 'bit))
  (note-base-files)
  (forget-base)
  (dolist (package (indexed-packages))
    (setf (gethash package *base-package-sums*) (package-sums package)))
  (loop for symbol across *base-symbols*
        do (remember-definitions symbol)
           (mapc #'remember-methods (function-names symbol)))
  (setf *base-functions* (coerce *base-functions* 'simple-vector)
        ;; Drop the data that the images above do not need, to make the core smaller.
        *symbols* #()
        *baseline-code* '()
        *baseline-symbols* *symbol-numbers*))

(defun note-documented-from-now ()
  "Make (SETF DOCUMENTATION) record the objects it is called on, since it changes them without replacing
them."
  (funcall (compile nil '(lambda ()
                          (defmethod (setf documentation) :around (new object type)
                            (declare (ignore new type))
                            (when (or (symbolp object) (consp object) (not (new-object-p object)))
                              (push object *documented*))
                            (call-next-method)))))
  (remember-methods '(setf documentation)))

(defun pass-on (function &rest arguments)
  (apply function arguments))

(defun save-layer (core)
  "Save the image as the CORE of a layer; this process ends."
  (let ((first-p (null *base-symbol-count*))
        (with-asdf-p (member "asdf" *base-systems* :test #'string=)))
    ;; In SBCL's own core, calls are linked directly to functions. Each refresh wraps EXIT and COMPILE-FILE, and
    ;; undoing the links would take longer than starting SBCL, so both are wrapped before saving.
    (when first-p
      (leave-calls-indirect)
      (wrap-function 'sb-ext:exit 'pass-on)
      (wrap-function 'compile-file 'pass-on))
    (restore-debugger-hook)
    (call-watched #'remember-base)
    (when (and (find-package "ASDF") (not with-asdf-p))
      (compile-apart-from-now))
    (when first-p
      (note-documented-from-now)))
  (setf *has-compiled* nil
        *has-compiled-well* nil
        *save-hooks-of-image* sb-ext:*save-hooks*
        sb-ext:*save-hooks* '())
  (sb-ext:save-lisp-and-die (sb-ext:parse-native-namestring core)
                            :toplevel #'begin-above))
