;;;; Of which classes a live SBCL says that the objects of EQL specializers are.

(in-package "ORACLE")

(defvar *classes*
  (loop for symbol across *symbols*
        for class = (find-class symbol nil)
        when class collect (cons symbol class))
  "All classes, with all the symbols that name them.")

(defun names (symbol)
  "Home package and name of SYMBOL."
  (list (and (symbol-package symbol) (package-name (symbol-package symbol))) (symbol-name symbol)))

(defun answer-object (method place object)
  "Answer each class that OBJECT is of, by its own name."
  (let* ((name (sb-mop:generic-function-name (sb-mop:method-generic-function method)))
         (about (append (names (if (consp name) (second name) name))
                        (list (and (consp name) (symbol-name (first name)))
                              (elements-text (method-qualifiers method)) place
                              (full-text object)
                              (list-text (mapcar (lambda (specializer)
                                                   (if (typep specializer 'sb-mop:eql-specializer)
                                                       (list 'eql (sb-mop:eql-specializer-object specializer))
                                                       (class-name specializer)))
                                                 (sb-mop:method-specializers method)))))))
    (loop for (symbol . class) in *classes*
          do (when (and (typep object class) (eq symbol (class-name class)))
               (apply #'answer "object" (append about (names symbol)))))))

(defun answer-all ()
  (loop for (symbol . class) in *classes*
        do (apply #'answer "class" (append (names symbol) (names (class-name class)))))
  (loop for method being the hash-keys of *methods*
        do (loop for specializer in (sb-mop:method-specializers method)
                 for place from 0
                 do (when (typep specializer 'sb-mop:eql-specializer)
                      (answer-object method place (sb-mop:eql-specializer-object specializer))))))
