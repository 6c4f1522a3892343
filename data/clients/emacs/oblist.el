;;; oblist.el --- Ask an index of Common Lisp symbols -*- lexical-binding: t -*-

;; Copyright (c) 2026 The oblist developers
;; SPDX-License-Identifier: MIT

;; Author: The oblist developers
;; Version: 1.0.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: lisp, languages, tools

;;; Commentary:

;; oblist keeps what SBCL knows about its symbols in one file, an index: definitions, lambda
;; lists, documentation, uses.  This package asks it, also about what no running Lisp has loaded.
;;
;;     (require 'oblist)
;;     (oblist-setup)
;;
;; `oblist-setup' lets `xref' ask the index in Lisp buffers where nothing else answers, and tells
;; eglot about the language server.  `oblist-apropos', `oblist-search' and `oblist-describe' show
;; what they find in buffers, from which RET goes to the definition.
;;
;; slime-oblist.el and sly-oblist.el let SLIME and Sly fall back on the index.
;;
;; The index is that of the project of the buffer, else the default index: see "oblist info".

;;; Code:

(require 'cl-lib)
(require 'json)
(require 'subr-x)
(require 'tabulated-list)
(require 'xref)

(defvar eglot-server-programs)

(defgroup oblist nil
  "An index of Common Lisp symbols."
  :group 'lisp
  :prefix "oblist-")

(defcustom oblist-program "oblist"
  "The command line of oblist: a name to look up on the PATH, or a path."
  :type 'string)

(defcustom oblist-options nil
  "Options for each question, such as (\"--index\" \"/path/to/oblist.db\")."
  :type '(repeat string))

(defcustom oblist-timeout 10
  "Seconds to wait for an answer."
  :type 'number)

(defcustom oblist-limit 200
  "The most names or places that one question lists."
  :type 'natnum)

(defcustom oblist-lsp-arguments nil
  "Arguments of the language server, such as (\"--watch\")."
  :type '(repeat string))

(defcustom oblist-lsp-initialization-options nil
  "Options that the language server is started with, such as (:inlayHints t)."
  :type 'plist)

;;;; Asking the command line

(defun oblist--program ()
  "Return the path of the program; signal an error with advice if it is missing."
  (or (executable-find oblist-program)
      (user-error "No program `%s': install oblist, or customize `oblist-program'" oblist-program)))

(defun oblist--run (arguments)
  "Run oblist with ARGUMENTS; return its exit code, output and errors as a list."
  (when (file-remote-p default-directory)
    (user-error "This folder is on another machine; oblist asks about files of this one"))
  (let* ((output (generate-new-buffer " *oblist*" t))
         (errors (generate-new-buffer " *oblist errors*" t))
         (process (make-process :name "oblist" :buffer output :stderr errors :noquery t
                                :command (cons (oblist--program) arguments)
                                :connection-type 'pipe :coding 'utf-8 :sentinel #'ignore))
         (from-errors (get-buffer-process errors))
         (deadline (+ (float-time) oblist-timeout)))
    (unwind-protect
        (progn
          (set-process-sentinel from-errors #'ignore)
          (set-process-query-on-exit-flag from-errors nil)
          (process-send-eof process)
          (while (or (process-live-p process) (process-live-p from-errors))
            (when (> (float-time) deadline)
              (user-error "No answer from oblist within %s seconds; see `oblist-timeout'" oblist-timeout))
            (accept-process-output nil 0.02))
          (while (accept-process-output process 0))
          (list (process-exit-status process)
                (with-current-buffer output (buffer-string))
                (with-current-buffer errors (buffer-string))))
      (when (process-live-p process)
        (delete-process process))
      (when (process-live-p from-errors)
        (delete-process from-errors))
      (kill-buffer output)
      (kill-buffer errors))))

(defun oblist--read (text)
  "Read TEXT, which is JSON, as nested alists; nil if it is not JSON."
  (condition-case nil
      (if (and (fboundp 'json-available-p) (json-available-p))
          (json-parse-string text :object-type 'alist :array-type 'list
                             :null-object nil :false-object nil)
        (let ((json-object-type 'alist) (json-array-type 'list) (json-null nil) (json-false nil))
          (json-read-from-string text)))
    (error nil)))

(defun oblist--ask (command arguments &rest words)
  "Return the answer of COMMAND with the options ARGUMENTS about WORDS.
It may be an error, with a field `error'."
  (pcase-let* ((`(,code ,output ,errors)
                (oblist--run `(,command "--json" ,@oblist-options ,@arguments "--" ,@words)))
               (answer (oblist--read output)))
    (cond (answer)
          ((eql code 0) nil)
          (t (let ((line (car (last (split-string errors "\n" t "[ \t]*")))))
               (user-error "%s" (or line (format "oblist %s failed with code %s" command code))))))))

(defun oblist--sentence (answer)
  "Return the sentences of ANSWER, which is an error."
  (string-join (delq nil (list (alist-get 'message answer) (alist-get 'reason answer))) ". "))

(defun oblist--ask-from (package command arguments &rest words)
  "As `oblist--ask' of COMMAND, ARGUMENTS and WORDS, as code in PACKAGE means them.
A package that the index does not have is left out of the question."
  (let* ((ask (lambda (arguments) (apply #'oblist--ask command arguments words)))
         (answer (funcall ask (append (and package (list "--package" package)) arguments)))
         (only (if (consp (caar answer)) (car answer) answer)))
    (if (and package (equal (alist-get 'error only) "package-not-found"))
        (funcall ask arguments)
      answer)))

(defun oblist--answer (answer)
  "Return ANSWER, unless it is an error, which is signaled."
  (if (alist-get 'error answer)
      (user-error "%s" (oblist--sentence answer))
    answer))

;;;; The text at point

(defconst oblist--in-package
  "^[ \t]*([ \t]*\\(?:cl\\|common-lisp\\)?:?in-package[ \t\n]+\\(\"[^\"\n]+\"\\|[^()\" \t\n;]+\\)"
  "Matches a form that sets the package, with the package's designator.")

(defun oblist-package-name (designator)
  "The name that DESIGNATOR, as it is written in a Lisp text, gives to a package."
  (cond ((string-match "\\`\"\\(.*\\)\"\\'" designator)
         (format "|%s|" (match-string 1 designator)))
        ((string-match "\\`\\(?:#?:\\|'\\)\\(.*\\)\\'" designator)
         (match-string 1 designator))
        (t designator)))

(defun oblist-current-package ()
  "The package that the code at point is in, or nil."
  (save-excursion
    (save-restriction
      (widen)
      (let ((case-fold-search t))
        (when (or (re-search-backward oblist--in-package nil t)
                  (re-search-forward oblist--in-package nil t))
          (oblist-package-name (match-string-no-properties 1)))))))

(defun oblist--name-at-point ()
  "The name at point, or nil."
  (let ((name (thing-at-point 'symbol t)))
    (and name (replace-regexp-in-string "\\`#?'" "" name))))

(defun oblist--read-name (prompt)
  "Read a name, with PROMPT; the name at point is the default."
  (let* ((at-point (oblist--name-at-point))
         (name (completing-read (format-prompt prompt at-point) (oblist--names (oblist-current-package))
                                nil nil nil nil at-point)))
    (if (string-empty-p name) (user-error "No name given") name)))

(defun oblist--completions (package text)
  "The names that TEXT may be the beginning of, in code in PACKAGE."
  (unless (string-empty-p text)
    (let* ((limit (number-to-string oblist-limit))
           (answer (oblist--ask-from package "complete" (list "--limit" limit) text)))
      (mapcar (lambda (one)
                (propertize (alist-get 'written one)
                            'oblist-note (format " %s" (or (alist-get 'arglist one) (alist-get 'type one)))))
              (alist-get 'completions answer)))))

(defun oblist--names (package)
  "A completion table of the names that code in PACKAGE may mean."
  (let ((dynamic (completion-table-with-cache (lambda (text) (oblist--completions package text)) t)))
    (lambda (text predicate action)
      (if (eq action 'metadata)
          '(metadata (category . oblist) (display-sort-function . identity))
        (complete-with-action action dynamic text predicate)))))

;;;###autoload
(defun oblist-completion-at-point ()
  "Complete the name at point from the index, for `completion-at-point-functions'."
  (when-let* ((bounds (bounds-of-thing-at-point 'symbol))
              ((not (nth 8 (syntax-ppss)))))
    (list (car bounds) (cdr bounds) (oblist--names (oblist-current-package))
          :exclusive 'no
          :annotation-function (lambda (name) (get-text-property 0 'oblist-note name)))))

;;;; Places

(cl-defstruct (oblist-place (:constructor oblist--make-place))
  "A place in a source file, or the TEXT of a definition whose file is not on this machine."
  file line column text name)

(defun oblist--place (fields &optional name text)
  "Return the place of NAME in FIELDS of an answer, or nil.
TEXT is that of the definition, for a file that is not on this machine."
  (let ((file (alist-get 'path fields)))
    (when (or file text)
      (oblist--make-place :file file :line (or (alist-get 'line fields) 1)
                          :column (alist-get 'column fields) :text text :name name))))

(defun oblist--readable-p (file)
  "Return whether FILE can be read on this machine.
Nothing that an index has makes Emacs connect to another one."
  (and file (not (file-remote-p file)) (file-readable-p file)))

(defun oblist--text-buffer (place)
  "A buffer with the text of PLACE, whose file is not on this machine."
  (with-current-buffer (get-buffer-create (format "*oblist: %s*" (oblist-place-name place)))
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert (oblist-place-text place)))
    (delay-mode-hooks (lisp-mode))
    (setq buffer-read-only t)
    (current-buffer)))

(cl-defmethod xref-location-marker ((place oblist-place))
  "The marker of PLACE."
  (let ((file (oblist-place-file place)))
    (cond ((oblist--readable-p file)
           (with-current-buffer (find-file-noselect file)
             (save-restriction
               (widen)
               (save-excursion
                 (goto-char (point-min))
                 (forward-line (1- (oblist-place-line place)))
                 (forward-char (min (1- (or (oblist-place-column place) 1))
                                    (- (line-end-position) (point))))
                 (point-marker)))))
          ((oblist-place-text place)
           (with-current-buffer (oblist--text-buffer place)
             (copy-marker (point-min))))
          (t (user-error "%s is not on this machine; --root says where sources are now"
                         (or file "The source"))))))

(cl-defmethod xref-location-group ((place oblist-place))
  "The group of PLACE: its file."
  (or (oblist-place-file place) "(in the index only)"))

(cl-defmethod xref-location-line ((place oblist-place))
  "The line of PLACE."
  (oblist-place-line place))

(defun oblist--heading (name definition)
  "What NAME's DEFINITION is, in a line."
  (string-join (delq nil (list (alist-get 'kind definition) name
                               (alist-get 'qualifiers definition) (alist-get 'specializers definition)))
               " "))

(defun oblist--definitions (name package)
  "Return the definitions of NAME, as code in PACKAGE writes it, as xref items."
  (let* ((answer (car (oblist--ask-from package "definition" '("--max-length" "0") name)))
         (text (alist-get 'text answer)))
    (delq nil
          (mapcar
           (lambda (one)
             (let* ((start (alist-get 'text_offset one))
                    (own (and (alist-get 'from_source one)
                              (substring text start (+ start (alist-get 'text_length one)))))
                    (written (alist-get 'written answer))
                    (place (oblist--place one written own)))
               (and place (xref-make (oblist--heading written one) place))))
           (alist-get 'definitions answer)))))

(defun oblist--uses (name package &optional relations callees)
  "Return the places that use NAME, as code in PACKAGE writes it, as xref items.
Unless RELATIONS is nil, only those with one of them.  With CALLEES, the
places where NAME itself refers to other names."
  (let* ((arguments `("--limit" ,(number-to-string oblist-limit)
                      ,@(and callees '("--callees"))
                      ,@(and relations (null (cdr relations)) `("--relation" ,(car relations)))))
         (answer (oblist--ask-from package "xref" arguments name)))
    (delq nil
          (mapcar
           (lambda (one)
             (let ((place (oblist--place one))
                   (length (alist-get 'length one))
                   (summary (format "%s  %s: %s" (alist-get 'relation one)
                                    (alist-get (if callees 'callee 'caller) one)
                                    (string-trim (or (alist-get 'text one) "")))))
               (and place
                    (or (null relations) (member (alist-get 'relation one) relations))
                    (if length
                        (xref-make-match summary place length)
                      (xref-make summary place)))))
           (alist-get 'references answer)))))

;;;; xref

;; The backend is an object, so that what SLIME and Sly have asked for is shown as xref shows it.

(cl-defstruct (oblist-backend (:constructor oblist--make-backend))
  "A backend for code in PACKAGE; it answers with what was FOUND before, if that is not nil."
  package found)

;;;###autoload
(defun oblist-xref-backend ()
  "Answer xref's questions from the index, in Lisp buffers of this machine."
  (and (derived-mode-p 'lisp-mode)
       (not (file-remote-p default-directory))
       (oblist--make-backend :package (oblist-current-package))))

(cl-defmethod xref-backend-identifier-at-point ((_backend oblist-backend))
  "Return the name at point."
  (oblist--name-at-point))

(cl-defmethod xref-backend-identifier-completion-table ((backend oblist-backend))
  "Return a table of the names that the code of BACKEND may mean."
  (oblist--names (oblist-backend-package backend)))

(cl-defmethod xref-backend-definitions ((backend oblist-backend) name)
  "Return the definitions of NAME in the code of BACKEND."
  (or (oblist-backend-found backend) (oblist--definitions name (oblist-backend-package backend))))

(cl-defmethod xref-backend-references ((backend oblist-backend) name)
  "Return the places that use NAME in the code of BACKEND."
  (or (oblist-backend-found backend) (oblist--uses name (oblist-backend-package backend))))

(cl-defmethod xref-backend-apropos ((_backend oblist-backend) pattern)
  "Return the definitions of the names with PATTERN in them."
  (let ((matches (alist-get 'matches (oblist--answer (oblist--apropos pattern)))))
    (mapcan (lambda (match) (oblist--definitions (oblist--exactly match) nil)) (seq-take matches 30))))

(defun oblist--apropos (pattern)
  "The answer about the names with PATTERN in them."
  (oblist--ask "apropos" (list "--limit" (number-to-string oblist-limit)) pattern))

(defun oblist--exactly (match)
  "The name of a MATCH, as one types it in any package."
  (cl-flet ((quoted (text) (format "|%s|" (replace-regexp-in-string "[|\\]" "\\\\\\&" text))))
    (format "%s::%s" (quoted (alist-get 'package match)) (quoted (alist-get 'name match)))))

(defun oblist--show (show name found)
  "Let SHOW, a command of xref, show what was FOUND about NAME.
Return nil if nothing was found."
  (when found
    (let ((xref-backend-functions (list (lambda () (oblist--make-backend :found found)))))
      (funcall show name)
      t)))

(defun oblist-visit-definitions (name &optional package where)
  "Go to the definition of NAME in PACKAGE that the index has, or list several.
WHERE is nil, `window' or `frame'.  Return nil if the index has none."
  (oblist--show (pcase where
                  ('window #'xref-find-definitions-other-window)
                  ('frame #'xref-find-definitions-other-frame)
                  (_ #'xref-find-definitions))
                name (oblist--definitions name package)))

(defun oblist-show-uses (name &optional package relations callees)
  "List the places that use NAME, as code in PACKAGE writes it.
RELATIONS and CALLEES are as in `oblist--uses'.  Return nil if there are none."
  (oblist--show #'xref-find-references name (oblist--uses name package relations callees)))

;;;; For SLIME and Sly, which answer first

(defun oblist-or-definitions (find name &optional package where)
  "Call FIND; if it signals an error, go to the definition of NAME in the index.
PACKAGE and WHERE are as in `oblist-visit-definitions'.  If the index has none,
or cannot be asked, the error of FIND stands."
  (condition-case failure
      (funcall find)
    (error
     (unless (and name (ignore-errors (oblist-visit-definitions name package where)))
       (signal (car failure) (cdr failure))))))

(defun oblist-found-p (groups)
  "Return whether one of GROUPS, lists of places with a label before, has a place."
  (cl-some #'cdr groups))

(defun oblist-show-kinds (name package kinds)
  "List the places that use NAME, as code in PACKAGE writes it, in one of KINDS.
KINDS is a keyword that SLIME has for a kind of use, or a list of them.
Return nil if there are none, or if the index cannot be asked."
  (let ((kinds (ensure-list kinds)))
    (condition-case failure
        (cond ((seq-intersection kinds '(:calls-who :callees))
               (oblist-show-uses name package nil t))
              ((memq :callers kinds)
               (oblist-show-uses name package))
              (t (oblist-show-uses name package
                                   (mapcar (lambda (kind) (substring (symbol-name kind) 1)) kinds))))
      (user-error (message "%s" (cadr failure)) nil))))

(defun oblist-completion-after (completion package)
  "Return COMPLETION with the names of PACKAGE in the index, for when it has none.
COMPLETION is what a function of `completion-at-point-functions' has returned."
  (pcase completion
    (`(,begin ,end ,table . ,more)
     `(,begin ,end ,(completion-table-in-turn table (oblist--names package)) ,@more))
    ('nil (oblist-completion-at-point))
    (_ completion)))

;;;; Buffers with what was found

(defvar oblist-list-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'oblist-list-visit)
    (define-key map "d" #'oblist-list-describe)
    map)
  "The keys of `oblist-list-mode'.")

(define-derived-mode oblist-list-mode tabulated-list-mode "oblist"
  "Names that the index has.
\\<oblist-list-mode-map>\\[oblist-list-visit] goes to the definition, \\[oblist-list-describe] \
describes the name."
  (setq tabulated-list-format [("Name" 40 t) ("Type" 18 t) ("Package" 24 t) ("" 0 nil)])
  (tabulated-list-init-header))

(defun oblist--show-list (title matches)
  "Show MATCHES, the symbols of an answer, in a buffer about TITLE."
  (let ((folder default-directory))
    (with-current-buffer (get-buffer-create (format "*oblist: %s*" title))
      (oblist-list-mode)
      (setq default-directory folder
            tabulated-list-entries
            (mapcar (lambda (one)
                      (list (oblist--exactly one)
                            (vector (or (alist-get 'written one) (alist-get 'name one))
                                    (or (alist-get 'type one) "")
                                    (or (alist-get 'package one) "")
                                    (car (split-string (or (alist-get 'summary one) "") "\n")))))
                    matches))
      (tabulated-list-print)
      (pop-to-buffer (current-buffer)))))

(defun oblist--listed ()
  "The name on this line."
  (or (tabulated-list-get-id) (user-error "No name on this line")))

(defun oblist-list-visit ()
  "Go to the definition of the name on this line."
  (interactive)
  (unless (oblist-visit-definitions (oblist--listed))
    (user-error "The index has no definition of %s" (oblist--listed))))

(defun oblist-list-describe ()
  "Describe the name on this line."
  (interactive)
  (oblist-describe (oblist--listed)))

(defun oblist--show-matches (title answer)
  "Show the symbols of ANSWER in a buffer about TITLE; signal an error without any."
  (let ((matches (alist-get 'matches (oblist--answer answer)))
        (total (alist-get 'total answer)))
    (unless matches
      (user-error "%s" (or (alist-get 'note answer) "The index has no such symbol")))
    (oblist--show-list title matches)
    (when (> total (length matches))
      (message "%d of %d; see `oblist-limit'" (length matches) total))))

;;;###autoload
(defun oblist-apropos (pattern)
  "List the symbols whose names contain PATTERN."
  (interactive "soblist apropos: ")
  (oblist--show-matches pattern (oblist--apropos pattern)))

;;;###autoload
(defun oblist-search (words)
  "List the symbols that WORDS fit best.
WORDS may also be a signature, such as \":: string -> pathname\"."
  (interactive "soblist search: ")
  (let ((arguments (list "--limit" (number-to-string oblist-limit))))
    (oblist--show-matches words (apply #'oblist--ask "search" arguments (split-string words)))))

(defvar oblist-describe-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'push-button)
    map)
  "The keys of `oblist-describe-mode'.")

(define-derived-mode oblist-describe-mode special-mode "oblist"
  "What the index says about one name.
\\<oblist-describe-mode-map>Type \\[push-button] on a place to go there.")

(defun oblist--insert-place (fields name)
  "Insert a button for the place of NAME that FIELDS give."
  (when-let ((place (oblist--place fields name)))
    (insert-text-button (format "%s:%s" (oblist-place-file place) (oblist-place-line place))
                        'action (lambda (_button) (oblist--go place))
                        'help-echo "Go to the definition")))

(defun oblist--go (place)
  "Go to PLACE."
  (let ((marker (xref-location-marker place)))
    (xref-push-marker-stack)
    (pop-to-buffer (marker-buffer marker))
    (goto-char marker)))

(defun oblist--insert-description (answer)
  "Insert what ANSWER describes."
  (let ((name (alist-get 'written answer)))
    (insert (propertize name 'face 'bold)
            (format "  %s\n" (string-join (alist-get 'kinds answer) ", ")))
    (pcase-dolist (`(,label . ,field) '(("Arguments" . arglist) ("Type" . ftype) ("Value" . value)
                                        ("Note" . note)))
      (when-let ((text (alist-get field answer)))
        (insert (format "%s: %s\n" label text))))
    (when-let ((text (alist-get 'documentation answer)))
      (insert "\n" text "\n"))
    (insert "\n")
    (dolist (one (alist-get 'definitions answer))
      (insert (oblist--heading name one) "  ")
      (oblist--insert-place one name)
      (insert "\n"))))

;;;###autoload
(defun oblist-describe (name &optional package)
  "Describe NAME, as code in PACKAGE writes it."
  (interactive (list (oblist--read-name "Describe") (oblist-current-package)))
  (let* ((limit (number-to-string oblist-limit))
         (answer (oblist--answer (oblist--ask-from package "describe" (list "--full" "--limit" limit) name)))
         (folder default-directory))
    (with-current-buffer (get-buffer-create (format "*oblist: %s*" (alist-get 'written answer)))
      (oblist-describe-mode)
      (setq default-directory folder)
      (let ((inhibit-read-only t))
        (erase-buffer)
        (oblist--insert-description answer))
      (goto-char (point-min))
      (pop-to-buffer (current-buffer)))))

;;;; Setting up

(defun oblist--eglot-contact (&rest _)
  "The command of the language server, as eglot wants it."
  `(,(oblist--program) "lsp" ,@oblist-lsp-arguments
    ,@(and oblist-lsp-initialization-options
           `(:initializationOptions ,oblist-lsp-initialization-options))))

;;;###autoload
(defun oblist-eglot-setup ()
  "Let eglot start the language server for Lisp files.
To start it in each: (add-hook \\='lisp-mode-hook #\\='eglot-ensure)."
  (interactive)
  (with-eval-after-load 'eglot
    (add-to-list 'eglot-server-programs '(lisp-mode . oblist--eglot-contact))))

;;;###autoload
(defun oblist-xref-setup ()
  "Let xref ask the index in Lisp buffers in which nothing else answers.
Eglot, SLIME and Sly answer in the buffers that they manage."
  (interactive)
  (add-hook 'xref-backend-functions #'oblist-xref-backend))

;;;###autoload
(defun oblist-setup ()
  "Set up xref and eglot."
  (interactive)
  (oblist-xref-setup)
  (oblist-eglot-setup))

(provide 'oblist)
;;; oblist.el ends here
