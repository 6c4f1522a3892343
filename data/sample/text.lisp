;;;; Strings.

(in-package "GAZETTE.TEXT")

(defvar *ellipsis* "..."
  "What stands for the part of a text that was cut off.")

(defparameter *white* '(#\Space #\Tab #\Newline #\Return)
  "The characters that do not show.")

(declaim (inline whitep))
(defun whitep (char)
  "True for a character that does not show."
  (member char *white*))

(defun blankp (text)
  "True when TEXT is NIL or has nothing that shows."
  (or (null text) (every #'whitep text)))

(defun trim (text)
  "TEXT without what does not show at its ends."
  (string-trim *white* text))

(defun split-at (char text)
  "The parts of TEXT between the CHARs in it."
  (loop with start = 0
        for end = (position char text :start start)
        collect (subseq text start end)
        while end
        do (setf start (1+ end))))

(define-compiler-macro split-at (&whole form char text)
  "Nothing is to be split in a constant text that has no such character."
  (if (and (characterp char) (stringp text) (not (find char text)))
      `(list ,text)
      form))

(defun join (separator texts)
  "TEXTS with SEPARATOR between them."
  (with-output-to-string (out)
    (loop for (text . more) on texts
          do (write-string text out)
             (when more (princ separator out)))))

(defun shorten (text &key (width 72) (ellipsis *ellipsis*))
  "TEXT cut to WIDTH characters at most, at the end of a word where there is one."
  (if (<= (length text) width)
      text
      (let* ((limit (max 0 (- width (length ellipsis))))
             (space (position-if #'whitep text :end limit :from-end t)))
        (concatenate 'string (subseq text 0 (or space limit)) ellipsis))))

(defun word-count (text)
  "How many words TEXT has."
  (loop with inside = nil
        for char across text
        count (and (not (whitep char)) (not inside))
        do (setf inside (not (whitep char)))))

(defun escape-html (text)
  "TEXT as HTML shows it."
  (with-output-to-string (out)
    (loop for char across text
          do (case char
               (#\< (write-string "&lt;" out))
               (#\> (write-string "&gt;" out))
               (#\& (write-string "&amp;" out))
               (#\" (write-string "&quot;" out))
               (t (write-char char out))))))
