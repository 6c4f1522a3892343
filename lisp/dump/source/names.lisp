;;;; Names in the text: where a form names the operator or the variable that SBCL recorded a use of, and what it
;;;; defines.

(in-package "OBLIST")

(defun token-names-p (name start end)
  "True when the token between START and END of *TEXT* is the symbol name NAME, with or
without a package."
  (declare (type simple-string name) (type fixnum start end))
  (let ((begin (- end (length name))))
    (cond ((not (plain-token-p start end))
           (string= name (nth-value 1 (split-token (token-string start end)))))
          ((< begin start) nil)
          ((not (or (= begin start) (eql (schar *text* (1- begin)) #\:))) nil)
          (t (same-name-p name begin)))))

(defun same-name-p (name begin)
  "True when the reader reads the text at BEGIN, which is plain, as the symbol name NAME."
  (declare (type simple-string name) (type fixnum begin) (optimize speed))
  (macrolet ((compare ()
               '(loop for char across name
                      for position of-type fixnum from begin
                      always (char= char (upcased (schar *text* position))))))
    (if (typep name '(simple-array character (*)))
        (compare)
        (let ((name (coerce name '(simple-array character (*)))))
          (compare)))))

(defun name-text (name)
  "The symbol name in the function name NAME, as a simple string."
  (coerce (symbol-name (if (consp name) (second name) name)) 'simple-string))

(defun operator-place (name start)
  "The position at which the form at START names the operator NAME: as (NAME ..), #'NAME, or for a setf
function in (SETF (NAME ..) ..); else NIL."
  (multiple-value-bind (begin end) (form-operator start)
    (cond ((null begin) nil)
          ((and (consp name) (token-names-p "SETF" begin end))
           (let ((place (skip-blank end)))
             (when (eql (char-at place) #\()
               (setf place (skip-blank (1+ place))))
             (and (char-at place)
                  (token-names-p (name-text name) place (token-end place))
                  place)))
          ((consp name) nil)
          ((token-names-p (name-text name) begin end) begin))))

(defun variable-place (scan toplevel-form form-number name start end)
  "The position of the variable NAME, or NIL.  SBCL numbers only lists: a symbol has the number of the list
that begins next (since 2.5.11, of the list that began last) or, if a transform has moved it, of the
list around it, which is between START and END."
  (let* ((first (aref (scan-firsts scan) toplevel-form))
         (trusted (aref (scan-trusted scan) toplevel-form))
         (before (if *numbers-quoted-lists* form-number (1- form-number)))
         (name (name-text name)))
    (or (and (< before trusted)
             (token-place name
                          (if (minusp before)
                              (aref (scan-toplevel-starts scan) toplevel-form)
                              (aref (scan-starts scan) (+ first before)))
                          (if (< (1+ before) trusted)
                              (aref (scan-starts scan) (+ first before 1))
                              (aref (scan-toplevel-ends scan) toplevel-form))))
        (and (< form-number trusted) (token-place name start end)))))

(defun token-place (name start end)
  "The position of the first token between START and END that names the symbol NAME, or NIL."
  (let ((position start))
    (loop
      (setf position (skip-blank position))
      (when (>= position end) (return nil))
      (case (char-at position)
        ((#\( #\) #\' #\`) (incf position))
        (#\, (incf position (comma-length position)))
        (#\" (setf position (scan-string position)))
        (t (let ((stop (max (token-end position) (1+ position))))
             (when (token-names-p name position stop) (return position))
             (setf position stop)))))))

;;; Names that a form defines

(defun defined-place (start)
  "The position of NAME when the form at START is (DEF... NAME ..), (DEF... (NAME ..) ..) or
(DEF... (SETF NAME) ..), and in the last case the name of the symbol there, SETF or CAS; else NIL."
  (multiple-value-bind (begin end) (form-operator start)
    (when begin
      (let ((operator (nth-value 1 (split-token (token-string begin end))))
            (place (skip-blank end)))
        (when (and (> (length operator) 3)
                   (string= "DEF" operator :end2 3)
                   (char/= #\: (schar *text* begin))) ; :DEFAULT-INITARGS
          (if (eql (char-at place) #\()
              (let* ((inner (skip-blank (1+ place)))
                     (stop (token-end inner))
                     (accessor (find-if (lambda (name) (token-names-p name inner stop))
                                        '("SETF" "CAS"))))
                (if accessor
                    (values (skip-blank stop) accessor)
                    inner))
              place))))))

(defun defines-name-p (start name)
  "True when the form at START is (DEF... NAME ..), or (DEF... (SETF NAME) ..)."
  (multiple-value-bind (place accessor) (defined-place start)
    (and place
         (equal accessor (and (consp name) (symbol-name (first name))))
         (token-at-names-p (cond ((consp name) (name-text name))
                                 ((symbolp name) (symbol-name name))
                                 (t (string name)))
                           place))))

(defun token-at-names-p (name position)
  (and (char-at position)
       (not (delimiter-p (char-at position)))
       (token-names-p (coerce name 'simple-string) position (token-end position))))
