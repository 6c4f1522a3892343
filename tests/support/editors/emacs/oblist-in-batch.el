;;; oblist-in-batch.el --- What tests in Emacs share -*- lexical-binding: t -*-

;; The variable OBLIST names the program, EMPORIUM the folder of a project with an index.

;;; Code:

(require 'ert)
(require 'oblist)

(setq oblist-program (getenv "OBLIST")
      ;; Others look at the project meanwhile.
      create-lockfiles nil
      auto-save-default nil)
(defvar emporium (file-name-as-directory (getenv "EMPORIUM")))

(defmacro in-file (file words &rest body)
  "Do BODY in FILE of the project, at WORDS."
  (declare (indent 2))
  `(with-current-buffer (find-file-noselect (expand-file-name ,file emporium))
     (goto-char (point-min))
     (search-forward ,words)
     (goto-char (match-beginning 0))
     ,@body))

(defun here ()
  "The place of point, and the text from there."
  (format "%s:%d:%d %s" (file-name-nondirectory (or buffer-file-name (buffer-name)))
          (line-number-at-pos) (1+ (- (point) (line-beginning-position)))
          (buffer-substring (point) (min (line-end-position) (+ (point) 12)))))

(defun place-of (item)
  "The place of an xref ITEM."
  (let ((marker (xref-location-marker (xref-item-location item))))
    (with-current-buffer (marker-buffer marker)
      (goto-char marker)
      (here))))

(defun sentence-of (function &rest arguments)
  "The sentence of the error that FUNCTION, called with ARGUMENTS, shows the user."
  (cadr (should-error (apply function arguments) :type 'user-error)))

(defun look ()
  "Make the buffer that is shown the current one."
  (set-buffer (window-buffer)))

(defun lines ()
  "The lines of the buffer."
  (split-string (buffer-substring-no-properties (point-min) (point-max)) "\n" t))

(provide 'oblist-in-batch)
;;; oblist-in-batch.el ends here
