;;; slime-oblist.el --- SLIME falls back on an index of oblist -*- lexical-binding: t -*-

;; Copyright (c) 2026 The oblist developers
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; A contrib of SLIME.  What the running Lisp knows, it answers; definitions, uses and completions
;; that it does not have, or all if there is no connection, come from the index:
;;
;;     (with-eval-after-load 'slime
;;       (require 'slime-oblist)
;;       (slime-oblist-init))
;;
;; or name it among the contribs: (slime-setup '(slime-fancy slime-oblist)).

;;; Code:

(require 'slime)
(require 'oblist)

(define-slime-contrib slime-oblist
  "Fall back on an index of oblist for what the image has not loaded."
  (:authors "The oblist developers")
  (:license "MIT")
  (:on-load
   (advice-add 'slime-edit-definition :around #'slime-oblist-edit-definition)
   (advice-add 'slime-xref :around #'slime-oblist-xref)
   (advice-add 'slime-xrefs :around #'slime-oblist-xref)
   (add-hook 'slime-completion-at-point-functions #'slime-oblist-completion-at-point))
  (:on-unload
   (advice-remove 'slime-edit-definition #'slime-oblist-edit-definition)
   (advice-remove 'slime-xref #'slime-oblist-xref)
   (advice-remove 'slime-xrefs #'slime-oblist-xref)
   (remove-hook 'slime-completion-at-point-functions #'slime-oblist-completion-at-point)))

(defun slime-oblist--package ()
  "Return the package of the buffer, or nil."
  (let ((package (slime-current-package)))
    (and package (oblist-package-name package))))

(defun slime-oblist-edit-definition (edit &optional name where)
  "Call EDIT, the command of SLIME, with NAME and WHERE.
If that fails, ask the index."
  (oblist-or-definitions (lambda () (funcall edit name where)) name (slime-oblist--package) where))

(defun slime-oblist-xref (ask type symbol &optional continuation)
  "Call ASK, a function of SLIME, about TYPE of SYMBOL, with CONTINUATION.
If nothing is found, or the image has no such symbol, ask the index."
  (let ((package (slime-oblist--package)))
    (cond ((not (slime-connected-p))
           (unless (oblist-show-kinds symbol package type)
             (user-error "Not connected, and the index has no such uses of %s" symbol)))
          ;; About some uses of a symbol that it does not have, Swank ends in the debugger.
          ((and (null (slime-eval `(swank:find-definitions-for-emacs ,symbol)))
                (oblist-show-kinds symbol package type)))
          (t (funcall ask type symbol
                      (lambda (found type symbol in)
                        (unless (and (not (oblist-found-p found))
                                     (oblist-show-kinds symbol package type))
                          (funcall (or continuation #'slime-show-xrefs)
                                   found type symbol in))))))))

(defvar slime-oblist--asking-others nil
  "Non-nil while the other functions that complete are called.")

(defun slime-oblist-completion-at-point ()
  "Complete the name at point from the image, or from the index."
  (unless slime-oblist--asking-others
    (oblist-completion-after
     (and (slime-connected-p)
          (let ((slime-oblist--asking-others t))
            (run-hook-with-args-until-success 'slime-completion-at-point-functions)))
     (slime-oblist--package))))

(provide 'slime-oblist)
;;; slime-oblist.el ends here
