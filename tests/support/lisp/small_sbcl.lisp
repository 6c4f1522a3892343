;;;; Save small.core: this SBCL without the references in its own code and without its sources.

(dolist (code (sb-vm:list-allocated-objects :all :type sb-vm:code-header-widetag))
  (dotimes (number (sb-kernel:code-n-entries code))
    (let* ((function (sb-kernel:%code-entry-point code number))
           (info (sb-kernel:%simple-fun-info function)))
      ;; The references are all of it, or come after the type.
      (when (sb-kernel:%simple-fun-xrefs function)
        (setf (sb-kernel:%simple-fun-info function) (if (consp info) (car info) 'function))))))

(setf (logical-pathname-translations "SYS") '(("SYS:**;*.*.*" "/nowhere/**/*.*")))

(sb-ext:save-lisp-and-die "small.core")
