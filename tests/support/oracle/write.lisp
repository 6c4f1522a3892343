;;;; Writing answers: one line each, fields between tabs, \N for nothing.

(in-package "ORACLE")

(require "SB-INTROSPECT")
(require "SB-CLTL2")

(defvar *out*)

(defun write-field (field)
  (etypecase field
    (null (write-string "\\N" *out*))
    (integer (format *out* "~D" field))
    (string (loop for char across field
                  do (case char
                       (#\\ (write-string "\\\\" *out*))
                       (#\Tab (write-string "\\t" *out*))
                       (#\Newline (write-string "\\n" *out*))
                       (#\Return (write-string "\\r" *out*))
                       (t (write-char char *out*)))))))

(defun answer (tag &rest fields)
  "Write one line: what it is about, then FIELDS, which are strings, integers or NIL."
  (write-string tag *out*)
  (dolist (field fields)
    (write-char #\Tab *out*)
    (write-field field))
  (terpri *out*))

;;; Forms as the contract prints them.  A copy is printed in which symbols and
;;; backquotes are replaced by objects that print as people write them.

(defstruct shown-symbol symbol)

(defmethod print-object ((shown shown-symbol) stream)
  (let* ((symbol (shown-symbol-symbol shown))
         (*package* (or (symbol-package symbol) *package*))
         (*print-gensym* nil))
    (prin1 symbol stream)))

(defstruct shown-prefix text form)

(defmethod print-object ((shown shown-prefix) stream)
  (write-string (shown-prefix-text shown) stream)
  (prin1 (shown-prefix-form shown) stream))

(defun shown (form)
  "A copy of FORM whose symbols print without packages, and whose backquotes print as such."
  (typecase form
    (null nil)
    (keyword form)
    (symbol (make-shown-symbol :symbol form))
    ((cons (eql sb-int:quasiquote) (cons t null))
     (make-shown-prefix :text "`" :form (shown (second form))))
    (cons (cons (shown (car form)) (shown (cdr form))))
    (simple-vector (map 'vector #'shown form))
    ((satisfies sb-int:comma-p)
     (make-shown-prefix :text (elt '("," ",." ",@") (sb-int:comma-kind form))
                        :form (shown (sb-int:comma-expr form))))
    (t form)))

(defun bare-text (form)
  "FORM on one line, symbols but keywords without packages."
  (prin1-to-string (shown form)))

(defun list-text (list)
  "LIST as BARE-TEXT, but () when it is empty."
  (if list (bare-text list) "()"))

(defun full-text (form)
  "FORM on one line, symbols with packages as CL-USER sees them."
  (prin1-to-string form))

(defun elements-text (list)
  "The elements of LIST between spaces, NIL when there are none."
  (and list (format nil "~{~A~^ ~}" (mapcar #'bare-text list))))

(defun place (source)
  "Path, toplevel form, form number and offset of SOURCE; all NIL without a path."
  (let ((pathname (and source (sb-introspect:definition-source-pathname source))))
    (if pathname
        (list (namestring pathname)
              (first (sb-introspect:definition-source-form-path source))
              (sb-introspect:definition-source-form-number source)
              (sb-introspect:definition-source-character-offset source))
        (list nil nil nil nil))))

(defun answer-questions (function)
  "Call FUNCTION with *OUT* open on the file that ORACLE_OUTPUT names."
  (with-open-file (*out* (sb-ext:posix-getenv "ORACLE_OUTPUT")
                         :direction :output :if-exists :supersede
                         :external-format :utf-8)
    (with-standard-io-syntax
      (let ((*print-pretty* nil) (*print-readably* nil))
        (funcall function)))))
