;;;; Fetching feeds by HTTP.

(in-package "GAZETTE")

(defun fetch-text (url)
  "What the server at URL answers, as text."
  (multiple-value-bind (body status)
      (drakma:http-request url :user-agent *user-agent*
                               :connection-timeout *timeout*
                               :additional-headers '(("Accept" . "application/atom+xml, text/xml")))
    (unless (eql status 200)
      (error 'fetch-failed :url url :status status))
    (if (stringp body)
        body
        (flexi-streams:octets-to-string body :external-format :utf-8))))

(defgeneric fetch (source)
  (:documentation "Fetch SOURCE again; the entries that are new."))

(defmethod fetch ((url string))
  (fetch (subscribe url)))

(defmethod fetch ((feed feed))
  (restart-case
      (let ((arrived (parse-feed (fetch-text (feed-url feed)))))
        (setf (title feed) (title arrived)
              (fetched feed) (get-universal-time))
        (collecting (keep)
          (dolist (entry (entries arrived))
            (when (add-entry entry feed)
              (keep entry)))))
    (skip-feed ()
      :report "Go on without this feed."
      '())))

(defmethod fetch ((shelf shelf))
  (collecting (keep)
    (do-feeds (feed shelf)
      (handler-bind ((gazette-error (lambda (condition)
                                      (warn "~A" condition)
                                      (invoke-restart 'skip-feed))))
        (mapc #'keep (fetch feed))))))

