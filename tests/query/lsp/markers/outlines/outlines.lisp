;;;; Macros of this project that define something, and some that only look so.

(defpackage "OUTLINES.FIVEAM" (:use "CL") (:export "TEST"))
(defpackage "OUTLINES" (:use "CL"))
(in-package "OUTLINES")

(defmacro outlines.fiveam:test (name &body body)
  "As frameworks of tests define tests: the definition leaves nothing behind."
  `(setf (get ',name 'test) (lambda () ,@body)))
(defmacro defthing (name &rest parts)
  `(progn (defparameter ,(intern (format nil "*~A*" name)) ',parts) ',name))
(defmacro checked (x &body body) `(progn (print ,x) ,@body))
(defmacro test (name) `(print ',name))
(defmacro fail (word) `(error "~A" ',word))
(defun deflater (x) x)
(defun defaulting (f) f)
(defthing apple red round)
;@ outline:
;=   package "OUTLINES.FIVEAM" (defpackage)
;=   package "OUTLINES" (defpackage)
;=   function outlines.fiveam:test (defmacro (name &body body))
;=   function defthing (defmacro (name &rest parts))
;=   function checked (defmacro (x &body body))
;=   function test (defmacro (name))
;=   function fail (defmacro (word))
;=   function deflater (defun (x))
;=   function defaulting (defun (f))
;=   function apple (defthing)
