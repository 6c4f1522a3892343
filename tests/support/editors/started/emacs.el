;;; emacs.el --- What Emacs does with the init file that is set up  -*- lexical-binding: t -*-

;;; Code:

(require 'slime nil t)
(find-file (getenv "SHOP"))
(goto-char (point-min))
(search-forward "mapcar #'")
(let ((found (car (oblist--definitions (thing-at-point 'symbol t) (oblist-current-package)))))
  (with-temp-file (getenv "ASKED")
    (insert (format "%s\n%s\n%s\n%s\n"
                    (xref-item-summary found)
                    (and (memq 'eglot-ensure lisp-mode-hook) t)
                    (and (featurep 'slime) (featurep 'slime-oblist))
                    oblist-program))))

;;; emacs.el ends here
