;;;; Packages and symbols: who is there, numbered, and what they are at first sight.

(in-package "OBLIST")

(defvar *package-numbers* (make-hash-table :test 'eq))
(defvar *symbol-numbers* (make-hash-table :test 'eq))
(defvar *symbols* #() "All symbols of the index; their numbers are their places.")

(defun storable-p (name)
  "True when UTF-8, and so the index, can hold the string NAME."
  (notany (lambda (char) (surrogate-code-p (char-code char))) name))

(defun indexed-packages ()
  "The packages to index, sorted by name; those that cannot be stored are problems."
  (let ((packages '()))
    (dolist (package *baseline-packages* (sort packages #'string< :key #'package-name))
      (cond ((null (package-name package)))          ; deleted meanwhile
            ((storable-p (package-name package)) (push package packages))
            (t (put-problem "package" (printed (package-name package)) "package"
                            "UNSTORABLE-NAME"
                            "The package's name has a surrogate code point."))))))

(defun home-name (symbol)
  (let ((home (symbol-package symbol)))
    (if home (package-name home) "")))

(defun symbol-before-p (a b)
  "The order of the index: by code points of the name, then of the home package."
  (let ((name-a (symbol-name a)) (name-b (symbol-name b)))
    (cond ((string= name-a name-b) (string< (home-name a) (home-name b)))
          (t (string< name-a name-b)))))

(defun number-symbols (packages)
  "Give every symbol present in PACKAGES its number, in the order of the index."
  (let ((found '()))
    (dolist (package packages)
      (do-present-symbols (symbol status package)
        (when (and (known-symbol-p symbol) (not (gethash symbol *symbol-numbers*)))
          (setf (gethash symbol *symbol-numbers*) status)
          (cond ((storable-p (symbol-name symbol)) (push symbol found))
                (t (remhash symbol *symbol-numbers*)
                   (put-problem "symbol" (printed symbol) "symbol" "UNSTORABLE-NAME"
                                "The symbol's name has a surrogate code point."))))))
    (setf *symbols* (stable-sort (coerce (nreverse found) 'vector) #'symbol-before-p))
    (loop for symbol across *symbols*
          for number from 1
          do (setf (gethash symbol *symbol-numbers*) number))))

(defun symbol-number (symbol)
  "The number of SYMBOL in the index, or NIL for one that is not in it."
  (gethash symbol *symbol-numbers*))

(defun contract-type (symbol)
  "What SYMBOL is, by the first rule that holds (the text contract's types)."
  (cond ((macro-function symbol) "MACRO")
        ((not (fboundp symbol))
         (cond ((find-class symbol nil) "CLASS")
               ((boundp symbol) "VARIABLE")
               (t "SYMBOL")))
        ((and (not (special-operator-p symbol))
              (typep (fdefinition symbol) 'generic-function))
         "GENERIC-FUNCTION")
        (t "FUNCTION")))

(defun put-packages (packages)
  "Number PACKAGES and write a record for each."
  (loop for package in packages
        for number from 1
        do (setf (gethash package *package-numbers*) number))
  (dolist (package packages)
    (put-record "package"
                "id" (gethash package *package-numbers*)
                "name" (package-name package)
                "nicknames" (json-array (sort (remove-if-not #'storable-p
                                                             (package-nicknames package))
                                              #'string<))
                "documentation" (documentation package t)
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
  "Write which symbols are present in PACKAGE, with status, and which shadow."
  (let ((external '()) (internal '()))
    (do-present-symbols (symbol status package)
      (let ((number (symbol-number symbol)))
        (when number
          (if (eq status :external) (push number external) (push number internal)))))
    (put-record "presences"
                "package" (gethash package *package-numbers*)
                "external" (json-array (sort external #'<))
                "internal" (json-array (sort internal #'<))
                "shadowing" (json-array
                             (sort (loop for symbol in (package-shadowing-symbols package)
                                         for number = (symbol-number symbol)
                                         when number collect number)
                                   #'<)))))
