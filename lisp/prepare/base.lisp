;;;; The base of a project: an image with all the project's dependencies loaded, but not the project
;;;; itself.  It is saved as a core with the numbers of its symbols.  Each refresh starts from that core,
;;;; loads the project, and dumps the difference.
;;;;
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defvar *base-systems* '()
  "The names of the systems that the base has loaded.")

(defvar *base-symbol-count* nil
  "The number of symbols in the base, which is also the highest symbol number; NIL outside a refresh.")

(defvar *base-package-sums* (make-hash-table :test 'eq)
  "The PACKAGE-SUMS of each package of the base.")

(defvar *base-generic-functions* (make-hash-table :test 'eq)
  "The name and the number of methods of each generic function of the base.")

(defvar *base-symbols* #()
  "The symbols of the base, in the order of their numbers.")

(defvar *base-functions* (make-array 0 :adjustable t :fill-pointer t)
  "The cells that hold functions of the base: lists of cell, function or NIL, and symbol.")

(defvar *base-files* (make-hash-table :test 'equal)
  "In a refresh or a slice: the files of the base, by the namestring that SBCL records.")

(defvar *documented* '()
  "In a refresh or a slice: the names, functions and classes whose documentation the project set; not what is new
itself, which would be kept after it was replaced.")

(defvar *base-class-names* (make-array 0 :adjustable t :fill-pointer t)
  "The symbols of the base that name classes.")

(defvar *base-bound* (make-array 0 :element-type 'bit)
  "For each symbol number of the base: 1 if the symbol had a value.")

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
  (setf (sbit *base-bound* (symbol-number symbol)) (if (boundp symbol) 1 0)))

(defun remember-base ()
  "Number everything as this image's dump does, and remember the state for a refresh to compare with."
  (take-baseline)
  (let ((packages (indexed-packages)))
    (number-packages packages)
    (number-symbols packages)
    (setf *base-symbol-count* (length *symbols*)
          *base-systems* (copy-list *system-names*))
    (dolist (package packages)
      (setf (gethash package *base-package-sums*) (package-sums package))))
  (setf *base-bound* (make-array (1+ *base-symbol-count*) :element-type 'bit))
  (loop for symbol across *symbols*
        do (remember-definitions symbol)
           (mapc #'remember-methods (function-names symbol)))
  (setf *base-symbols* *symbols*
        *base-functions* (coerce *base-functions* 'simple-vector)
        ;; Drop the data that a refresh does not need, to make the core smaller.
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

(defun save-base (core toplevel)
  "Save the CORE of the base, which starts with the function TOPLEVEL; this process ends."
  ;; In a saved core, calls are linked directly to functions. Each refresh wraps EXIT and COMPILE-FILE, and
  ;; undoing the links would take longer than starting SBCL, so both are wrapped before saving.
  (wrap-function 'sb-ext:exit 'pass-on)
  (wrap-function 'compile-file 'pass-on)
  (restore-debugger-hook)
  (call-watched #'remember-base)
  (compile-apart-from-now)
  (note-documented-from-now)
  (setf *has-compiled* nil
        *save-hooks-of-image* sb-ext:*save-hooks*
        sb-ext:*save-hooks* '())
  (sb-ext:save-lisp-and-die (sb-ext:parse-native-namestring core)
                            :toplevel toplevel))

(defun prepare-base (descriptor)
  "Load everything that the environment names except the project itself, have a child save the core that
OBLIST_SNAPSHOT names, then take the baseline.  The dump of the base comes next."
  (begin-observing descriptor)
  (let ((core (environment "OBLIST_SNAPSHOT")))
    (load-everything #'load-for-project)
    (end-if-compiled)
    (setf *sign-of-life* (constantly nil))
    (drop-replaced-code)
    (begin-snapshot descriptor (lambda () (save-base core #'refresh-project)))
    (quieten-image)
    (take-baseline)))
