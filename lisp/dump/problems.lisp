;;;; Problems: a record for each fact that could not be learned.  One bad symbol never ends a dump.

(in-package "OBLIST")

(defun put-problem (stage subject part type message)
  "Write a problem record: at STAGE, the PART of SUBJECT (a name as text) could not be learned."
  (put-record "problem" "stage" stage "subject" subject "part" part
                        "condition" type "message" message))

(defmacro noting-problems ((stage subject part) &body body)
  "Return the values of BODY; or NIL, after writing a problem record, when BODY signals an error or
exhausts the stack or the heap.  STAGE, SUBJECT and PART are the arguments of PUT-PROBLEM, and are evaluated
only in that case."
  `(handler-case (progn ,@body)
     (serious-condition (condition)
       (multiple-value-bind (type message) (describe-condition condition)
         (put-problem ,stage ,subject ,part type message)
         nil))))
