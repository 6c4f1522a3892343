;;;; The relations between symbols and the code or text that uses them.

(in-package "OBLIST")

(defparameter *relations*
  '((:calls . "calls") (:macroexpands . "macroexpands") (:references . "references")
    (:sets . "sets") (:binds . "binds") (:specializes . "specializes")
    (:instantiates . "instantiates") (:handles . "handles") (:tests . "tests")
    (:declares . "declares") (:inherits . "inherits") (:exports . "exports")
    (:imports . "imports") (:names . "names") (:mentions . "mentions")
    (:defines . "defines"))
  "Our keyword and our word for each relation, in the order in which they are shown.  SBCL records the first
five under these keywords.")

(defparameter *operators* '(nil setf sb-ext:cas)
  "The operators around function names, in the order of their numbers in the stream.")

(defun relation-number (relation)
  (or (position relation *relations* :key #'car)
      (error "There is no relation ~S." relation)))

(define-compiler-macro relation-number (&whole form relation)
  (if (keywordp relation)
      `(load-time-value (the fixnum (position ,relation *relations* :key #'car)))
      form))
