;;;; For each place in the file $QUESTIONS: what does SBCL's reader read there?
;;;;
;;;; A question is a line of fields (lines.lisp): path of a file, and a place in its text.  The answer, a line in
;;;; $ANSWERS, is what begins at that place, where it ends, a name, and what a list seems to define:
;;;;
;;;;     list        the name is that of its operator; it defines the first symbol of its second element
;;;;     symbol      the name is that of the symbol
;;;;     string      the name is what it says
;;;;     atom        some other atom
;;;;     within      nothing begins there, but the place is in an atom that begins with #
;;;;     unread      the reader cannot read the toplevel form there
;;;;     nothing     the reader reads nothing there

(load (merge-pathnames "placed_reader.lisp" *load-truename*))

(in-package "TEST-ORACLE")

(defvar *read* (make-hash-table) "What stands at each place, as fields of an answer.")
(defvar *opaque* '() "The extents of atoms that begin with #.")
(defvar *unread* '() "The extents of toplevel forms that cannot be read.")

(defun name-of (object)
  (and (symbolp object) (symbol-name object)))

(defun first-symbol (object)
  "The name of the first symbol in OBJECT, but for prefixes and SETF."
  (cond ((consp object)
         (or (and (not (member (car object) '(setf quote function)))
                  (first-symbol (car object)))
             (first-symbol (cdr object))))
        ((null object) nil)
        (t (name-of object))))

(defun note-atom (object position end)
  (when (char= (char-at position) #\#)
    (push (cons position end) *opaque*))
  (setf (gethash position *read*)
        (typecase object
          (symbol (list "symbol" end (symbol-name object) nil))
          (string (list "string" end object nil))
          (t (list "atom" end nil nil))))
  object)

(defun note-list (objects position end)
  (setf (gethash position *read*)
        (list "list" end
              (and (consp objects) (name-of (first objects)))
              (and (consp objects) (consp (cdr objects)) (first-symbol (list (second objects)))))))

(setf *on-atom* #'note-atom
      *on-list* #'note-list
      ;; Iterate's source has a reader macro of its own, #L.
      *prefixes* "'L")

(defun end-of-unread (position)
  "The beginning of the next line that begins with a parenthesis."
  (let ((found (search (format nil "~%(") *text* :start2 position)))
    (if found (1+ found) (length *text*))))

(defun read-toplevel (position)
  "Read what begins at POSITION, heed what it says about the package, and return its end."
  (handler-case
      (handler-bind ((sb-int:simple-reader-package-error
                       (lambda (condition)
                         ;; A name that was changed is not exported: it is made.
                         (let ((restart (find-restart 'continue condition)))
                           (when restart (invoke-restart restart))))))
        (multiple-value-bind (form end) (read-at position)
          (when (typep form '(cons (eql in-package)))
            (eval form))
          end))
    (error ()
      (let ((end (end-of-unread (1+ position))))
        (push (cons position end) *unread*)
        end))))

(defun read-all (path)
  (clrhash *read*)
  (setf *text* (file-text path) *opaque* '() *unread* '())
  (let ((*package* (find-package "COMMON-LISP-USER")) (position 0))
    (loop
      (setf position (handler-case (next-at position)
                       (error () (return))))
      (setf position (read-toplevel position)))))

(defun in-one-p (place extents)
  (find-if (lambda (extent) (<= (car extent) place (1- (cdr extent)))) extents))

(defun put-answer (out place)
  (destructuring-bind (kind &optional end name defines)
      (cond ((in-one-p place *unread*) '("unread"))
            ((gethash place *read*))
            ((in-one-p place *opaque*) '("within"))
            (t '("nothing")))
    (put-line out kind (and end (format nil "~D" end)) name defines)))

(mapc #'sb-ext:unlock-package (list-all-packages))

(let ((file nil))
  (with-open-file (out (environment-file "ANSWERS") :direction :output)
    (loop for (path place) in (read-lines "QUESTIONS")
          do (unless (equal path file)
               (setf file path)
               (read-all path))
             (put-answer out (parse-integer place)))))
