(in-package "EDITED")

(defun use ()
  (list (stays 1) (total 2) (moved 3) (removed) (tally 4)))
;@                 ^^^^^ warning[undefined-function]: there is no function or macro total: edited.lisp does not define it any more
;@                           ^^^^^ error[wrong-number-of-arguments]: moved: 1 argument given, 2 expected; its lambda list is (a b)
;@                                     ^^^^^^^ warning[undefined-function]: there is no function or macro removed: edited.lisp does not define it any more; did you mean remove or moved or remove-if?
;@       ^ definition: edited.lisp: (defun «stays» (x) x)
;@                 ^ hover in full:
;=   **Gone**: edited::total was defined at edited.lisp «(defun total (x) x)» when the index was built; that form is gone.
;=   (edited::total X)
;=   **function** in EDITED, internal
;=   Type: `(FUNCTION (T) (VALUES T &OPTIONAL))`
;=   - `function` gone from edited.lisp
;@                 ^ definition:
;=   refused: edited::total was defined at edited.lisp «(defun total (x) x)» when the index was built; that form is gone.
;@                           ^ definition: edited.lisp: (defun «moved» (a b) (list b a (added)))
;@                                     ^ hover:
;=   **Gone**: edited::removed was defined at edited.lisp «(defun removed () 1)» when the index was built; that form is gone.
;=   (edited::removed)
;=   **function** in EDITED, internal
;@                                     ^ definition:
;=   refused: edited::removed was defined at edited.lisp «(defun removed () 1)» when the index was built; that form is gone.
;@                                     ^ uses: (list (stays 1) (total 2) (moved 3) («removed») (tally 4)))
;@                                               ^ definition: edited.lisp: (defun «tally» (x) x)
;@                                               ^ hover:
;=   `tally` is defined in an open document; the index does not have it yet.
