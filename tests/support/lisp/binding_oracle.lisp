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

(load (merge-pathnames "placed_reader.lisp" *load-truename*))

(in-package "TEST-ORACLE")

(defvar *symbol* nil "The symbol that is asked about.")
(defvar *place* 0 "The place that is asked about.")
(defvar *mark* nil "What stands at that place.")
(defvar *places* (make-hash-table :test 'eq) "The other places, by what stands there.")

(defun stand-in (object position end)
  (declare (ignore end))
  (cond ((not (and (symbolp object) (eq object *symbol*))) object)
        ((= position *place*) *mark*)
        (t (let ((stand-in (make-symbol (symbol-name object))))
             (setf (gethash stand-in *places*) position)
             stand-in))))

(setf *on-atom* #'stand-in)

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
