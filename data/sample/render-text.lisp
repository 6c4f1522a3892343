;;;; Output for a terminal.

(in-package "GAZETTE")

(defvar *width* 72
  "How wide the lines of a text may be.")

(defun write-entry (entry stream &key (width *width*))
  "Write ENTRY to STREAM on a line of its own."
  (cl:format stream "~&~:[*~; ~] ~A~%" (readp entry) (shorten (title entry) :width width)))

(defmethod render ((entry entry) (medium (eql :text)) stream)
  (write-entry entry stream)
  (unless (blankp (summary entry))
    (cl:format stream "    ~A~%" (shorten (summary entry) :width (- *width* 4)))))

(defmethod render ((feed feed) (medium (eql :text)) stream)
  (cl:format stream "~&~A~%~V,,,'=A~%" (title feed) (length (title feed)) "")
  (dolist (entry (entries feed))
    (render entry medium stream)))

(defmethod render ((objects list) medium stream)
  (dolist (object objects)
    (render object medium stream)))
