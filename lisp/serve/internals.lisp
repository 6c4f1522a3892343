;;;; What is asked of SBCL while it answers that SBCL does not export, each with its reason.
;;;; Seen to work on 2.2.9 and 2.6.8.

(in-package "OBLIST")

(defun heap-exhausted-p (condition)
  "True when CONDITION says that the heap is full: it is reported, and cleaned up after, in our way."
  (typep condition (internal "HEAP-EXHAUSTED-ERROR" "SB-KERNEL")))
