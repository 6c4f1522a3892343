;;;; The internals of SBCL that reporting values and evaluating need, each with its reason.
;;;; Seen to work on SBCL 2.0.11, 2.2.9 and 2.6.7.

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

(defun walked (form walk)
  "FORM as the code walker of PCL returns it: WALK is called with each subform in turn, its context and its
environment, and returns what replaces the subform, and true if that is not to be walked.  Only the walker
knows which parts of a form are evaluated, and in which environment of local macros."
  (sb-walker:walk-form form nil walk))

(defun macroexpanded-all (form)
  "FORM with all macros expanded, as SB-CLTL2:MACROEXPAND-ALL does: since SBCL 2.2.4 that is a function of the walker."
  (let ((expand (internal "MACROEXPAND-ALL" "SB-WALKER")))
    (if expand
        (funcall expand form)
        (progv (list (internal "*WALK-FORM-EXPAND-MACROS-P*" "SB-WALKER")) '(t)
          (sb-walker:walk-form form)))))
