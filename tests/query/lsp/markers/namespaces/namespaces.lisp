;;;; One name as a function, a variable, a class and a local of each kind.

(defpackage "NAMESPACES" (:use "CL"))
(in-package "NAMESPACES")

(defclass entry () ())
(defun entry (x) "Makes an entry of X." x)
(defparameter entry 1)

(defun all (list)
  (list (entry list) entry 'entry #'entry (make-instance 'entry))
;@       ^ definition:
;=   (defun «entry» (x) "Makes an entry of X." x)
;=   (defclass «entry» () ())
;=   (defparameter «entry» 1)
;@                   ^ definition:
;=   (defun «entry» (x) "Makes an entry of X." x)
;=   (defclass «entry» () ())
;=   (defparameter «entry» 1)
;@                          ^ type definition: (defclass «entry» () ())
;@                                  ^ hover:
;=   (namespaces::entry X)
;=   **function, class, variable** in NAMESPACES, internal
;=   Makes an entry of X.
;@ ^ definition:
;=   refused: common-lisp:list has definitions (function, class, method-combination, declaration, vop, optimizer, source-transform), but SBCL recorded no location for them.
;@             ^ definition: (defun all («list»)
;@                                                        ^ highlights:
;=   write: (defclass «entry» () ())
;=   write: (defun «entry» (x) "Makes an entry of X." x)
;=   write: (defparameter «entry» 1)
;=   read: (list («entry» list) «entry» '«entry» #'«entry» (make-instance '«entry»))
;=   write: (flet ((entry («entry») (funcall list entry)))
;=   read: (flet ((entry (entry) (funcall list «entry»)))
;=   read: (if all (return-from all all) (all «entry»))))))
  (flet ((entry (entry) (funcall list entry)))
;@                               ^ definition: (defun all («list»)
;@                                    ^ hover:
;=   (namespaces::entry X)
;=   **function, class, variable** in NAMESPACES, internal
;=   Makes an entry of X.
    (let ((all (entry list)))
;@              ^ definition: (flet ((«entry» (entry) (funcall list entry)))
;@                    ^ definition: (defun all («list»)
      (block all
        (if all (return-from all all) (all entry))))))
;@                               ^ definition: (let ((«all» (entry list)))
;@                                     ^ definition: (defun «all» (list)
;@                           ^ definition: (block «all»
;@          ^ definition: (let ((«all» (entry list)))
;@                                         ^ definition:
;=   (defun «entry» (x) "Makes an entry of X." x)
;=   (defclass «entry» () ())
;=   (defparameter «entry» 1)
;@                               ^ highlights:
;=   write: (let ((«all» (entry list)))
;=   read: (if «all» (return-from all «all») (all entry))))))
