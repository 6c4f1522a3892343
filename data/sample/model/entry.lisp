;;;; One entry of a feed.

(in-package "GAZETTE")

(defclass titled ()
  ((title :initarg :title :initform "(no title)" :accessor title
          :documentation "What it is called."))
  (:documentation "Something with a title."))

(defclass linked ()
  ((link :initarg :link :initform nil :reader link :type text-or-null))
  (:documentation "Something with a place on the web."))

(defclass entry (titled linked)
  ((published :initarg :published :initform nil :accessor published :type (or null date))
   (summary :initarg :summary :initform "" :accessor summary)
   (read :initarg :read :initform nil :reader readp :writer mark-read)
   (made :allocation :class :initform 0 :accessor entries-made
         :documentation "How many there are."))
  (:default-initargs :summary "")
  (:documentation "Something that a feed told."))

(define-printer (entry entry) "~S~:[~;, read~]" (title entry) (readp entry))

(defmethod initialize-instance :after ((entry entry) &key)
  (incf (entries-made entry))
  (when (blankp (title entry))
    (setf (title entry) (shorten (summary entry) :width 40))))

(defmethod (setf published) :before (date (entry entry))
  (check-type date (or null date))
  (when (and (published entry) (date-before-p date (published entry)))
    (warn "~A gets older." (title entry))))

(defun entry-key (entry)
  "What tells ENTRY from others."
  (or (link entry) (title entry)))

(defun entry-before-p (a b)
  "True when A was published after B, for the newest comes first."
  (date-before-p (published b) (published a)))

(defmethod summary-lines in-lines ((entry entry))
  (cl:format nil "~A (~@[~A~])" (title entry) (published entry)))

(defmethod weight + ((entry entry))
  (text:word-count (summary entry)))
