(in-package "DIAGNOSED")

(defun fine (x) x)
(defun mistaken (x)
  (list (price) (price x :discont 1) (prize x) (cl:mapcarr x) (format nil "~A ~A" x)))
;@       ^^^^^ error[wrong-number-of-arguments]: price: no arguments given, at least 1 expected; its lambda list is (item &key (discount 0))
;@                       ^^^^^^^^ error[unknown-keyword]: price: takes no keyword :discont, only :discount; its lambda list is (item &key (discount 0)); did you mean :discount?
;@                                    ^^^^^ warning[undefined-function]: there is no function or macro prize; did you mean price?
;@                                              ^^^^^^^^^^ error[unknown-symbol]: cl has no symbol mapcarr; did you mean common-lisp:mapcar or common-lisp:mapcan?
;@                                                                        ^^^^^^^ warning[format-arguments]: the format string takes 2 arguments, not 1
;@ was:   x)
(defmethod show ((item wear)) item)
;@                     ^^^^ warning[unknown-class]: there is no class wear
;@ was:
(defun more () (if) (let ((y 1)) (price y) (setq z y)) (make-instance 'show :size 1))
;@              ^^ error[wrong-number-of-arguments]: if: no arguments given, 2 to 3 expected; its lambda list is (test then &optional else)
;@                                               ^ warning[undefined-variable]: there is no variable z
;@                                                                     ^^^^ warning[unknown-class]: there is no class show
;@ was:
(list "😀" (price)) (loop for in (price 1))
;@         ^^^^^ error[wrong-number-of-arguments]: price: no arguments given, at least 1 expected; its lambda list is (item &key (discount 0))
;@ was:
(list 1))
;@      ^ error[unmatched-parenthesis]: this parenthesis closes nothing
;@ was:
