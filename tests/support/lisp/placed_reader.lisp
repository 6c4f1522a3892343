;;;; A reader of texts in standard syntax that tells where each object stands.

(load (merge-pathnames "lines.lisp" *load-truename*))

(in-package "TEST-ORACLE")

(defvar *text* "")
(defvar *on-atom* (lambda (object position end) (declare (ignore position end)) object)
  "Called with an atom and its extent; returns what stands for it.")
(defvar *on-list* #'list "Called with the objects of a list and its extent.")

(defvar *prefixes* "'" "What stands between # and an object that is read as usual.")

(defun char-at (position)
  (if (< position (length *text*))
      (char *text* position)
      (error "The text ends.")))

(defun next-at (position)
  "The position of the next object or closing parenthesis."
  (loop
    (let ((char (char-at position)))
      (cond ((member char '(#\Space #\Newline #\Tab #\Return #\Page)) (incf position))
            ((char= char #\;)
             (setf position (or (position #\Newline *text* :start position) (error "The text ends."))))
            ((char/= char #\#) (return position))
            (t (case (char-at (1+ position))
                 (#\| (setf position (after-comment position)))
                 ((#\+ #\-) (setf position (after-conditional position)))
                 (t (return position))))))))

(defun after-comment (position)
  (let ((depth 0))
    (loop
      (cond ((eql (search "#|" *text* :start2 position) position) (incf depth) (incf position 2))
            ((eql (search "|#" *text* :start2 position :end2 (+ position 2)) position)
             (incf position 2)
             (when (zerop (decf depth)) (return position)))
            (t (char-at (incf position)))))))

(defun after-conditional (position)
  (multiple-value-bind (feature end)
      (let ((*package* (find-package "KEYWORD")))
        (read-plain (next-at (+ position 2))))
    (if (eq (and (sb-int:featurep feature) t) (char= (char-at (1+ position)) #\+))
        end
        (let ((*read-suppress* t))
          (nth-value 1 (read-plain (next-at end)))))))

(defun read-plain (position)
  "What the reader reads at POSITION, and its end."
  (read-from-string *text* t nil :start position :preserve-whitespace t))

(defun read-at (position)
  "The object at POSITION, with symbols that tell their places, and its end."
  (flet ((wrapped (maker next)
           (multiple-value-bind (object end) (read-at (next-at next))
             (values (funcall maker object) end))))
    (case (char-at position)
      (#\( (multiple-value-bind (objects end) (read-list-at (1+ position))
             (funcall *on-list* objects position end)
             (values objects end)))
      (#\' (wrapped (lambda (object) (list 'quote object)) (1+ position)))
      (#\` (wrapped (lambda (object) (list 'sb-int:quasiquote object)) (1+ position)))
      (#\, (case (char-at (1+ position))
             (#\@ (wrapped (lambda (object) (sb-int:unquote object 2)) (+ position 2)))
             (#\. (wrapped (lambda (object) (sb-int:unquote object 1)) (+ position 2)))
             (t (wrapped #'sb-int:unquote (1+ position)))))
      (#\# (if (find (char-at (1+ position)) *prefixes*)
               (wrapped (lambda (object) (list 'function object)) (+ position 2))
               (read-atom position)))
      (t (read-atom position)))))

(defun read-atom (position)
  (multiple-value-bind (object end) (read-plain position)
    (values (funcall *on-atom* object position end) end)))

(defun read-list-at (position)
  (let ((objects '()))
    (loop
      (setf position (next-at position))
      (cond ((char= (char-at position) #\)) (return (values (nreverse objects) (1+ position))))
            ((and (char= (char-at position) #\.)
                  (find (char-at (1+ position)) (format nil " ~%	(;,'`")))
             (multiple-value-bind (tail end) (read-at (next-at (1+ position)))
               (return (values (append (nreverse objects) tail) (1+ (next-at end))))))
            (t (multiple-value-bind (object end) (read-at position)
                 (push object objects)
                 (setf position end)))))))
