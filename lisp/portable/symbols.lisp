;;;; The records of packages and symbols.

(in-package "OBLIST-RECORDS")

(defun number-of (thing)
  "The number of THING, a symbol or a package; NIL if it is not in the baseline."
  (gethash thing *numbers*))

(defun contract-type (symbol)
  "The type of SYMBOL that rule 9 of docs/formats/records.md gives it."
  (cond ((macro-function symbol) "MACRO")
        ((and (fboundp symbol) (not (special-operator-p symbol))
              (typep (fdefinition symbol) 'generic-function))
         "GENERIC-FUNCTION")
        ((fboundp symbol) "FUNCTION")
        ((find-class symbol nil) "CLASS")
        ((boundp symbol) "VARIABLE")
        (t "SYMBOL")))

(defun put-packages ()
  (dolist (package *packages*)
    (put-record "package"
                "id" (number-of package)
                "name" (package-name package)
                "nicknames" (json-array (sort (remove-if-not #'storable-p (package-nicknames package)) #'string<))
                "documentation" (noting-problems ("package" (package-name package) "documentation")
                                  (as-text (documentation package t)))
                "locked" (json-boolean (locked-p package))
                "uses" (json-array (remove nil (mapcar #'number-of (package-use-list package))))
                "local_nicknames" (json-array
                                   (loop for (nickname . target) in (local-nicknames package)
                                         when (and (number-of target) (storable-p nickname))
                                           collect (list nickname (number-of target)))))))

(defun put-symbols ()
  (loop for start from 0 below (length *symbols*) by 500
        for end = (min (length *symbols*) (+ start 500))
        do (put-record "symbols"
                       "first" (1+ start)
                       "rows" (loop for symbol across (subseq *symbols* start end)
                                    for home = (symbol-package symbol)
                                    collect (list (symbol-name symbol)
                                                  (and home (number-of home)) ; NIL is a symbol, too
                                                  (contract-type symbol))))))

(defun put-presences (package)
  "Write the symbols that are present in PACKAGE, by status, and its shadowing symbols."
  (let ((external '()) (internal '()))
    (do-present-symbols (symbol status package)
      (when (number-of symbol)
        (if (eq status :external)
            (push (number-of symbol) external)
            (push (number-of symbol) internal))))
    (flet ((numbers (list) (json-array (sort list #'<))))
      (put-record "presences"
                  "package" (number-of package)
                  "external" (numbers external)
                  "internal" (numbers internal)
                  ;; ECL lists some symbols twice.
                  ;; ECL lists some symbols twice.
                  "shadowing" (numbers (remove-duplicates
                                        (remove nil (mapcar #'number-of (package-shadowing-symbols package)))))))))
