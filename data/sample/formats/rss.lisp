;;;; RSS 2.0.

(in-package "GAZETTE")

(defun rss-entry (item)
  "The entry that the element ITEM is."
  (flet ((text (name)
           (when-let (child (xml:child item name))
             (xml:node-text child))))
    (make-instance 'entry
                   :title (text "title")
                   :link (text "link")
                   :summary (or (text "description") "")
                   :published (when-let (date (text "pubDate"))
                                (parse-822 date)))))

(define-format rss ("rss")
    "Really Simple Syndication."
  (let* ((channel (xml:child root "channel"))
         (feed (make-instance 'feed :title (text-at channel "title")
                                    :link (text-at channel "link"))))
    (xml:do-children (item channel "item")
      (add-entry (rss-entry item) feed))
    feed))
