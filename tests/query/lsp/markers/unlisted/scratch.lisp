(in-package "UNLISTED")

;; A gap: the uses of a name that the index does not have are not found.
(defun unlisted (x) (listed x) (unlisted 1 2) (unknown-here))
;@                              ^^^^^^^^ error[wrong-number-of-arguments]: unlisted: 2 arguments given, 1 expected; its lambda list is (x)
;@                                             ^^^^^^^^^^^^ warning[undefined-function]: there is no function or macro unknown-here
;@                   ^ definition: unlisted.lisp: (defun «listed» (x) x)
;@                   ^ references:
;=   unlisted.lisp: (defun «listed» (x) x)
;=   (defun unlisted (x) («listed» x) (unlisted 1 2) (unknown-here))
;@     ^ hover: `unlisted` is defined in an open document; the index does not have it yet.
;@                              ^ definition: (defun «unlisted» (x) (listed x) (unlisted 1 2) (unknown-here))
;@                              ^ uses: nothing
;@                              ^ highlights: nothing
