;;;; The dump above a base: records of what has changed since the base was saved.
;;;;
;;;; The stream is like that of a dump.  Symbols and packages of the base keep their numbers, and new ones
;;;; get higher numbers; all other numbers are valid only in this stream.  It has more kinds of record:
;;;;
;;;; unfit     why the base does not do, if it does not
;;;; deferred  symbols with definitions that the layer being made leaves to the images above it
;;;; loaded    the files of a system of the project, as they were loaded
;;;; touched   symbols of the base all of whose definitions, except methods, follow again
;;;; kept      the methods that a generic function of the base still has, when some are gone
;;;;
;;;; Objects newer than the core show the changes: names, functions, lists of methods and of superclasses,
;;;; SBCL's knowledge about a name.

(in-package "OBLIST")

;;; Deferred files: while the layer is made, what comes from them is left out; above it, it counts as new

(defun begin-deferring ()
  "Note whether this image defers files, or else which symbols and code its base has deferred."
  (setf *deferring* (and *deferred-files* (environment "OBLIST_BELOW") t))
  (cond (*deferring*
         (setf *baseline-code* (remove-if (lambda (code) (gethash code *deferred-code*)) *baseline-code*)))
        (*deferred-files*
         (with-open-file (in (sb-ext:parse-native-namestring (environment "OBLIST_DEFERRED_SYMBOLS")))
           (loop for line = (read-line in nil)
                 while line
                 do (setf (gethash (svref *base-symbols* (1- (parse-integer line))) *deferred-symbols*) t)))
         (loop for code being each hash-key of *deferred-code*
               do (push code *baseline-code*)))))

(defun put-deferred ()
  "Write which symbols have definitions that are left to the images above."
  (when *deferring*
    (put-record "deferred" "symbols" (json-array
                                      (sort (loop for symbol being each hash-key of *deferred-symbols*
                                                  collect (symbol-number symbol))
                                            #'<)))))

(defun counts-as-new-p (kind name instance)
  "True when NAME's INSTANCE of KIND is new, or was deferred by the base."
  (or (new-object-p instance)
      (and (not *deferring*)
           (deferred-p (source-of-definition kind name instance)))))

;;; What has changed

(defun newly-finalized-p (class)
  (through-door (nil)
    (and (sb-mop:class-finalized-p class)
         (new-object-p (sb-mop:class-precedence-list class)))))

(defun class-changed-p (symbol)
  "True when the class that SYMBOL names is new, or has been redefined or finalized since."
  (let ((class (find-class symbol nil)))
    (and class
         (or (new-object-p class)
             ;; What does not tell may have changed; writing it will note why it does not.
             (guarding t (or (new-object-p (sb-mop:class-direct-slots class))
                             (new-object-p (sb-mop:class-direct-superclasses class)))
                 (condition)
               t)
             (newly-finalized-p class)))))

(defun touched-p (symbol number)
  "True when SBCL's knowledge about SYMBOL has something new, or SYMBOL has gained or lost a value or function."
  (or (/= (sbit *base-bound* number) (if (boundp symbol) 1 0))
      (/= (sbit *base-fbound* number) (if (fboundp symbol) 1 0))
      (newly-optimized-p symbol)
      (new-object-p (symbol-knowledge symbol))))

(defun documented-symbol (object)
  "The symbol of the base that names OBJECT, a name, function or class; NIL when there is none."
  (let* ((name (typecase object
                 (class (name-of-class object))
                 (generic-function (name-of-function object))
                 (function (recorded-function-name object))
                 (t object)))
         (symbol (if (consp name) (second name) name))
         (number (and (symbolp symbol) (symbol-number symbol))))
    (and number (<= number *base-symbol-count*) symbol)))

(defun touched-symbols ()
  "The base's symbols whose definitions, methods aside, may have changed, in order."
  (let ((touched (make-hash-table :test 'eq)))
    (flet ((touch (symbol)
             (setf (gethash symbol touched) t)))
      (loop for symbol across *base-symbols*
            for number from 1
            do (when (touched-p symbol number) (touch symbol)))
      (loop for (cell function symbol) across *base-functions*
            do (unless (eq function (cell-function cell))
                 (touch symbol)))
      (loop for symbol across *base-class-names*
            do (when (or (null (find-class symbol nil)) (class-changed-p symbol))
                 (touch symbol)))
      (mapc #'touch (remove nil (mapcar #'documented-symbol *documented*)))
      (dolist (name (newly-in-tables))
        (when (<= (or (symbol-number name) most-positive-fixnum) *base-symbol-count*)
          (touch name)))
      (unless *deferring*
        (loop for symbol being each hash-key of *deferred-symbols* do (touch symbol))))
    (sort (loop for symbol being each hash-key of touched collect symbol)
          #'< :key #'symbol-number)))

(defun put-new-symbols ()
  (put-record "symbols" "first" (1+ *base-symbol-count*)
                        "rows" (json-array
                                (loop for symbol in *baseline-new-symbols*
                                      collect (list (symbol-name symbol)
                                                    (gethash (symbol-package symbol)
                                                             *package-numbers*)
                                                    (contract-type symbol))))))

(defun put-touched (symbols)
  (put-record "touched" "symbols" (json-array
                                   (loop for symbol in symbols
                                         collect (list (symbol-number symbol)
                                                       (contract-type symbol))))))

;;; Methods that the project added to generic functions of the base, or removed

(defvar *method-kind* (find "method" *kinds* :key #'kind-name :test #'string=))

(defun put-kept-methods (generic-function name count)
  "If fewer than COUNT methods of the base's GENERIC-FUNCTION are left, write those that are: none if NAME
is no longer its name."
  (let ((kept (and (eq generic-function (generic-function-named name))
                   (remove-if #'new-object-p
                              (methods-of generic-function)))))
    (when (< (length kept) count)
      (when (gethash (nth-value 1 (operator-and-symbol name)) *deferred-symbols*)
        (put-record "unfit" "why" "A method of the layer that may be deferred is gone."))
      (multiple-value-bind (operator symbol) (operator-and-symbol name)
        (put-record "kept" "symbol" (symbol-number symbol)
                           "operator" operator
                           "methods" (json-array
                                      (loop for method in kept
                                            collect (list (written-list (qualifiers-of method))
                                                          (json-array
                                                           (mapcar #'specializer-row
                                                                   (specializers-of method)))))))))))

(defun generic-functions-with-other-methods ()
  "The generic functions of the base whose methods have changed, in the order of their symbols: lists of
the function, its name, and the number of its methods in the base."
  (let ((changed '()))
    (maphash (lambda (generic-function name-and-count)
               (destructuring-bind (name . count) name-and-count
                 ;; When a method was removed, the new list may be a tail of the old one.
                 (unless (and (eq generic-function (generic-function-named name))
                              (not (gethash (nth-value 1 (operator-and-symbol name)) *deferred-symbols*))
                              (let ((methods (methods-of generic-function)))
                                (and (= count (length methods))
                                     (not (new-object-p methods)))))
                   (push (list generic-function name count) changed))))
             *base-generic-functions*)
    (sort changed #'< :key (lambda (one)
                             (symbol-number (nth-value 1 (operator-and-symbol (second one))))))))

(defun put-new-methods (generic-function name)
  "Write the methods that the project added to the GENERIC-FUNCTION of the base, if NAME is its name."
  (when (eq generic-function (generic-function-named name))
    (dolist (method (methods-of generic-function))
      (when (and (known-method-p method)
                 (counts-as-new-p *method-kind* name method)
                 (not (deferred-definition-p *method-kind* name method)))
        (put-definition *method-kind* name method)
        (noting-problems ("class" (printed name) "specializers")
          (put-specializers name method))))))

;;; References and uses at toplevel: only those in new code and new files

(defun new-caller-p (name code)
  "True for new code, and for a NAME with a new symbol: the project may give a new name to code of the
base, as when COPY-SEQ becomes the copier of a structure of type LIST."
  (if (and *deferred-files* (gethash (code-of-function code) *deferred-code*))
      (not *deferring*)
      (or (new-object-p code)
          (new-object-p (nth-value 1 (operator-and-symbol name))))))

;;; What was loaded

(defun put-loaded ()
  (let ((kept (systems-from-last-good)))
    (loop for (name . files) in (loaded-systems-with-files)
          do (put-record "loaded" "system" name
                                  "kept" (json-boolean (member name kept :test #'string=))
                                  "files" (json-array files)))))

;;; The whole stream

(defun put-unfit ()
  "Say that the base does not do if methods of it were documented, or a file of it was loaded again: their definitions
and uses do not follow again."
  (when (find-if (lambda (object) (typep object 'method)) *documented*)
    (put-record "unfit" "why" "A method of the layer is documented above it."))
  (when (loaded-again)
    (put-record "unfit" "why" (format nil "~A, which the layer has, was loaded again." (loaded-again)))))

(defun package-follows-p (package)
  "True when the definition of PACKAGE is not that of the base, which had none, or another, or deferred it."
  (let ((deferred (deferred-p (and *deferred-files* (sb-introspect:find-definition-source package))))
        (location (package-location package)))
    (cond (deferred (not *deferring*))
          ((gethash package *base-package-sums*)
           (or (and location (new-object-p location))
               (member package *documented* :test #'eq)))
          (t))))

(defun put-newer ()
  (put-header :case-tables nil)
  (begin-deferring)
  (put-unfit)
  (read-base-files (environment "OBLIST_BASE_FILES"))
  (put-load-problems)
  (put-roots)
  (put-all-components)
  (setf *system-names* (remove-if (lambda (name)
                                    (and (member name *base-systems* :test #'string=)
                                         (not (member name *asked-systems* :test #'string=))
                                         (not (own-system-p name))))
                                  *system-names*))
  ;; Files of a layer with a part of the project may be in folders of systems that come later.
  (put-systems (remove-if-not (lambda (name) (asdf "REGISTERED-SYSTEM" name)) (environment-lines "OBLIST_OWNERS")))
  (put-loaded)
  (let ((packages (indexed-packages))
        (touched (touched-symbols)))
    (put-unstorable-names (new-unstorable-names))
    (put-packages packages)
    (put-new-symbols)
    (put-touched touched)
    (mapc #'put-presences (reverse *baseline-changed-packages*))
    (setf *symbols* (coerce (append *baseline-new-symbols* touched) 'vector))
    (put-definitions)
    (put-package-definitions (remove-if-not #'package-follows-p packages))
    (put-classes)
    (let ((changed (generic-functions-with-other-methods)))
      (loop for (generic-function name count) in changed
            do (noting-problems ("class" (printed name) "methods")
                 (put-kept-methods generic-function name count)))
      (loop for (generic-function name) in changed
            do (noting-problems ("class" (printed name) "methods")
                 (put-new-methods generic-function name))))
    (put-all-uses packages #'new-caller-p)
    (put-deferred)
    (put-record "end" "packages" (length packages)
                      "symbols" (hash-table-count *symbol-numbers*)
                      "definitions" *definition-count*)))

(defun dump-newer (destination)
  "Write the records of what is newer than the base to DESTINATION, a path or a descriptor's number."
  (dump-with #'put-newer destination))

(defun put-failures ()
  (put-header :case-tables nil)
  (put-load-problems)
  (put-record "end" "packages" 0 "symbols" 0 "definitions" 0))

(defun dump-failures (destination)
  "Write the failures to load to DESTINATION: a header, problems and an end."
  (dump-with #'put-failures destination))
