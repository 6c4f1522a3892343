;;;; LOOP, whose clauses bind names.

(defpackage "LOOPS" (:use "CL"))
(in-package "LOOPS")

(defun item (x) x)

(defun simple (items)
  (loop for item in items
;@                  ^ definition: (defun simple («items»)
        for number from 1
        when (plusp number)
;@                  ^ definition: for «number» from 1
;@                  ^ highlights:
;=   write: for «number» from 1
;=   read: when (plusp «number»)
          collect (item item)))
;@                 ^ definition: (defun «item» (x) x)
;@                      ^ definition: (loop for «item» in items
;@                      ^ hover: (loop for item in items | `item` is a local variable, bound on that line.

(defun nested (table)
  (loop with sum = 0
        for (key . value) in table
;@                 ^ highlights:
;=   write: for (key . «value») in table
;=   read: do (loop for key in «value»
        do (loop for key in value
;@                   ^ highlights:
;=   write: do (loop for «key» in value
;=   read: do (incf sum «key»))
                 do (incf sum key))
;@                        ^ definition: (loop with «sum» = 0
;@                            ^ definition: do (loop for «key» in value
        finally (return (list sum key))))
;@                            ^ definition: (loop with «sum» = 0
;@                                ^ definition: for («key» . value) in table

(defun hashes (table)
  (loop for key being the hash-keys of table using (hash-value value)
        collect key into keys
        maximize value into most
        finally (return (values keys most value))))
;@                              ^ definition: collect key into «keys»
;@                                   ^ highlights:
;=   write: maximize value into «most»
;=   read: finally (return (values keys «most» value))))
;@                                        ^ definition:
;=   (loop for key being the hash-keys of table using (hash-value «value»)

(defun named (lists)
  (loop named outer
        for list in lists
        do (dolist (one list) (when one (return-from outer one)))))
;@                                                   ^ definition: (loop named «outer»
;@                  ^ highlights:
;=   write: do (dolist («one» list) (when one (return-from outer one)))))
;=   read: do (dolist (one list) (when «one» (return-from outer «one»)))))
