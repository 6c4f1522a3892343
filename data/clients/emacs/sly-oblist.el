;;; sly-oblist.el --- Sly falls back on an index of oblist -*- lexical-binding: t -*-

;; Copyright (c) 2026 The oblist developers
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; A contrib of Sly.  What the running Lisp knows, it answers; definitions and uses that it does not
;; have, or all if there is no connection, come from the index, and completions without a connection:
;;
;;     (with-eval-after-load 'sly
;;       (require 'sly-oblist)
;;       (sly-oblist-init))
;;
;; or name it among the contribs: (sly-setup '(sly-fancy sly-oblist)).

;;; Code:

(require 'sly)
(require 'oblist)

(define-sly-contrib sly-oblist
  "Fall back on an index of oblist for what the image has not loaded."
  (:authors "The oblist developers")
  (:license "MIT")
  (:on-load
   (advice-add 'sly-edit-definition :around #'sly-oblist-edit-definition)
   (advice-add 'sly-xref :around #'sly-oblist-xref)
   (advice-add 'sly-xref--get-xrefs :around #'sly-oblist-xref)
   (advice-add 'sly-complete-symbol :around #'sly-oblist-complete-symbol))
  (:on-unload
   (advice-remove 'sly-edit-definition #'sly-oblist-edit-definition)
   (advice-remove 'sly-xref #'sly-oblist-xref)
   (advice-remove 'sly-xref--get-xrefs #'sly-oblist-xref)
   (advice-remove 'sly-complete-symbol #'sly-oblist-complete-symbol)))

(defun sly-oblist--package ()
  "Return the package of the buffer, or nil."
  (let ((package (sly-current-package)))
    (and package (oblist-package-name package))))

(defun sly-oblist-edit-definition (edit &optional name where)
  "Call EDIT, the command of Sly, with NAME and WHERE.
If that fails, ask the index."
  (oblist-or-definitions (lambda () (funcall edit name where)) name (sly-oblist--package) where))

(defun sly-oblist-xref (ask type symbol &optional continuation)
  "Call ASK, a function of Sly, about TYPE of SYMBOL, with CONTINUATION.
If nothing is found, or the image has no such symbol, ask the index."
  (let ((package (sly-oblist--package)))
    (cond ((not (sly-connected-p))
           (unless (oblist-show-kinds symbol package type)
             (user-error "Not connected, and the index has no such uses of %s" symbol)))
          ;; About a symbol that it does not have, Slynk ends in the debugger.
          ((and (null (sly-eval `(slynk:find-definitions-for-emacs ,symbol)))
                (oblist-show-kinds symbol package type)))
          (t (funcall ask type symbol
                      (lambda (found type symbol in &rest more)
                        (unless (and (not (oblist-found-p found))
                                     (oblist-show-kinds symbol package type))
                          (apply (or continuation #'sly-xref--show-results)
                                 found type symbol in more))))))))

(defun sly-oblist-complete-symbol (complete)
  "Call COMPLETE, the function of Sly; without a connection, ask the index."
  (if (sly-connected-p) (funcall complete) (oblist-completion-at-point)))

(provide 'sly-oblist)
;;; sly-oblist.el ends here
