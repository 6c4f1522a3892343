;;;; Atom, RFC 4287.

(in-package "GAZETTE")

(defun atom-link (node)
  "The address in the element NODE: that of the alternate link, or else of the first."
  (let ((links (xml:children-named node "link")))
    (when-let (link (or (find "alternate" links :test #'equal
                                                :key (lambda (link) (xml:attribute link "rel")))
                        (first links)))
      (xml:attribute link "href"))))

(define-format atom-format ("feed")
    "The Atom Syndication Format."
  (let ((feed (make-instance 'feed :title (text-at root "title") :link (atom-link root))))
    (xml:do-children (node root "entry")
      (add-entry (make-instance 'entry
                                :title (text-at node "title")
                                :link (atom-link node)
                                :summary (or (text-at node "summary") "")
                                :published (when-let (date (text-at node "updated"))
                                             (parse-3339 date)))
                 feed))
    feed))
