;;;; Where ASDF finds systems, as the user has configured it.
;;;;
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defun list-places ()
  "Write a line for each system that ASDF finds: its name, a space and the path of its definition file.
The modules that come with SBCL follow, without a path."
  (require-asdf)
  (maphash (lambda (name path)
             (format t "~A ~A~%" name (sb-ext:native-namestring path)))
           (places-of-systems))
  (dolist (fasl (and (sbcl-home)
                     (directory (merge-pathnames "contrib/*.fasl" (sbcl-home)))))
    (format t "~A ~%" (pathname-name fasl))))
