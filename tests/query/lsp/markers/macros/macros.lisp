;;;; Macros, and the names in their templates.

(defpackage "MACROS" (:use "CL") (:export "WITH-LEVEL"))
(in-package "MACROS")

(defvar *level* 0)

(defun note (level) (list level))

(defmacro with-level ((level &key (base 0)) &body body)
  "Run BODY at LEVEL."
  ;; A gap: what a template binds counts as read.
  `(let ((*level* (+ ,level ,base)))
;@        ^ hover: macros::*level* | **variable** in MACROS, internal
;@                    ^ definition: (defmacro with-level ((«level» &key (base 0)) &body body)
;@                           ^ definition: (defmacro with-level ((level &key («base» 0)) &body body)
     (note *level*)
;@    ^ definition: (defun «note» (level) (list level))
;@    ^ references:
;=   (defun «note» (level) (list level))
;=   uses.lisp: («with-level» (2 :base 1)
;=   («note» *level*)
;@         ^ highlights:
;=   write: (defvar «*level*» 0)
;=   read: `(let ((«*level*» (+ ,level ,base)))
;=   read: (note «*level*»)
     ,@body))
;@     ^ definition: (defmacro with-level ((level &key (base 0)) &body «body»)
;@     ^ hover:
;=   (defmacro with-level ((level &key (base 0)) &body body)
;=   `body` is a local variable, bound on that line.

(defmacro while (test &body body)
  (let ((start (gensym "START")))
    `(block nil
       (tagbody
          ,start
          (unless ,test (return))
;@                 ^ definition: (defmacro while («test» &body body)
          ,@body
          (go ,start)))))
;@             ^ highlights:
;=   write: (let ((«start» (gensym "START")))
;=   read: ,«start»
;=   read: (go ,«start»)))))

(defmacro defcommand (name parameters &body body)
  `(progn (defun ,name ,parameters ,@body)
;@                ^ highlights:
;=   write: (defmacro defcommand («name» parameters &body body)
;=   read: `(progn (defun ,«name» ,parameters ,@body)
;=   read: (setf (get ',«name» 'command) t)))
          (setf (get ',name 'command) t)))

(defcommand halt (code)
;@ "defcommand" definition: (defmacro «defcommand» (name parameters &body body)
;@          ^ hover: (macros::halt CODE) | **function** in MACROS, internal
;@                ^ hover: macros::code | **symbol** in MACROS, internal
  (list code 'halt))
;@      ^ hover: macros::code | **symbol** in MACROS, internal
;@      ^ definition: nothing
