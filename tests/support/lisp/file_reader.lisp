;;;; Reading texts as their files are read: in the package and with the readtable that a file has
;;;; established at a line, found without loading it.

(load (merge-pathnames "lines.lisp" *load-truename*))

(in-package "TEST-ORACLE")

(require "SB-CLTL2")

;; What reading interns goes where it belongs, SBCL's own packages too.
(mapc #'sb-ext:unlock-package (list-all-packages))

;; SBCL's sources give COMMON-LISP this name while it is built.
(let ((package (make-package "SB-XC" :use '())))
  (do-external-symbols (symbol "COMMON-LISP")
    (import (list symbol) package)
    (export (list symbol) package)))

(defvar *first-readtable* (copy-readtable)
  "The readtable of the image when everything is loaded: some libraries change it.")

;;; What a file establishes before a line: forms at its left margin that set package or readtable.

(defun operator-at (text position)
  "The operator of the form at POSITION, in upper case and without its package."
  (let* ((end (position-if (lambda (char) (find char "() 
	")) text :start (1+ position)))
         (token (string-upcase (subseq text (1+ position) end))))
    (subseq token (1+ (or (position #\: token :from-end t) -1)))))

(defun sets-reader-p (operator)
  "True for names of operators that set package or readtable, alone or around others."
  (or (member operator '("IN-PACKAGE" "IN-READTABLE" "EVAL-WHEN" "SETF" "SETQ"
                         "SET-MACRO-CHARACTER" "SET-DISPATCH-MACRO-CHARACTER")
              :test #'string=)
      (eql 0 (search "ENABLE-" operator))
      (and (eql 0 (search "IN-" operator)) (search "READTABLE" operator))))

(defun contexts (text)
  "Conses of line and offset of the forms in TEXT that may say how to read what follows."
  (loop for start = 0 then (1+ end)
        for line from 1
        for end = (position #\Newline text :start start)
        when (and (< start (length text)) (char= (char text start) #\()
                  (sets-reader-p (operator-at text start)))
          collect (cons line start)
        while end))

(defun enables-p (form)
  (and (typep form '(cons symbol)) (eql 0 (search "ENABLE-" (symbol-name (first form))))))

(defun establish (form)
  "Do what FORM says about package and readtable, and what is written around it."
  (when (and (consp form) (symbolp (first form)))
    (case (first form)
      (eval-when (if (some #'enables-p (cddr form))
                     (eval `(progn ,@(cddr form)))
                     (mapc #'establish (cddr form))))
      ((setf setq) (when (eq (second form) '*readtable*) (eval form)))
      ((set-macro-character set-dispatch-macro-character) (eval form))
      (t (when (sets-reader-p (symbol-name (first form))) (eval form))))))

(defvar *path* nil)
(defvar *text* "")
(defvar *contexts* '())

(defun go-to (path line)
  "Establish what the file at PATH has established at LINE."
  (unless (equal path *path*)
    (setf *path* path
          *text* (file-text path)
          *contexts* (contexts *text*)
          *package* (find-package (if (string-equal (pathname-type path) "asd")
                                      "ASDF-USER"
                                      "COMMON-LISP-USER"))
          *readtable* (copy-readtable *first-readtable*)))
  (loop while (and *contexts* (< (car (first *contexts*)) line))
        do (let ((start (cdr (pop *contexts*))))
             (handler-case (establish (read-from-string *text* t nil :start start))
               (error () nil)))))

;;; Reading

(defun known-readtables ()
  "The readtables that have names."
  (let ((all (and (find-package "NAMED-READTABLES")
                  (find-symbol "LIST-ALL-NAMED-READTABLES" "NAMED-READTABLES")))
        (find (and (find-package "NAMED-READTABLES")
                   (find-symbol "FIND-READTABLE" "NAMED-READTABLES"))))
    (and all (mapcar find (funcall all)))))

(defparameter *sbcl-sources*
  (let ((file (namestring (translate-logical-pathname "SYS:SRC;CODE;LIST.LISP"))))
    (subseq file 0 (search "src/code/" file :from-end t)))
  "The folder of SBCL's sources.")

(defun of-sbcl-p (path)
  (eql 0 (search *sbcl-sources* path)))

(defun read-text (text)
  "The form that makes up all of TEXT; or NIL, and the reason."
  (handler-case
      (multiple-value-bind (form end)
          (handler-bind ((sb-int:simple-reader-package-error
                           (lambda (condition)
                             ;; SBCL's own macros may be gone: then their names are made.
                             (let ((restart (find-restart 'continue condition)))
                               (when (and restart (of-sbcl-p *path*))
                                 (invoke-restart restart))))))
            (read-from-string text))
        (if (find-if-not (lambda (char) (member char '(#\Space #\Newline #\Tab #\Return)))
                         text :start end)
            (values nil "there is more text")
            form))
    (error (condition) (values nil (remove #\Newline (princ-to-string condition))))))

(defparameter *evaluates-nothing*
  (let ((readtable (copy-readtable nil)))
    (set-dispatch-macro-character #\# #\. (lambda (stream char argument)
                                            (declare (ignore char argument))
                                            (read stream t nil t))
                                  readtable)
    readtable)
  "For SBCL's own files, which compute constants with what is there only while it is built.")

(defun read-anyhow (text)
  "READ-TEXT with the readtable of the file or, where that will not do, another that has a name."
  (multiple-value-bind (form why) (read-text text)
    (if why
        (dolist (readtable (if (of-sbcl-p *path*) (list *evaluates-nothing*) (known-readtables))
                           (values nil why))
          (multiple-value-bind (other why-not)
              (let ((*readtable* readtable)) (read-text text))
            (unless why-not (return other))))
        form)))

(defun features-of (path)
  "The features that the file at PATH is read with: SBCL's own is built with some more."
  (if (of-sbcl-p path)
      (append (symbol-value (find-symbol "+INTERNAL-FEATURES+" "SB-IMPL")) '(:sb-xc) *features*)
      *features*))
