;;;; Runs the tests of alexandria with each of some forms redefined, and writes which of them fail.
;;;;
;;;; MUTANTS has a list for each: the package, the new text of a form and the old one, as strings. RESULTS gets a line
;;;; for each: the names of the tests that fail with the new form and pass without it.

(in-package "CL-USER")

(defun env (name) (sb-ext:posix-getenv name))

(defun passes-p (name)
  (handler-case (sb-ext:with-timeout 10
                  (let ((*standard-output* (make-broadcast-stream)))
                    (eq name (sb-rt:do-test name))))
    (serious-condition () nil)))

(defun failing ()
  (loop for name in (let ((*standard-output* (make-broadcast-stream)))
                      (mapcar #'sb-rt::name (cdr sb-rt::*entries*)))
        unless (passes-p name) collect name))

(defun redefine (package text)
  (handler-bind ((warning #'muffle-warning))
    (let ((*package* (find-package package))
          (*error-output* (make-broadcast-stream)))
      (eval (read-from-string text)))))

(defun failing-with (package new old)
  "The tests that fail with the new form, but not once the old one is there again."
  (ignore-errors (redefine package new))
  (let ((failing (failing)))
    (redefine package old)
    (and failing (set-difference failing (failing)))))

(defun run-mutants ()
  (with-open-file (mutants (env "MUTANTS"))
    (with-open-file (results (env "RESULTS") :direction :output :if-exists :supersede)
      (loop for (package new old) = (read mutants nil) while package
            do (format results "~{~A~^ ~}~%" (mapcar #'symbol-name (failing-with package new old)))))))

(run-mutants)
