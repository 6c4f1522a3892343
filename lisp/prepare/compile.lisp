;;;; Compiling in a refresh: a forked child does it, and tells which file is done.
;;;;
;;;; The compiler interns and defines what is in no fasl, so the image that is dumped only loads, each
;;;; file as soon as it is compiled.
;;;;
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defvar *compiler* nil
  "Who compiles: :NEW in the new process that does, :ELSEWHERE where that is another, NIL where there is
none: nothing had to be compiled by what ASDF planned, or none could be started.  (SBCL has these
keywords: we bring none.)")

(defvar *plain-project* t
  "False when what the project is made of is more than Lisp files.")

(defvar *compiler-process* nil
  "The number of the child that compiles, as long as it is to be waited for.")

(defvar *compiled-files* nil
  "A stream to or from the compiler, which tells what it does: HEAR-COMPILER.")

(defvar *being-compiled* "the project"
  "The path of the source that the compiler began with last; NIL when it is done with all.")

(defvar *awaited-files* (make-hash-table :test 'equal)
  "The paths of the compiled files that the compiler has not told of yet.")

(defconstant +later+ (expt 2 40)
  "A universal time after the date of any file.")

;;; What the child says, and waiting for it

(defun hear-compiler ()
  "The next line from the compiler, NIL when it will say no more: an empty one when all is loaded,
> and a path when it begins with a source, the path of a compiled file when that is done."
  (let ((line (read-line *compiled-files* nil)))
    (cond ((null line))
          ((string= line "") (setf *being-compiled* nil))
          ((char= (char line 0) #\>) (setf *being-compiled* (subseq line 1)))
          (t (remhash line *awaited-files*)))
    line))

(defun note-lost-compiler (status)
  "Remember, as of a thing that would not load, that the compiler ended before it was done."
  (push (list *being-compiled* "file" "COMPILER-ENDED"
              (format nil "The process that compiled this file ended ~:[with code ~A~;by signal ~A~]."
                      (plusp (logand status 127))
                      (if (plusp (logand status 127)) (logand status 127) (ash status -8)))
              (and (find #\/ *being-compiled*) *being-compiled*) nil nil)
        *load-failures*))

(defun call-with-compiler (function)
  "Call FUNCTION, which waits for the child that compiles, if there is one; that goes when FUNCTION
is left before its end."
  (let ((ended nil))
    (when *compiler-process*
      (unwind-protect (progn (funcall function)
                             (setf ended t))
        (unless (or ended (null *compiler-process*))
          (c-int "kill" (shiftf *compiler-process* nil) +kill+))))))

(defun wait-for-compiler ()
  "Wait until the child has ended, and end as it did if it has told what is wrong."
  (sb-alien:with-alien ((status sb-alien:int))
    (loop while (hear-compiler))
    (loop until (= *compiler-process*
                   (wait-for-process *compiler-process* (sb-alien:addr status)))
          ;; A signal came first; or what is loaded has waited for it in our stead.
          do (unless (zerop (c-int "kill" *compiler-process* 0))
               (end-process 1)))
    (setf *compiler-process* nil)
    (clrhash *awaited-files*)
    (cond ((= status (ash 1 8)) (end-process 1))
          (*being-compiled* (note-lost-compiler status)))))

(defun await-compiler ()
  "Wait until the compiler is done with all there is."
  (call-with-compiler #'wait-for-compiler))

(defun begin-compiling ()
  "Start a child that loads the project and compiles what it must; or do it here."
  (finish-output *standard-output*)
  (finish-output *error-output*)
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

(defun tell (line)
  "As the compiler, say LINE to the one who waits."
  (write-line line *compiled-files*)
  (finish-output *compiled-files*))

(defun await-compiled (path)
  "Wait until the compiler has compiled what goes to the file PATH, or all there is.
We load each file while it compiles the next."
  (call-with-compiler (lambda ()
                        (loop while (and (gethash path *awaited-files*) (hear-compiler)))
                        (when (gethash path *awaited-files*)
                          (wait-for-compiler)))))

(defun compile-apart (operation component compile)
  "Stands around ASDF's PERFORM of OPERATION, which would COMPILE the COMPONENT."
  (case *compiler*
    (:new (tell (format nil ">~A" (file-path (asdf "INPUT-FILES" operation component))))
          (multiple-value-prog1 (funcall compile)
            (tell (file-path (asdf "OUTPUT-FILES" operation component)))))
    ;; Nobody expected that; but the compiler saw to it, if it had to be done.
    (:elsewhere (await-compiler)
            (mark-operation-done operation component))
    (t (funcall compile))))

(defun load-compiled (operation component load)
  "Stands around ASDF's PERFORM of OPERATION, which would LOAD what COMPONENT was compiled to."
  (when (eq *compiler* :elsewhere)
    (await-compiled (file-path (asdf "INPUT-FILES" operation component))))
  (funcall load))

(defun file-path (files)
  "The path of the first of FILES, or the empty string."
  (if files (sb-ext:native-namestring (first files)) ""))

(defun files-to-compile ()
  "The compiled files that loading the project would make anew, as ASDF plans it now; none when
it cannot plan: loading will say why."
  (let ((compile-op (asdf-symbol "COMPILE-OP"))
        (source-file (asdf-symbol "CL-SOURCE-FILE"))
        (load-op (asdf "MAKE-OPERATION" (asdf-symbol "LOAD-OP")))
        (files '()))
    (handler-case
        (dolist (name *project-systems* files)
          (dolist (action (planned-actions (asdf "MAKE-PLAN" nil load-op (asdf "FIND-SYSTEM" name))))
            (let ((operation (action-operation action))
                  (component (action-component action)))
              (when (and (typep operation compile-op) (typep component source-file))
                (push (first (asdf "OUTPUT-FILES" operation component)) files)))))
      (error () '()))))

(defun compile-apart-from-now ()
  "Let ASDF's COMPILE-OP and LOAD-OP on Lisp sources go through COMPILE-APART and LOAD-COMPILED."
  (let ((perform (asdf-symbol "PERFORM")))
    (loop for (operation function) in '(("COMPILE-OP" compile-apart) ("LOAD-OP" load-compiled))
          do (funcall (compile nil `(lambda ()
                                      (defmethod ,perform :around
                                          ((operation ,(asdf-symbol operation))
                                           (component ,(asdf-symbol "CL-SOURCE-FILE")))
                                        (,function operation component
                                                   (lambda () (call-next-method))))))))
    (remember-methods perform)))
