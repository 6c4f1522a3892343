;;;; All uses of all symbols: SBCL's references and the occurrences in the text.

(in-package "OBLIST")

(defun put-all-uses (packages &optional (wantedp (constantly t)))
  "Write all uses: SBCL's references, by the functions for whose name and code WANTEDP is true, and the
occurrences in the text.  PACKAGES are those of the index."
  (find-occurrences packages)
  (note-references wantedp)
  (place-the-rest)
  (note-specializing)
  (note-text-uses)
  (put-unread-texts)
  (put-uses))
