;;;; The internals of SBCL that reporting values and evaluating need, each with its reason.
;;;; Seen to work on SBCL 2.2.9 and 2.6.7.

(in-package "OBLIST")

(defun call-with-exit-replaced (replacement function)
  "Call FUNCTION; meanwhile, calls to SB-EXT:EXIT call the function named REPLACEMENT with the original
EXIT and the arguments."
  (unwind-protect (progn (sb-int:encapsulate 'sb-ext:exit replacement (fdefinition replacement))
                         (funcall function))
    (sb-int:unencapsulate 'sb-ext:exit replacement)))

(defun heap-exhausted-p (condition)
  "True when CONDITION says that the heap is full, which needs another report and a garbage collection."
  (typep condition (internal "HEAP-EXHAUSTED-ERROR" "SB-KERNEL")))
