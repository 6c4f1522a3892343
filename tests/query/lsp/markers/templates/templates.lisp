;;;; Backquote: what a template names, and what it inserts.

(defpackage "TEMPLATES" (:use "CL"))
(in-package "TEMPLATES")

(defvar *log* '())
(defun note (what) (push what *log*))
(defstruct entry text)

(defmacro noting ((name value) &body body)
  (let ((result (gensym)))
    `(let* ((,name ,value) (,result (multiple-value-list (progn ,@body))))
;@            ^ definition: (defmacro noting ((«name» value) &body body)
;@                           ^ highlights:
;=   write: (let ((«result» (gensym)))
;=   read: `(let* ((,name ,value) (,«result» (multiple-value-list (progn ,@body))))
;=   read: (values-list ,«result»))))
;@                                                                ^ definition:
;=   (defmacro noting ((name value) &body «body»)
       (note (make-entry :text ,name))
;@      ^ definition: (defun «note» (what) (push what *log*))
;@            ^ definition: («defstruct» entry text)
       (values-list ,result))))

(defun quoted ()
  (list 'note `note `(note ,(note 1) ',(entry-text (make-entry))) '#.(list 'note)))
;@       ^ definition: (defun «note» (what) (push what *log*))
;@             ^ hover: (templates::note WHAT) | **function** in TEMPLATES, internal
;@                    ^ definition: (defun «note» (what) (push what *log*))
;@                           ^ definition: (defun «note» (what) (push what *log*))
;@                                                                          ^ hover:
;=   (templates::note WHAT)
;=   **function** in TEMPLATES, internal
;@                                      ^ definition: («defstruct» entry text)

(defmacro nested (names)
  `(progn ,@(loop for name in names collect `(note ',name))))
;@                                                   ^ definition:
;=   `(progn ,@(loop for «name» in names collect `(note ',name))))
;@                                            ^ definition: (defun «note» (what) (push what *log*))
;@                                            ^ uses:
;=   (list 'note `note `(note ,(«note» 1) ',(entry-text (make-entry))) '#.(list 'note)))
;=   `(progn ,@(loop for name in names collect `(«note» ',name))))
;=   («note» (make-entry :text ,name))
;=   (list '«note» `«note» `(«note» ,(note 1) ',(entry-text (make-entry))) '#.(list '«note»)))
;=   ``(progn ,,form («note» ,',form)))

(defmacro twice (form)
  ``(progn ,,form (note ,',form)))
;@           ^ definition: (defmacro twice («form»)
;@                         ^ definition: (defmacro twice («form»)
;@                 ^ definition: (defun «note» (what) (push what *log*))
