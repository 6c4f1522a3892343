(defpackage "DIAGNOSED" (:use "CL"))
(in-package "DIAGNOSED")

(defun price (item &key (discount 0)) (- item discount))
(defgeneric show (item))
(defmethod show ((item string)) item)
(defun show-all (items) (mapcar #'show items))
(defun show-all (items &key number) (list items number))
;@     ^^^^^^^^ warning[duplicate-definition]: the function show-all is already defined on line «(defun show-all (items) (mapcar #'show items))»
;@ was:
