;;;; Forms that an index rebuilt, against the classes of this image, into the file $ANSWERS.
;;;;
;;;; $QUESTIONS has lines PACKAGE NAME FORM. Each FORM is read, never evaluated, in PACKAGE; the
;;;; answer is a line PACKAGE NAME PART READ LIVE for each part that is not as in the image, and a
;;;; line "compared" N SLOTS at the end.

(load (merge-pathnames "lines.lisp" *load-truename*))

(in-package "TEST-ORACLE")

(defun options (form)
  (loop for (key value) on (if (consp form) (rest form) '()) by #'cddr
        collect (list key value)))

(defun values-of (key options)
  (loop for (one value) in options when (eq one key) collect value))

(defun sorted (names)
  (sort (remove-duplicates (mapcar #'shown names) :test #'string=) #'string<))

(defun shown (thing)
  (with-standard-io-syntax
    (let ((*package* (find-package "KEYWORD")) (*print-readably* nil))
      (prin1-to-string thing))))

(defun slot-names (slots)
  (loop for slot in slots collect (if (consp slot) (first slot) slot)))

(defun read-class (form)
  "Superclasses, slots, and readers, writers and initargs slot by slot, according to FORM."
  (destructuring-bind (superclasses slots &rest options) (cddr form)
    (declare (ignore options))
    (values superclasses (slot-names slots)
            (loop for slot in slots
                  for options = (options slot)
                  for accessors = (values-of :accessor options)
                  collect (list (sorted (append accessors (values-of :reader options)))
                                (sorted (append (loop for name in accessors collect `(setf ,name))
                                                (values-of :writer options)))
                                (sorted (values-of :initarg options)))))))

(defun read-structure (form)
  (destructuring-bind (head &rest slots) (rest form)
    (values (loop for (option value) in (if (consp head) (rest head) '())
                  when (eq option :include) collect value)
            (slot-names (remove-if #'stringp slots)))))

(defun live-class (class)
  "The same of CLASS as it is; that a structure is a STRUCTURE-OBJECT no form says."
  (let ((slots (sb-mop:class-direct-slots class))
        (names (mapcar #'class-name (sb-mop:class-direct-superclasses class))))
    (values (if (typep class 'structure-class)
                (remove 'structure-object names)
                names)
            (mapcar #'sb-mop:slot-definition-name slots)
            (unless (typep class 'structure-class)
              (loop for slot in slots
                    collect (list (sorted (sb-mop:slot-definition-readers slot))
                                  (sorted (sb-mop:slot-definition-writers slot))
                                  (sorted (sb-mop:slot-definition-initargs slot))))))))

(with-open-file (out (environment-file "ANSWERS") :direction :output)
  (let ((compared 0) (slots 0))
    (loop for (package name text) in (read-lines "QUESTIONS")
          for form = (handler-case
                         (sb-ext:without-package-locks
                           (let ((*package* (find-package package)) (*read-eval* nil))
                             (multiple-value-bind (form end) (read-from-string text)
                               (assert (= end (length text)))
                               form)))
                       (error (condition)
                         (put-line out package name "read" (princ-to-string condition) text)
                         nil))
          for class = (find-class (find-symbol name package))
          do (when form
               (incf compared)
               (let ((read (multiple-value-list (if (eq (first form) 'defstruct)
                                                    (read-structure form)
                                                    (read-class form))))
                     (live (multiple-value-list (live-class class))))
                 (incf slots (length (second live)))
                 (unless (eq (find-symbol name package)
                             (if (consp (second form)) (first (second form)) (second form)))
                   (put-line out package name "name" (shown (second form)) ""))
                 (loop for part in '("superclasses" "slots" "functions and initargs")
                       for one in (append read (list nil)) for other in (append live (list nil))
                       unless (equal one other)
                         do (put-line out package name part (shown one) (shown other))))))
    (put-line out "compared" (princ-to-string compared) (princ-to-string slots))))
