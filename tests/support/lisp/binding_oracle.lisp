;;;; For each place in the file $QUESTIONS, where a toplevel form names a symbol: where is that variable bound?
;;;;
;;;; A question is a line of fields (lines.lisp): path of the file, package, start of the toplevel form, and the
;;;; place.  The answer, a line in $ANSWERS, is a verdict and perhaps a place:
;;;;
;;;;     bound       the compiler meets the symbol as a variable that the symbol at that place binds
;;;;     free        the compiler meets it as a variable, but nothing in the text binds it
;;;;     unmet       the compiler does not meet it as a variable
;;;;     unread      the form cannot be read so
;;;;
;;;; Every other place that names the same symbol gets a symbol of its own, and the place itself a symbol macro
;;;; whose expansion looks at the variables around it.

(load (merge-pathnames "lines.lisp" *load-truename*))

(in-package "TEST-ORACLE")

;;; A reader that knows places

(defvar *text* "")
(defvar *symbol* nil "The symbol that is asked about.")
(defvar *place* 0 "The place that is asked about.")
(defvar *mark* nil "What stands at that place.")
(defvar *places* (make-hash-table :test 'eq) "The other places, by what stands there.")

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
      (#\( (read-list-at (1+ position)))
      (#\' (wrapped (lambda (object) (list 'quote object)) (1+ position)))
      (#\` (wrapped (lambda (object) (list 'sb-int:quasiquote object)) (1+ position)))
      (#\, (case (char-at (1+ position))
             (#\@ (wrapped (lambda (object) (sb-int:unquote object 2)) (+ position 2)))
             (#\. (wrapped (lambda (object) (sb-int:unquote object 1)) (+ position 2)))
             (t (wrapped #'sb-int:unquote (1+ position)))))
      (#\# (if (char= (char-at (1+ position)) #\')
               (wrapped (lambda (object) (list 'function object)) (+ position 2))
               (read-plain position)))
      (t (read-atom position)))))

(defun read-atom (position)
  (multiple-value-bind (object end) (read-plain position)
    (values (cond ((not (and (symbolp object) (eq object *symbol*))) object)
                  ((= position *place*) *mark*)
                  (t (let ((stand-in (make-symbol (symbol-name object))))
                       (setf (gethash stand-in *places*) position)
                       stand-in)))
            end)))

(defun read-list-at (position)
  (let ((objects '()))
    (loop
      (setf position (next-at position))
      (cond ((char= (char-at position) #\)) (return (values (nreverse objects) (1+ position))))
            ((and (char= (char-at position) #\.)
                  (find (char-at (1+ position)) (format nil " ~%	(;")))
             (multiple-value-bind (tail end) (read-at (next-at (1+ position)))
               (return (values (append (nreverse objects) tail) (1+ (next-at end))))))
            (t (multiple-value-bind (object end) (read-at position)
                 (push object objects)
                 (setf position end)))))))

;;; Asking the compiler

(defvar *met* nil "True when the compiler has met the mark as a variable.")
(defvar *nothing* nil "What the mark expands to.")

(defmacro probe (&environment environment)
  (setf *met* t)
  (let ((around (and environment (mapcar #'car (sb-c::lexenv-vars environment)))))
    (dolist (variable around '*nothing*)
      (let ((place (gethash variable *places*)))
        (when place (throw 'bound place))))))

(defun verdict (form)
  "A verdict, and the place where the variable is bound."
  (eval `(define-symbol-macro ,*mark* (probe)))
  (let* ((*met* nil)
         (*error-output* (make-broadcast-stream))
         (*standard-output* *error-output*)
         (place (catch 'bound
                  (handler-bind ((warning #'muffle-warning))
                    (ignore-errors
                     (sb-ext:with-timeout 20
                       (compile nil `(lambda () ,form)))))
                  nil)))
    (cond (place (values "bound" place))
          (*met* "free")
          (t "unmet"))))

(defun answer (start place)
  (clrhash *places*)
  (handler-case
      (let ((*symbol* (read-plain place)) (*place* place))
        (if (or (not (symbolp *symbol*)) (constantp *symbol*))
            "unread"
            (let ((*mark* (make-symbol (symbol-name *symbol*))))
              (verdict (read-at start)))))
    (error () "unread")))

(defun file-text (path)
  (flet ((text (format)
           (with-open-file (in (sb-ext:parse-native-namestring path) :external-format format)
             (let* ((text (make-string (file-length in))) (end (read-sequence text in)))
               (subseq text 0 end)))))
    (handler-case (text :utf-8) (error () (text :latin-1)))))

(let ((questions (read-lines "QUESTIONS")) (file nil))
  ;; What a form defines at compile time is defined again, and what it says about packages is not heeded.
  (mapc #'sb-ext:unlock-package (list-all-packages))
  (with-open-file (out (environment-file "ANSWERS") :direction :output)
    (loop for (path package start place) in questions
          do (unless (equal path file)
               (setf file path *text* (file-text path)))
             (let ((*package* (or (find-package package) *package*)))
               (multiple-value-bind (verdict bound) (answer (parse-integer start) (parse-integer place))
                 (put-line out verdict (and bound (format nil "~D" bound))))))))
