;;;; The records of packages and symbols.

(in-package "OBLIST")

(defun contract-type (symbol)
  "The contract type of SYMBOL, by the first rule that holds."
  (cond ((macro-function symbol) "MACRO")
        ((not (fboundp symbol))
         (cond ((find-class symbol nil) "CLASS")
               ((boundp symbol) "VARIABLE")
               (t "SYMBOL")))
        ((and (not (special-operator-p symbol))
              (typep (fdefinition symbol) 'generic-function))
         "GENERIC-FUNCTION")
        (t "FUNCTION")))

(defun package-documentation (package)
  (about (package)
    (noting-problems ("package" (package-name package) "documentation" :open t)
      (as-documentation (documentation package t)))))

(defun put-unstorable-names (names)
  "Write a problem for each of NAMES, which NOTE-UNSTORABLE has noted."
  (loop for (kind name) in (reverse names)
        do (put-problem kind (printed name) kind "UNSTORABLE-NAME"
                        "The name contains a surrogate code point.")))

(defun put-packages (packages)
  "Write a record for each of PACKAGES."
  (dolist (package packages)
    (put-record "package"
                "id" (gethash package *package-numbers*)
                "name" (package-name package)
                "nicknames" (json-array (sort (remove-if-not #'storable-p
                                                             (package-nicknames package))
                                              #'string<))
                "documentation" (package-documentation package)
                "locked" (json-boolean (sb-ext:package-locked-p package))
                "uses" (json-array (numbers-of (package-use-list package)))
                "local_nicknames" (json-array (local-nicknames package)))))

(defun numbers-of (packages)
  (loop for package in packages
        for number = (gethash package *package-numbers*)
        when number collect number))

(defun local-nicknames (package)
  "The local nicknames of PACKAGE, sorted: lists (NICKNAME NUMBER)."
  (loop for (nickname . target) in (sort (copy-list (sb-ext:package-local-nicknames package))
                                         #'string< :key #'car)
        for number = (gethash target *package-numbers*)
        when (and number (storable-p nickname))
          collect (list nickname number)))

(defconstant +symbols-per-record+ 500)

(defun put-symbols ()
  "Write all symbols in order: name, number of the home package, contract type."
  (loop for start from 0 below (length *symbols*) by +symbols-per-record+
        for end = (min (length *symbols*) (+ start +symbols-per-record+))
        do (put-record "symbols" "first" (1+ start)
                       "rows" (loop for i from start below end
                                    for symbol = (aref *symbols* i)
                                    collect (list (symbol-name symbol)
                                                  (gethash (symbol-package symbol)
                                                           *package-numbers*)
                                                  (contract-type symbol))))))

(defun put-presences (package)
  "Write the symbols that are present in PACKAGE, by status, and its shadowing symbols."
  (let ((external '()) (internal '()))
    (do-present-symbols (symbol status package)
      (let ((number (written-number symbol)))
        (when number
          (if (eq status :external) (push number external) (push number internal)))))
    (put-record "presences"
                "package" (gethash package *package-numbers*)
                "external" (json-array (sort external #'<))
                "internal" (json-array (sort internal #'<))
                "shadowing" (json-array
                             (sort (loop for symbol in (package-shadowing-symbols package)
                                         for number = (written-number symbol)
                                         when number collect number)
                                   #'<)))))
