;;;; All feeds of a person.

(in-package "GAZETTE")

(defclass shelf ()
  ((feeds :initform (make-hash-table :test 'equal) :reader shelf-feeds))
  (:documentation "The feeds that somebody reads, by their addresses."))

(defvar *shelf* (make-instance 'shelf)
  "The feeds of whoever uses this.")

(defmacro do-feeds ((feed &optional (shelf '*shelf*)) &body body)
  "Run BODY for every FEED of SHELF."
  `(loop for ,feed being each hash-value of (shelf-feeds ,shelf)
         do (progn ,@body)))

(defun find-feed (url &optional (shelf *shelf*))
  "The feed at URL, or NIL."
  (gethash url (shelf-feeds shelf)))

(defun (setf find-feed) (feed url &optional (shelf *shelf*))
  (setf (feed-url feed) url
        (gethash url (shelf-feeds shelf)) feed))

(defun subscribe (url &key (title url) (shelf *shelf*))
  "The feed at URL, made when it is not there yet."
  (or (find-feed url shelf)
      (setf (find-feed url shelf) (make-instance 'feed :title title))))

(defun unsubscribe (url &optional (shelf *shelf*))
  (remhash url (shelf-feeds shelf)))

(defmethod entries ((shelf shelf))
  (let ((all '()))
    (do-feeds (feed shelf)
      (setf all (append (entries feed) all)))
    (sort all #'entry-before-p)))

(defmethod summary-lines in-lines ((shelf shelf))
  (cl:format nil "~D feeds" (hash-table-count (shelf-feeds shelf))))

(defmethod describe-object ((shelf shelf) stream)
  (do-feeds (feed shelf)
    (cl:format stream "~&~{~A~%~}" (summary-lines feed))))
