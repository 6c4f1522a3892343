;;; eglot-oblist-tests.el --- Tests of oblist.el with eglot -*- lexical-binding: t -*-

;;; Code:

(require 'package)
;; Debian's packages, which have eglot for an Emacs that does not.
(setq package-directory-list '("/usr/share/emacs/site-lisp/elpa"))
(package-initialize)
(require 'oblist-in-batch)
(require 'eglot)

(oblist-setup)
(setq eglot-sync-connect 60
      eglot-autoreconnect nil
      project-find-functions (list (lambda (_) (cons 'transient emporium))))

(ert-deftest eglot-starts-the-server-and-answers-before-the-index-is-asked ()
  (switch-to-buffer (find-file-noselect (expand-file-name "shop.lisp" emporium)))
  (apply #'eglot (eglot--guess-contact))
  (should (eglot-managed-p))
  (should (eq (xref-find-backend) 'eglot))
  (goto-char (point-min))
  (search-forward "(total wares)")
  (goto-char (1+ (match-beginning 0)))
  (xref-find-definitions "total")
  (should (string-match "\\`shop.lisp:3:" (here)))
  (eglot-shutdown (eglot-current-server))
  (should (oblist-backend-p (xref-find-backend))))

(provide 'eglot-oblist-tests)
;;; eglot-oblist-tests.el ends here
