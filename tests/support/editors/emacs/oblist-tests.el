;;; oblist-tests.el --- Tests of oblist.el, with a real index -*- lexical-binding: t -*-

;;; Code:

(require 'oblist-in-batch)

(defvar eglot-server-programs)

(ert-deftest the-package-is-that-of-the-text ()
  (dolist (pair '(("cl-user" . "(in-package cl-user)") ("shop" . "(in-package #:shop)")
                  ("shop" . "(cl:in-package :shop)") ("|Shop|" . "(in-package \"Shop\")")
                  (nil . "(defun f ())")))
    (with-temp-buffer
      (insert (cdr pair))
      (should (equal (oblist-current-package) (car pair)))))
  (with-temp-buffer
    (insert "(in-package one)\n(f)\n(in-package two)\n(g)")
    (should (equal (oblist-current-package) "two"))
    (goto-char 20)
    (should (equal (oblist-current-package) "one"))
    (goto-char (point-min))
    (should (equal (oblist-current-package) "one"))))

(ert-deftest xref-finds-definitions ()
  (in-file "shop.lisp" "price wares))))"
    (let* ((xref-backend-functions '(oblist-xref-backend))
           (backend (xref-find-backend))
           (name (xref-backend-identifier-at-point backend))
           (items (xref-backend-definitions backend name)))
      (should (equal name "price"))
      (should (equal (sort (mapcar #'place-of items) #'string<)
                     '("goods.lisp:20:1 (defgeneric " "goods.lisp:23:1 (defmethod p"
                       "goods.lisp:26:1 (defmethod p")))
      (should (member "method emporium:price (BOOK)" (mapcar #'xref-item-summary items))))))

(ert-deftest a-command-of-xref-goes-to-the-definition ()
  (oblist-xref-setup)
  (save-window-excursion
    (in-file "shop.lisp" "total wares)))"
      (switch-to-buffer (current-buffer))
      (xref-find-definitions "total")
      (should (equal (here) "shop.lisp:3:1 (defun total")))))

(ert-deftest xref-finds-uses ()
  (in-file "shop.lisp" "total"
    (let* ((backend (oblist-xref-backend))
           (items (xref-backend-references backend "total")))
      (should (member "shop.lisp:18:6 total wares)" (mapcar #'place-of items)))
      (should (member "goods.lisp:1:53 \"TOTAL\" \"REC" (mapcar #'place-of items)))
      (should (cl-every #'xref-match-item-p items)))))

(ert-deftest xref-finds-names-that-contain-a-text ()
  (in-file "shop.lisp" "total"
    (let ((items (xref-backend-apropos (oblist-xref-backend) "receipt")))
      (should (equal (mapcar #'place-of items) '("shop.lisp:8:1 (defun recei"))))))

(ert-deftest names-are-completed ()
  (in-file "shop.lisp" "total"
    (let ((table (xref-backend-identifier-completion-table (oblist-xref-backend))))
      (should (equal (car (all-completions "ware-c" table)) "ware-cost"))
      (should (equal (try-completion "receip" table) "receipt"))
      (should-not (all-completions "no-such-name" table))))
  (with-temp-buffer
    (lisp-mode)
    (setq default-directory emporium)
    (insert "(in-package #:emporium)\n(book-p")
    (pcase-let ((`(,begin ,end ,table . ,_) (oblist-completion-at-point)))
      (should (equal (buffer-substring begin end) "book-p"))
      (should (equal (all-completions "book-p" table) '("book-pages"))))
    (insert " \"book-p")
    (should-not (oblist-completion-at-point))))

(ert-deftest it-leaves-other-languages-alone ()
  (with-temp-buffer
    (emacs-lisp-mode)
    (should-not (oblist-xref-backend))
    (lisp-mode)
    (should (oblist-xref-backend))
    (setq default-directory "/ssh:nowhere.invalid:/")
    (should-not (oblist-xref-backend))))

(ert-deftest apropos-lists-names-and-goes-to-them ()
  (save-window-excursion
    (in-file "shop.lisp" "total"
      (oblist-apropos "receipt"))
    (look)
    (should (derived-mode-p 'oblist-list-mode))
    (should (string-match "RECEIPT +function +EMPORIUM" (car (lines))))
    (goto-char (point-min))
    (oblist-list-visit)
    (look)
    (should (equal (here) "shop.lisp:8:1 (defun recei"))))

(ert-deftest search-lists-names-with-what-they-do ()
  (save-window-excursion
    (in-file "shop.lisp" "total"
      (oblist-search "total discount"))
    (look)
    (should (string-match "emporium:sale +function +EMPORIUM +The total of WARES, with a discount."
                          (car (lines))))
    (in-file "shop.lisp" "total"
      (oblist-search ":: string -> pathname"))
    (look)
    (should (string-match "common-lisp:" (car (lines))))))

(ert-deftest describe-shows-a-name-and-goes-to-its-definition ()
  (save-window-excursion
    (in-file "shop.lisp" "total"
      (oblist-describe "total" (oblist-current-package)))
    (look)
    (should (derived-mode-p 'oblist-describe-mode))
    (should (string-match "total  function\nArguments: (WARES &KEY (TAX 0))" (buffer-string)))
    (should (string-match "The prices of WARES together, with TAX." (buffer-string)))
    (goto-char (point-min))
    (forward-button 1)
    (push-button)
    (look)
    (should (equal (here) "shop.lisp:3:1 (defun total"))))

(ert-deftest odd-names-come-through ()
  (in-file "shop.lisp" "total"
    (should-not (oblist--definitions "--help" "emporium"))
    (should-not (oblist--definitions "-p" nil))
    (should (oblist--definitions "emporium::|TOTAL|" "no-such-package"))
    (should (equal (oblist--exactly '((package . "A|B") (name . "c\\d"))) "|A\\|B|::|c\\\\d|"))))

(ert-deftest what-is-not-there-is-said ()
  (in-file "shop.lisp" "total"
    (should (string-match "not found.*This index has no symbol" (sentence-of #'oblist-describe "no-such")))
    (should (string-match "no such symbol" (sentence-of #'oblist-apropos "no-such")))
    (should-not (oblist-visit-definitions "no-such" "emporium"))
    (should-not (oblist-show-uses "no-such" "emporium"))))

(ert-deftest failures-are-said-in-a-sentence ()
  (in-file "shop.lisp" "total"
    (let ((oblist-options '("--index" "/nowhere/oblist.db")))
      (should (string-match "there is no index. Build one with: oblist index"
                            (sentence-of #'oblist-apropos "total"))))
    (let ((oblist-program "no-such-program"))
      (should (string-match "No program .no-such-program.: install oblist" (sentence-of #'oblist-apropos "x")))
      (should (string-match "No program" (sentence-of #'oblist--eglot-contact))))
    (let ((oblist-options '("--no-such-option")))
      (should (string-match "No such option" (sentence-of #'oblist-apropos "total"))))
    (let ((default-directory "/ssh:nowhere.invalid:/"))
      (should (string-match "another machine" (sentence-of #'oblist-apropos "total"))))))

(ert-deftest a-program-that-does-not-answer-is-stopped ()
  (let* ((script (make-temp-file "oblist-silent" nil nil "#!/bin/sh\nexec sleep 1000\n"))
         (oblist-program script)
         (oblist-timeout 0.2))
    (set-file-modes script #o700)
    (should (string-match "No answer from oblist" (sentence-of #'oblist-apropos "total")))
    (should-not (seq-filter #'process-live-p (process-list)))
    (delete-file script)))

(ert-deftest a-source-that-is-not-here-is-shown-from-the-index ()
  (let ((place (oblist--make-place :file "/nowhere/a.lisp" :line 3 :text "(defun a ())" :name "a")))
    (with-current-buffer (marker-buffer (xref-location-marker place))
      (should (equal (buffer-string) "(defun a ())"))
      (should buffer-read-only)))
  (dolist (file '("/nowhere/a.lisp" "/ssh:nowhere.invalid:/a.lisp"))
    (should (string-match "not on this machine"
                          (sentence-of #'xref-location-marker (oblist--make-place :file file :line 3))))))

(ert-deftest eglot-knows-the-server ()
  (let ((eglot-server-programs nil)
        (oblist-lsp-arguments '("--watch"))
        (oblist-lsp-initialization-options '(:inlayHints t)))
    (provide 'eglot)
    (oblist-eglot-setup)
    (should (equal (funcall (alist-get 'lisp-mode eglot-server-programs) nil)
                   (list oblist-program "lsp" "--watch" :initializationOptions '(:inlayHints t))))))

(provide 'oblist-tests)
;;; oblist-tests.el ends here
