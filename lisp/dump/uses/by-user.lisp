;;;; The uses that the definitions of each symbol make, in the order in which they are shown.

(in-package "OBLIST")

(defun symbol-ranks ()
  "A table from the symbols that are used to their places in the order of package and name."
  (let ((ranks (make-hash-table :test 'eq)))
    (loop for (nil . symbol) in (sort (loop for symbol being each hash-key of *uses*
                                            collect (cons (list (and (symbol-package symbol)
                                                                     (package-name (symbol-package symbol)))
                                                                (symbol-name symbol))
                                                          symbol))
                                      (lambda (a b) (eq t (before-p (car a) (car b)))))
          for rank from 1
          do (setf (gethash symbol ranks) rank))
    ranks))

(defun file-ranks ()
  "A table from the numbers of the files to their places in the order of their paths."
  (let ((ranks (make-hash-table)))
    (loop for (nil . number) in (sort (loop for number being each hash-key of *file-paths*
                                              using (hash-value path)
                                            collect (cons path number))
                                      (lambda (a b) (eq t (before-p (list nil (car a)) (list nil (car b))))))
          for rank from 1
          do (setf (gethash number ranks) rank))
    ranks))

(defun callee-order (use symbols files)
  "The order of USE among those that one symbol makes: by relation, callee, file and place."
  (declare (optimize speed))
  (let ((file (caller-file (use-caller use))))
    (flet ((part (number size place)
             (declare (type fixnum number) (type (integer 0 57) size place))
             (the sort-key (ash (min number (1- (ash 1 size))) place))))
      (declare (inline part))
      (the sort-key
           (+ (part (shown-relation use) 5 57)
              (part (gethash (use-callee use) symbols) 20 37)
              (part (use-operator use) 2 35)
              (part (if file (gethash file files 0) 0) 15 20)
              (part (or (use-line use) 0) 20 0))))))

(defun uses-by-user ()
  "The uses that definitions make: a table from (SYMBOL . OPERATOR) to uses."
  (let ((users (make-hash-table :test 'equal)))
    (loop for uses being each hash-value of *uses*
          do (dolist (use uses)
               (let ((name (caller-name (use-caller use))))
                 (when name
                   (multiple-value-bind (operator symbol) (operator-and-symbol name)
                     (push use (gethash (cons symbol
                                              (or (position operator *operators* :test #'string=) 0))
                                        users)))))))
    users))

(defun user-before-p (a b)
  "True when A comes before B: conses of a symbol and the position of an operator."
  (let ((first (symbol-number (car a))) (second (symbol-number (car b))))
    (or (< first second)
        (and (= first second) (< (cdr a) (cdr b))))))

(defun put-uses-by-user ()
  "Write, for each symbol, the numbers of the uses that its definitions make, in order."
  (let ((symbols (symbol-ranks)) (files (file-ranks)) (users '()) (rows (make-rows "callees")))
    (maphash (lambda (user uses) (push (cons user uses) users)) (uses-by-user))
    (loop for ((symbol . operator) . uses) in (sort users #'user-before-p :key #'car)
          do (map-totals (lambda (relation part)
                           (add-row rows (list (written-number symbol) operator relation
                                               (length part) (count-callees part)
                                               (and relation (mapcar #'use-number part)))))
                         (sorted-uses uses (lambda (use) (callee-order use symbols files)))))
    (write-rows rows)))

(defun put-uses ()
  "Write all callers, all uses of each symbol, and all uses by each."
  (rank-callers)
  (put-callers)
  (put-uses-of-symbols)
  (put-uses-by-user))
