;;;; Whether folded types are as wide as the types that they stand for.
;;;;
;;;; Each question is a line with a FUNCTION type, its folded argument types and its folded result types, between
;;;; tabs; the latter two may be empty.

(in-package "ORACLE")

(deftype function-designator () '(or function symbol))
(deftype string-designator () '(or string symbol character))
(deftype package-designator () '(or string symbol character package))
(deftype pathname-designator () '(or string pathname synonym-stream file-stream))
(deftype stream-designator () '(or stream boolean))

(defparameter *designators*
  '(function-designator string-designator package-designator pathname-designator stream-designator))

(defun read-types (text)
  "The types in TEXT, read in a package of their own, as CL-USER has no designators."
  (let ((*package* (find-package "CL-USER")))
    (import *designators*)
    (read-from-string text)))

(defun flat (types)
  "TYPES, as in a lambda list, without lambda list keywords and the keywords of arguments.  The latter are in the order
of their names: SBCL has them in no certain order."
  (let ((keywords (rest (member '&key types))))
    (loop for type in (append (ldiff types keywords)
                              (sort (remove-if-not #'consp keywords) #'string< :key #'first))
          unless (member type lambda-list-keywords)
            collect (if (typep type '(cons keyword (cons t null))) (second type) type))))

(defun values-of (result)
  "The types of the values that RESULT, of a FUNCTION type, lists."
  (if (typep result '(cons (eql values)))
      (loop for type in (rest result)
            until (member type '(&rest &allow-other-keys))
            unless (eq type '&optional) collect type)
      (list result)))

(defun compare (what whole types folded)
  "Answer how each of TYPES relates to that of FOLDED in its place."
  (unless (= (length types) (length folded))
    (answer "wrong" what whole "length"))
  (loop for type in types
        for wide in folded
        for texts = (list (full-text type) (full-text wide))
        do (multiple-value-bind (part-p certain-p)
               (if (or (member wide '(t *)) (member type '(*)))
                   (values (eq wide t) t)
                   (subtypep type wide))
             (apply #'answer (cond (part-p "wide") (certain-p "narrow") (t "uncertain")) what texts))))

(defun answer-question (line)
  (let* ((first (position #\Tab line))
         (second (position #\Tab line :start (1+ first)))
         (whole (subseq line 0 first))
         (type (read-types whole))
         (arguments (subseq line (1+ first) second))
         (results (subseq line (1+ second))))
    (when (plusp (length arguments))
      (compare "argument" whole (flat (second type)) (flat (read-types arguments))))
    (when (plusp (length results))
      (compare "result" whole (values-of (third type)) (read-types results)))))

(defun answer-all ()
  (with-open-file (in (sb-ext:posix-getenv "ORACLE_QUESTIONS") :external-format :utf-8)
    (loop for line = (read-line in nil)
          while line do (answer-question line))))
