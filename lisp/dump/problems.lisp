;;;; Problems: a record for each fact that could not be learned.  One bad symbol never ends a dump.

(in-package "OBLIST")

(defvar *witness* nil
  "The stream that witness.lisp writes to, or NIL.")

(defvar *about* nil
  "What is being asked about, if that has a name: a list of the name, the kind and the instance of it, if known.")

(defmacro about ((name &optional kind instance) &body body)
  "Run BODY, which asks about NAME, or about the INSTANCE of KIND that it names."
  `(let ((*about* (list ,name ,kind ,instance)))
     ,@body))

(defun put-problem (stage subject part type message)
  "Write a problem record: at STAGE, the PART of SUBJECT (a name as text) could not be learned."
  (put-record "problem" "stage" stage "subject" subject "part" part
                        "condition" type "message" (without-addresses message)))

(defun put-troubles (stage subject part)
  "Write a problem record for each thing that went wrong since the last."
  (loop for (type message) in (remove-duplicates (reverse (shiftf *troubles* '())) :test #'equal)
        do (put-problem stage subject part type message)))

(defmacro noting-problems ((stage subject part &key open (witness t)) &body body)
  "Return the values of BODY; or NIL if it does not return.  Write a problem record for each thing that goes
wrong in it.  STAGE, SUBJECT and PART are the arguments of PUT-PROBLEM, and are evaluated only when they are needed.
BODY may be OPEN to the code of others: see GUARDING.  Without WITNESS, it is so often run, and so harmless, that it is
not written down before (witness.lisp)."
  (let ((condition (gensym "CONDITION")) (tell (gensym "TELL")))
    `(flet ((,tell (function)
              (funcall function ,stage ,subject ,part)))
       ,@(and witness
              `((when *witness*
                  (,tell 'bear-witness))))
       (multiple-value-prog1 (guarding ,open (progn ,@body) (,condition)
                               (note-trouble ,condition)
                               nil)
         (when *troubles*
           (,tell 'put-troubles))))))
