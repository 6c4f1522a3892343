;;;; Forms about packages, in which strings and symbols of any package designate symbols.

(in-package "OBLIST")

(defun designated-package (node)
  "The package that NODE names, or NIL."
  (let ((name (node-name node)))
    (and name (find-package name))))

(defun walk-package-option (option package)
  "Walk the OPTION of a form that defines PACKAGE."
  (destructuring-bind (&optional key &rest arguments) (node-children option)
    (case (node-symbol key)
      (:export (dolist (one arguments) (note-designated one package :exports)))
      ((:shadow :intern) (dolist (one arguments) (note-designated one package :names)))
      ((:import-from :shadowing-import-from)
       (when arguments
         (let ((from (designated-package (first arguments))))
           (walk-datum (first arguments))
           (dolist (one (rest arguments)) (note-designated one from :imports)))))
      (t (mapc #'walk-datum arguments)))))

(defun walk-package (name options)
  (walk-datum name)
  (let ((package (designated-package name)))
    (dolist (option options)
      (when (list-node-p option)
        (walk-package-option option package)))))

(define-walker (defpackage) (name &rest options)
  (walk-package name options))

(defun quoted-nodes (node)
  "The nodes of the symbols in NODE, a quoted symbol or list, or another designator."
  (case (node-kind node)
    (:quote (let ((datum (first (node-children node))))
              (if (list-node-p datum) (node-children datum) (list datum))))
    ((:keyword :string :uninterned) (list node))))

(defun walk-changed-package (symbols package relation)
  "Walk a call of EXPORT or the like, with SYMBOLS, in PACKAGE or the current one."
  (let ((in (cond ((null package) (find-package *in-package*))
                  (t (designated-package (first (or (quoted-nodes package) (list package))))))))
    (if (quoted-nodes symbols)
        (dolist (one (quoted-nodes symbols)) (note-designated one in relation))
        (walk symbols))
    (when package (walk package))))

(define-walker (export unexport) (symbols &optional package)
  (walk-changed-package symbols package :exports))

(define-walker (import shadowing-import) (symbols &optional package)
  (walk-changed-package symbols package :imports))

(define-walker (shadow) (symbols &optional package)
  (walk-changed-package symbols package :names))

(defun know-define-package ()
  "Walk UIOP:DEFINE-PACKAGE like DEFPACKAGE: its options for symbols are the same."
  (let ((symbol (and (find-package "UIOP") (find-symbol "DEFINE-PACKAGE" "UIOP"))))
    (when symbol
      (setf (gethash symbol *walkers*) (gethash 'defpackage *walkers*)))))
