;;;; A feed: its entries, and where it comes from.

(in-package "GAZETTE")

(defclass feed (titled linked)
  ((url :initarg :url :initform nil :accessor feed-url)
   (entries :initarg :entries :initform '() :accessor entries :type list)
   (fetched :initform nil :accessor fetched :type (or null seconds)
            :documentation "When it was fetched last, as a universal time."))
  (:documentation "A source of entries."))

(defclass muted-feed (feed)
  ((until :initarg :until :reader muted-until :initform 0))
  (:documentation "A feed that nobody wants to hear of for a while."))

(define-printer (feed feed) "~A, ~D entries" (title feed) (length (entries feed)))

(defun known-entry (entry feed)
  "The entry of FEED that is the same as ENTRY, or NIL."
  (find (entry-key entry) (entries feed) :key #'entry-key :test #'equal))

(defmethod add-entry ((entry entry) (feed feed))
  (unless (known-entry entry feed)
    (setf (entries feed)
          (merge 'list (list entry) (entries feed) #'entry-before-p))
    t))

(defmethod add-entry :after ((entry entry) (feed feed))
  (when (> (length (entries feed)) +most-entries+)
    (setf (entries feed) (subseq (entries feed) 0 +most-entries+))))

(defmethod unread :around ((feed muted-feed))
  (if (< (get-universal-time) (muted-until feed))
      '()
      (call-next-method)))

(defun forget-old (feed &optional (now (get-universal-time)))
  "Drop the entries of FEED that were read and are old."
  (setf (entries feed)
        (remove-if (lambda (entry)
                     (and (readp entry)
                          (published entry)
                          (> (- now (universal-date (published entry))) keep-seconds)))
                   (entries feed))))

(defmethod summary-lines in-lines ((feed feed))
  (cl:format nil "~A: ~D unread" (title feed) (length (unread feed))))

(defmethod weight + ((feed feed))
  (reduce #'+ (entries feed) :key #'weight))
