;;;; Compiling in a refresh: a forked child compiles, and reports each file that it has compiled.
;;;;
;;;; The compiler interns and defines things that are in no fasl.  So the image that is dumped only loads
;;;; files, each as soon as it is compiled.
;;;;
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defvar *compiler* nil
  "The role of this process: :NEW if it is the child that compiles, :ELSEWHERE if its child compiles, NIL
if there is no child because ASDF planned nothing to compile or forking failed.  (SBCL already has these
keywords.)")

(defvar *plain-project* t
  "False when the project consists of more than Lisp files.")

(defvar *compiler-process* nil
  "The process number of the child that compiles; NIL before it starts and after it ends.")

(defvar *compiled-files* nil
  "The stream of reports from the child that compiles; see HEAR-COMPILER.")

(defvar *being-compiled* "the project"
  "The path of the source that the child is compiling; NIL when the child has finished.")

(defvar *awaited-files* (make-hash-table :test 'equal)
  "The paths of the fasls that the child has not reported yet.")

(defconstant +later+ (expt 2 40)
  "A universal time after the date of any file.")

;;; Reports from the child, and waiting for it

(defun hear-compiler ()
  "Read and return the next line from the child, or NIL at the end.  The line is > and a path when the
child begins to compile that source, the path of a fasl when the child has written it, and empty when the
child has loaded everything."
  (let ((line (read-line *compiled-files* nil)))
    (cond ((null line))
          ((string= line "") (setf *being-compiled* nil))
          ((char= (char line 0) #\>) (setf *being-compiled* (subseq line 1)))
          (t (remhash line *awaited-files*)))
    line))

(defun note-lost-compiler (status)
  "Record as a failure that the child ended before it had compiled everything."
  (push (list *being-compiled* "file" "COMPILER-ENDED"
              (format nil "The process that was compiling this file ended ~:[with code ~A~;by signal ~A~]."
                      (plusp (logand status 127))
                      (if (plusp (logand status 127)) (logand status 127) (ash status -8)))
              (and (find #\/ *being-compiled*) *being-compiled*) nil nil)
        *load-failures*))

(defun call-with-compiler (function)
  "If a child is compiling, call FUNCTION, which waits for the child; kill the child if FUNCTION does not
return."
  (let ((ended nil))
    (when *compiler-process*
      (unwind-protect (progn (call-off-the-clock function)
                             (setf ended t))
        (unless (or ended (null *compiler-process*))
          (c-int "kill" (shiftf *compiler-process* nil) +kill+))))))

(defun wait-for-compiler ()
  "Wait until the child has ended; if it has reported failures, end this process as well."
  (sb-alien:with-alien ((status sb-alien:int))
    (loop while (hear-compiler))
    (loop until (= *compiler-process*
                   (wait-for-process *compiler-process* (sb-alien:addr status)))
          ;; A signal interrupted the wait, or some loaded code already waited for the child.
          do (unless (zerop (c-int "kill" *compiler-process* 0))
               (end-process 1)))
    (setf *compiler-process* nil)
    (clrhash *awaited-files*)
    (cond ((= status (ash 1 8)) (end-process 1))
          ((= status (ash +compiled-here+ 8)) (end-process +compiled-here+))
          (*being-compiled* (note-lost-compiler status)))))

(defun await-compiler ()
  "Wait until the child has compiled everything."
  (call-with-compiler #'wait-for-compiler))

(defun begin-compiling ()
  "Start a child that loads and compiles the project; if forking fails, this process compiles it."
  (finish-outputs)
  (multiple-value-bind (read-end write-end) (make-pipe)
    (let ((process (fork)))
      (setf *compiled-files* (apply #'sb-sys:make-fd-stream
                                    (if (eql process 0)
                                        (list write-end :output t)
                                        (list read-end :input t)))
            *compiler* (case process (0 :new) ((nil) nil) (t :elsewhere)))
      (c-int "close" (if (eql process 0) read-end write-end))
      (case *compiler*
        (:new #+linux (c-int "prctl" +set-death-signal+ +kill+))
        (:elsewhere (setf *compiler-process* process))))))

(defun report-to-parent (line)
  "In the child: report LINE to the parent."
  (write-line line *compiled-files*)
  (finish-output *compiled-files*))

(defun await-compiled (path)
  "Wait until the child has written the fasl PATH, or has compiled everything.
This process loads each file while the child compiles the next."
  (call-with-compiler (lambda ()
                        (loop while (and (gethash path *awaited-files*) (hear-compiler)))
                        (when (gethash path *awaited-files*)
                          (wait-for-compiler)))))

(defun compile-apart (operation component compile)
  "Called around ASDF's PERFORM of OPERATION; the function COMPILE compiles the COMPONENT."
  (case *compiler*
    (:new (report-to-parent (format nil ">~A" (file-path (asdf "INPUT-FILES" operation component))))
          (multiple-value-prog1 (funcall compile)
            (report-to-parent (file-path (asdf "OUTPUT-FILES" operation component)))))
    ;; This compilation is not in the plan; if it was necessary, the child has done it.
    (:elsewhere (await-compiler)
            (mark-operation-done operation component))
    (t (funcall compile))))

(defun load-compiled (operation component load)
  "Called around ASDF's PERFORM of OPERATION; the function LOAD loads the fasl of COMPONENT.  At the file that
OBLIST_BELOW names, loading ends."
  (let ((fasl (file-path (asdf "INPUT-FILES" operation component)))
        (source (let ((source (asdf "COMPONENT-PATHNAME" component)))
                  (file-path (list (or (probe-file source) source))))))
    (when (equal source (environment "OBLIST_BELOW"))
      (throw 'below t))
    (when (eq *compiler* :elsewhere)
      (await-compiled fasl))
    (funcall load)
    (push (list (asdf "COMPONENT-NAME" (asdf "COMPONENT-SYSTEM" component)) source fasl)
          *loaded-files*)))

(defun file-path (files)
  "The path of the first of FILES, or the empty string if there are none."
  (if files (sb-ext:native-namestring (first files)) ""))

(defun files-to-compile ()
  "The fasls that loading the project would write, according to ASDF's current plan; none when ASDF cannot
make a plan: loading will report why.  Planning reads definition files, which may run any code."
  (let ((failures *load-failures*) (files '()))
    (call-noting-failures "the project" "plan for" *load-seconds*
                          (lambda () (setf files (planned-fasls))))
    (setf *load-failures* failures)
    files))

(defun planned-fasls ()
  (let ((compile-op (asdf-symbol "COMPILE-OP"))
        (source-file (asdf-symbol "CL-SOURCE-FILE"))
        (load-op (asdf "MAKE-OPERATION" (asdf-symbol "LOAD-OP")))
        (files '()))
    (dolist (name (planned-systems) files)
      (dolist (action (planned-actions (asdf "MAKE-PLAN" nil load-op (asdf "FIND-SYSTEM" name))))
        (let ((operation (action-operation action))
              (component (action-component action)))
          (when (and (typep operation compile-op) (typep component source-file))
            (push (first (asdf "OUTPUT-FILES" operation component)) files)))))))

(defun compile-apart-from-now ()
  "Make ASDF's COMPILE-OP and LOAD-OP on Lisp sources go through COMPILE-APART and LOAD-COMPILED."
  (let ((perform (asdf-symbol "PERFORM")))
    (loop for (operation function) in '(("COMPILE-OP" compile-apart) ("LOAD-OP" load-compiled))
          do (funcall (compile nil `(lambda ()
                                      (defmethod ,perform :around
                                          ((operation ,(asdf-symbol operation))
                                           (component ,(asdf-symbol "CL-SOURCE-FILE")))
                                        (,function operation component
                                                   (lambda () (call-next-method))))))))
    (remember-methods perform)))
