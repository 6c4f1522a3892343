;;;; Slots: for accessor methods, SBCL records the place of the class; the index has the place of the slot.

(in-package "OBLIST")

(defun slot-interval (scan start end name)
  "The start and end of the slot specifier, in the class between START and END, that defines the accessor
NAME; START and END unless there is exactly one such specifier."
  (let* ((*text* (scan-source scan)) (*cases* (scan-cases scan))
         (places (accessor-tokens (if (consp name) (second name) name) start end)))
    (multiple-value-bind (from to)
        (and places (innermost-form scan (first places) start end))
      (if (and from (null (rest places)))
          (values from to)
          (values start end)))))

(defun accessor-tokens (symbol start end)
  "The places between START and END where SYMBOL's name follows :ACCESSOR, :READER or :WRITER."
  (let ((places '()) (position start) (after-keyword nil))
    (loop
      (setf position (skip-blank position))
      (when (>= position end) (return (nreverse places)))
      (let ((char (char-at position)))
        (cond ((member char '(#\( #\) #\' #\`)) (incf position))
              ((eql char #\,) (incf position (comma-length position)))
              ((eql char #\") (setf position (scan-string position)))
              (t
               (let* ((stop (max (token-end position) (1+ position)))
                      (token (token-string position stop))
                      (name (nth-value 1 (split-token token))))
                 (when (and after-keyword (string= name (symbol-name symbol)))
                   (push position places))
                 ;; In :WRITER (SETF NAME), the token after SETF still counts as after the keyword.
                 (unless (and after-keyword (string= name "SETF"))
                   (setf after-keyword
                         (member token '(":ACCESSOR" ":READER" ":WRITER")
                                 :test #'string=)))
                 (setf position stop))))))))

(defun innermost-form (scan position start end)
  "The smallest numbered form around POSITION that is inside the form from START to END; a list that begins
with SETF counts as a function name and is skipped."
  (let ((best-start nil) (best-end nil))
    (loop for from across (scan-starts scan)
          for to across (scan-ends scan)
          when (and (< start from) (<= to end) (<= from position) (< position to)
                    (not (equal (operator-name scan from) "SETF"))
                    (or (null best-start) (< (- to from) (- best-end best-start))))
            do (setf best-start from best-end to))
    (values best-start best-end)))
