;;;; The packages and symbols to index, numbered in the order of the index.
;;;;
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defvar *package-numbers* (make-hash-table :test 'eq))
(defvar *symbol-numbers* (make-hash-table :test 'eq))
(defvar *symbols* #() "All symbols of the index, in the order of their numbers.")

(defun storable-p (name)
  "True when UTF-8 can encode the string NAME, so that an index can store it."
  (notany (lambda (char) (<= #xD800 (char-code char) #xDFFF)) name))

(defvar *unstorable-names* '()
  "The names met that an index cannot store, the last one first: lists of a kind and the name, or the symbol.")

(defun note-unstorable (kind name)
  (pushnew (list kind name) *unstorable-names* :test #'equal))

(defun indexed-packages ()
  "The packages to index, sorted by name, except those whose names cannot be stored."
  (let ((packages '()))
    (dolist (package *baseline-packages* (sort packages #'string< :key #'package-name))
      (cond ((null (package-name package)))          ; deleted in the meantime
            ((storable-p (package-name package))
             (push package packages)
             (dolist (nickname (remove-if #'storable-p (package-nicknames package)))
               (note-unstorable "package nickname" nickname))
             (loop for (nickname) in (sb-ext:package-local-nicknames package)
                   unless (storable-p nickname)
                     do (note-unstorable "package-local nickname" nickname)))
            (t (note-unstorable "package" (package-name package)))))))

(defun home-name (symbol)
  (let ((home (symbol-package symbol)))
    (if home (package-name home) "")))

(defun symbol-before-p (a b)
  "True when A comes before B in the index: they are ordered by the code points of the name, then of the
home package's name."
  (let ((name-a (symbol-name a)) (name-b (symbol-name b)))
    (cond ((string= name-a name-b) (string< (home-name a) (home-name b)))
          (t (string< name-a name-b)))))

(defun number-packages (packages)
  "Give each of PACKAGES its number, in order."
  (loop for package in packages
        for number from 1
        do (setf (gethash package *package-numbers*) number)))

(defun number-symbols (packages)
  "Give every symbol present in PACKAGES its number, in the order of the index."
  (let ((found '()))
    (dolist (package packages)
      (do-present-symbols (symbol status package)
        (when (and (known-symbol-p symbol) (not (gethash symbol *symbol-numbers*)))
          (setf (gethash symbol *symbol-numbers*) status)
          (cond ((storable-p (symbol-name symbol)) (push symbol found))
                (t (remhash symbol *symbol-numbers*)
                   (note-unstorable "symbol" symbol))))))
    (setf *symbols* (stable-sort (coerce (nreverse found) 'vector) #'symbol-before-p))
    (loop for symbol across *symbols*
          for number from 1
          do (setf (gethash symbol *symbol-numbers*) number))))

(defun symbol-number (symbol)
  "The number of SYMBOL in the image, or NIL when it is not indexed."
  (gethash symbol *symbol-numbers*))

;;; A slice has only some of the symbols of its image, so it numbers them itself.

(defvar *written-numbers* nil
  "In a slice: the numbers of the symbols written so far; NIL outside one.")

(defun written-number (symbol)
  "The number by which records refer to SYMBOL, or NIL when it is not indexed: in a slice, a symbol gets the
next number when it is first written."
  (cond ((null *written-numbers*) (symbol-number symbol))
        ((symbol-number symbol)
         (or (gethash symbol *written-numbers*)
             (setf (gethash symbol *written-numbers*)
                   (1+ (hash-table-count *written-numbers*)))))))
