;;; eglot.el --- the steps of a session, in Emacs with eglot -*- lexical-binding: t -*-

;; What eglot has a function for is done with that, and what is written down is what Emacs has then: xrefs, eldoc
;; strings, overlays, the imenu, and the diagnostics of flymake.

(require 'cl-lib)
(require 'json)
(require 'package)
(package-initialize)
(require 'eglot)
(require 'flymake)
(require 'xref)

(defconst half-a-minute 30)
(defvar task
  (let ((json-object-type 'alist) (json-array-type 'list))
    (json-read-file (getenv "OBLIST_TASK"))))
(defvar server nil "The connection of eglot.")
(defvar published nil "The versions that diagnostics were published for, by path.")

(setq vc-handled-backends nil ; the project is its folder, whatever repository is around it
      enable-local-variables nil
      create-lockfiles nil
      make-backup-files nil
      auto-save-default nil
      eglot-sync-connect half-a-minute
      eglot-autoreconnect nil
      eglot-server-programs `((lisp-mode . ,(alist-get 'server task))))

(defun wait-for (condition what)
  "Wait until CONDITION holds; say that WHAT is missing if it never does."
  (with-timeout (half-a-minute (error "Too late: %s" what))
    (while (not (funcall condition))
      (accept-process-output nil 0.01))))

(cl-defmethod eglot-handle-notification :after
  (_server (_method (eql textDocument/publishDiagnostics)) &key uri version &allow-other-keys)
  (push (cons (eglot--uri-to-path uri) version) published))

;;; Places

(defun place-here (beg end)
  "BEG to END in this buffer, as a place with its text."
  (save-excursion
    (goto-char beg)
    (format "%s:%d:%d %s" (file-name-nondirectory (buffer-file-name)) (line-number-at-pos)
            (1+ (- beg (line-beginning-position))) (buffer-substring-no-properties beg end))))

(defun place-of-xref (item)
  "The place of an xref ITEM, with the text that it marks."
  (let ((marker (xref-location-marker (xref-item-location item))))
    (with-current-buffer (marker-buffer marker)
      (place-here (marker-position marker) (+ marker (xref-match-length item))))))

(defun place-of-range (uri range)
  "The place of a RANGE in the file that URI names."
  (with-current-buffer (find-file-noselect (eglot--uri-to-path uri))
    (let ((region (eglot--range-region range)))
      (place-here (car region) (cdr region)))))

(defun go (step)
  "Go to the words of STEP in its file."
  (switch-to-buffer (find-file-noselect (expand-file-name (alist-get 'file step) (alist-get 'project task))))
  (goto-char (point-min))
  (unless (string-empty-p (alist-get 'words step))
    (search-forward (alist-get 'words step))
    (goto-char (+ (match-beginning 0) (alist-get 'more step)))))

(defun diagnostics ()
  "What flymake shows in this buffer once the server has checked its present text."
  (flymake-start)
  (wait-for (lambda () (member (cons (buffer-file-name) eglot--versioned-identifier) published)) "diagnostics")
  (mapcar (lambda (one)
            (format "%s: %s" (place-here (flymake-diagnostic-beg one) (flymake-diagnostic-end one))
                    (replace-regexp-in-string "\\`oblist \\[[a-z-]+]: " "" (flymake-diagnostic-text one))))
          (flymake-diagnostics)))

(defun ask (method parameters)
  "What the server answers to METHOD with PARAMETERS."
  (append (jsonrpc-request server method parameters) nil))

(defun hierarchy (prepare method)
  "What METHOD says of the item that PREPARE finds here; eglot has no commands for these."
  (ask method (list :item (car (ask prepare (eglot--TextDocumentPositionParams))))))

(defun calls (found side)
  "The calls that are FOUND, each with the name at its SIDE."
  (cl-loop for call in found
           for name = (plist-get (plist-get call side) :name)
           when (string-prefix-p "emporium:" name)
           append (cl-loop for range across (plist-get call :fromRanges)
                           for start = (plist-get range :start)
                           collect (format "%s %d:%d" name (1+ (plist-get start :line))
                                           (1+ (plist-get start :character))))))

(defun types (found)
  "The types that are FOUND, each with its place."
  (mapcar (lambda (one)
            (concat (plist-get one :name) " "
                    (place-of-range (plist-get one :uri) (plist-get one :selectionRange))))
          found))

;;; What can be done

(cl-defgeneric act (what step)
  "Do STEP, of the kind WHAT; return what is seen.")

(cl-defmethod act ((_ (eql start)) _step)
  (go '((file . "shop.lisp") (words . "")))
  (eglot-ensure)
  (run-hooks 'post-command-hook)
  (setq server (eglot-current-server))
  (let (names)
    (cl-loop for (key _) on (eglot--capabilities server) by #'cddr
             do (push (substring (symbol-name key) 1) names))
    (sort (cl-remove-if-not (lambda (name) (and (string-suffix-p "Provider" name)
                                                (not (equal name "executeCommandProvider"))))
                            names)
          #'string<)))

(cl-defmethod act ((_ (eql open)) step)
  (go step)
  (unless (eglot-managed-p)
    (error "Eglot does not look after %s" (buffer-file-name)))
  (diagnostics))

(cl-defmethod act ((_ (eql hover)) step)
  (go step)
  (let (text)
    (eglot-hover-eldoc-function (lambda (info &rest _) (setq text (or info ""))))
    (wait-for (lambda () text) "hover")
    (substring-no-properties text)))

(cl-defmethod act ((_ (eql definition)) step)
  (go step)
  (let* ((name (xref-backend-identifier-at-point 'eglot))
         (found (mapcar #'place-of-xref (xref-backend-definitions 'eglot name))))
    (when (= (length found) 1)
      (xref-find-definitions name)
      (let ((here (place-here (point) (point))))
        (unless (string-prefix-p here (car found))
          (error "%s is not %s" here (car found)))))
    found))

(cl-defmethod act ((_ (eql implementation)) step)
  (go step)
  (mapcar #'place-of-xref (eglot--lsp-xrefs-for-method :textDocument/implementation)))

(cl-defmethod act ((_ (eql typeDefinition)) step)
  (go step)
  (mapcar #'place-of-xref (eglot--lsp-xrefs-for-method :textDocument/typeDefinition)))

(cl-defmethod act ((_ (eql references)) step)
  (go step)
  (mapcar #'place-of-xref (xref-backend-references 'eglot (xref-backend-identifier-at-point 'eglot))))

(cl-defmethod act ((_ (eql highlight)) step)
  (go step)
  (mapc #'delete-overlay eglot--highlights)
  (setq eglot--highlights nil)
  (eglot--highlight-piggyback nil)
  (wait-for (lambda () eglot--highlights) "highlights")
  (mapcar (lambda (one) (place-here (overlay-start one) (overlay-end one))) eglot--highlights))

(cl-defmethod act ((_ (eql symbols)) step)
  (go step)
  (let ((found (cl-loop for (kind . entries) in (eglot-imenu)
                        append (cl-loop for (name . position) in entries collect (list position kind name)))))
    (mapcar (lambda (one)
              (format "%s %d %s" (nth 1 one) (line-number-at-pos (car one)) (nth 2 one)))
            (sort found (lambda (one other) (< (car one) (car other)))))))

(cl-defmethod act ((_ (eql workspace)) step)
  (go step)
  (mapcar #'place-of-xref (xref-backend-apropos 'eglot (alist-get 'to step))))

(cl-defmethod act ((_ (eql incoming)) step)
  (go step)
  (calls (hierarchy :textDocument/prepareCallHierarchy :callHierarchy/incomingCalls) :from))

(cl-defmethod act ((_ (eql outgoing)) step)
  (go step)
  (calls (hierarchy :textDocument/prepareCallHierarchy :callHierarchy/outgoingCalls) :to))

(cl-defmethod act ((_ (eql supertypes)) step)
  (go step)
  (types (hierarchy :textDocument/prepareTypeHierarchy :typeHierarchy/supertypes)))

(cl-defmethod act ((_ (eql subtypes)) step)
  (go step)
  (types (hierarchy :textDocument/prepareTypeHierarchy :typeHierarchy/subtypes)))

(cl-defmethod act ((_ (eql edit)) step)
  (go step)
  (goto-char (point-min))
  (search-forward (alist-get 'words step))
  (replace-match (alist-get 'to step) t t)
  (eglot--signal-textDocument/didChange) ; which a person has after half a second without a key
  (diagnostics))

(defun text-when-checked ()
  "The text of this buffer, once nothing is wrong with it."
  (eglot--signal-textDocument/didChange)
  (or (diagnostics) (buffer-substring-no-properties (point-min) (point-max))))

(cl-defmethod act ((_ (eql complete)) step)
  (go step)
  (pcase-let* ((`(,beg ,end ,table . ,_) (eglot-completion-at-point))
               (typed (buffer-substring-no-properties beg end))
               (sorted (completion-metadata-get (completion-metadata typed table nil)
                                                'display-sort-function)))
    (substring-no-properties (car (funcall (or sorted #'identity) (all-completions typed table))))))

(cl-defmethod act ((_ (eql signature)) step)
  (go step)
  (let (text)
    (eglot-signature-eldoc-function (lambda (info &rest _) (setq text (or info ""))))
    (wait-for (lambda () text) "signature")
    (substring-no-properties text)))

(cl-defmethod act ((_ (eql fix)) step)
  (go step)
  (cl-letf (((symbol-function 'completing-read) (lambda (&rest _) (alist-get 'to step))))
    (let ((last-nonmenu-event t))
      (eglot-code-actions (point) (point) "quickfix" t)))
  (text-when-checked))

(cl-defmethod act ((_ (eql rename)) step)
  (go step)
  (let ((eglot-confirm-server-initiated-edits nil))
    (eglot-rename (alist-get 'to step)))
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (eglot-managed-p) (eglot--signal-textDocument/didChange))))
  (text-when-checked))

(cl-defmethod act ((_ (eql format)) step)
  (go step)
  (eglot-format-buffer)
  (text-when-checked))

(cl-defmethod act ((_ (eql shutdown)) _step)
  ;; Eglot sends `exit' and kills the server at once: see first that it would have ended by itself.
  (let* ((process (jsonrpc--process server))
         (wait (lambda (&rest _) (wait-for (lambda () (not (process-live-p process))) "the end"))))
    (advice-add 'jsonrpc-shutdown :before wait)
    (eglot-shutdown server nil half-a-minute)
    (if (zerop (process-exit-status process)) "ended" "failed")))

(let ((coding-system-for-write 'utf-8-unix))
  (dolist (step (alist-get 'steps task))
    (let ((seen (condition-case problem
                    (act (intern (alist-get 'do step)) step)
                  (error (error-message-string problem)))))
      (write-region (concat (json-encode `((name . ,(alist-get 'name step))
                                           (seen . ,(if (stringp seen) seen (vconcat seen)))))
                            "\n")
                    nil (alist-get 'shown task) t 'silent))))
(kill-emacs 0)
