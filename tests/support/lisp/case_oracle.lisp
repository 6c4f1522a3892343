;;;; Which characters CHAR-EQUAL joins, into the file $ANSWERS, in code points:
;;;;
;;;; class  C D ...   the classes of more than one character, over all characters: EQUALP
;;;;                  compares characters by CHAR-EQUAL, and so does its hash table
;;;; cased  C         a character that has case, in any sense
;;;; title  C         one of these that has case, but is neither upper nor lower case
;;;; pair   C D       two of these for which (CHAR-EQUAL C D) holds, every pair asked for in both
;;;;                  orders

(load (merge-pathnames "lines.lisp" *load-truename*))

(in-package "TEST-ORACLE")

(defun characters ()
  (loop for code below char-code-limit
        when (code-char code) collect it))

(defun classes ()
  (let ((table (make-hash-table :test 'equalp :size char-code-limit)))
    (dolist (char (characters))
      (push char (gethash char table)))
    (loop for class being the hash-values of table
          when (rest class) collect class)))

(defun cased-p (char)
  (let ((text (string char)))
    (or (both-case-p char)
        (notevery (lambda (change) (string= text (funcall change text)))
                  (list #'sb-unicode:uppercase #'sb-unicode:lowercase #'sb-unicode:titlecase
                        #'sb-unicode:casefold)))))

(defun put-characters (out tag characters)
  (format out "~A~{	~D~}~%" tag (mapcar #'char-code characters)))

(with-open-file (out (environment-file "ANSWERS") :direction :output)
  (dolist (class (classes))
    (put-characters out "class" class))
  (let ((cased (remove-if-not #'cased-p (characters))))
    (dolist (char cased)
      (put-characters out "cased" (list char))
      (when (and (both-case-p char) (not (upper-case-p char))
                 (char/= char (char-downcase char)))
        (put-characters out "title" (list char)))
      (dolist (other cased)
        (when (and (char/= char other) (char-equal char other))
          (put-characters out "pair" (list char other)))))))
