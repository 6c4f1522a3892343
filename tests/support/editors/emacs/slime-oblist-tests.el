;;; slime-oblist-tests.el --- Tests of slime-oblist.el with an image -*- lexical-binding: t -*-

;; The variable PORT names the port of a Swank whose image has not loaded the project of oblist-in-batch.el.

;;; Code:

(require 'oblist-in-batch)
(require 'slime)

(setq slime-protocol-version 'ignore
      slime-startup-animation nil
      inhibit-startup-screen t)
(slime-setup '(slime-fancy slime-oblist))

(defun until (condition what)
  "Wait until CONDITION holds, which is WHAT."
  (let ((deadline (+ (float-time) 60)))
    (while (not (funcall condition))
      (when (> (float-time) deadline)
        (error "Too late: %s" what))
      (accept-process-output nil 0.02))))

(defun connect ()
  "Connect to the image, unless that is done."
  (unless (slime-connected-p)
    (slime-connect "127.0.0.1" (string-to-number (getenv "PORT")))
    (until (lambda () (and (slime-connected-p) (slime-connection-name) (null (slime-rex-continuations))))
           "the connection")))

(defun disconnect ()
  "End the connection, if there is one."
  (when (slime-connected-p)
    (slime-disconnect-all)
    (until (lambda () (not (slime-connected-p))) "the end of the connection")))

(defmacro at-words (file words &rest body)
  "Show FILE of the project at WORDS, and do BODY there."
  (declare (indent 2))
  `(save-window-excursion
     (switch-to-buffer (find-file-noselect (expand-file-name ,file emporium)))
     (slime-mode 1)
     (goto-char (point-min))
     (search-forward ,words)
     (goto-char (match-beginning 0))
     ,@body))

(defun edit-definition ()
  "Do what M-. does, and return the place."
  (call-interactively (key-binding (kbd "M-.")))
  (look)
  (here))

(defun matches (buffer regexp)
  "Fail unless BUFFER, when it comes, has REGEXP in its text."
  (until (lambda () (get-buffer buffer)) buffer)
  (with-current-buffer buffer
    (unwind-protect
        (let ((text (buffer-substring-no-properties (point-min) (point-max))))
          (or (string-match regexp text) (error "%s" text)))
      (kill-buffer))))

(ert-deftest slime-without-a-connection ()
  (disconnect)
  (at-words "shop.lisp" "total wares)))"
    (should (eq (key-binding (kbd "M-.")) 'slime-edit-definition))
    (should (equal (edit-definition) "shop.lisp:3:1 (defun total")))
  (at-words "shop.lisp" "total wares)))"
    (slime-xref :calls "total")
    (should (matches "*xref*" "calls  emporium:sale: (total wares)")))
  (at-words "shop.lisp" "wares"
    (should-error (slime-edit-definition "no-such"))
    (should-error (slime-xref :calls "no-such"))))

(ert-deftest slime-goes-to-what-only-the-index-has ()
  (connect)
  (at-words "shop.lisp" "total wares)))"
    (should (equal (edit-definition) "shop.lisp:3:1 (defun total")))
  (at-words "shop.lisp" "price wares))))"
    (edit-definition)
    (should (matches "*xref*" "method emporium:price (BOOK)"))))

(ert-deftest slime-goes-to-what-the-image-has ()
  (connect)
  (at-words "shop.lisp" "append "
    (edit-definition)
    (should (matches "*slime-xref*" "(DEFUN APPEND)"))))

(ert-deftest slime-says-when-neither-knows-a-name ()
  (connect)
  (at-words "shop.lisp" "wares"
    (should (string-match "No known definition" (cadr (should-error (slime-edit-definition "no-such")))))))

(ert-deftest slime-lists-uses-that-only-the-index-has ()
  (connect)
  (at-words "shop.lisp" "total wares)))"
    (slime-who-calls "total")
    (should (matches "*xref*" "calls  emporium:sale: (total wares)"))
    (slime-edit-uses "*discount*")
    (should (matches "*xref*" "references  (method emporium:price (ware)"))
    (slime-list-callees "receipt")
    (should (matches "*xref*" "calls  emporium::ware-name"))))

(ert-deftest slime-lists-uses-that-the-image-has ()
  (connect)
  (at-words "shop.lisp" "wares"
    (slime-who-calls "swank::setup-server")
    (should (matches "*slime-xref*" "CREATE-SERVER"))))

(ert-deftest slime-completes-what-only-the-index-has ()
  (connect)
  (at-words "shop.lisp" "total wares)))"
    (let ((inhibit-read-only t))
      (insert "book-p")
      (unwind-protect
          (pcase-let ((`(,begin ,end ,table . ,_) (slime--completion-at-point)))
            (should (equal (buffer-substring begin end) "book-ptotal"))
            (should (equal (all-completions "book-p" table) '("book-pages")))
            (should (member "mapcar" (all-completions "mapca" table))))
        (delete-char -6)))))

(ert-deftest slime-oblist-can-be-taken-out ()
  (let ((contrib (slime-find-contrib 'slime-oblist)))
    (funcall (slime-contrib-disable contrib))
    (should-not (advice--p (symbol-function 'slime-edit-definition)))
    (should-not (memq #'slime-oblist-completion-at-point slime-completion-at-point-functions))
    (funcall (slime-contrib-enable contrib))
    (should (advice--p (symbol-function 'slime-edit-definition)))))

(provide 'slime-oblist-tests)
;;; slime-oblist-tests.el ends here
