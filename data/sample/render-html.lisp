;;;; Output for a browser.

(in-package "GAZETTE")

(defmacro with-element ((stream name &rest attributes) &body body)
  "Write an element NAME to STREAM around what BODY writes; ATTRIBUTES are keywords and forms."
  `(progn
     (cl:format ,stream "<~(~A~)" ',name)
     ,@(loop for (key form) on attributes by #'cddr
             collect `(cl:format ,stream " ~(~A~)=\"~A\"" ,key (text:escape-html ,form)))
     (write-char #\> ,stream)
     (multiple-value-prog1 (progn ,@body)
       (cl:format ,stream "</~(~A~)>" ',name))))

(defun write-escaped (text stream)
  "Write TEXT to STREAM as HTML shows it."
  (write-string (text:escape-html text) stream))

(defmethod render ((entry entry) (medium (eql :html)) stream)
  (with-element (stream li :class (if (readp entry) "read" "unread"))
    (with-element (stream a :href (or (link entry) "#") :rel "noopener")
      (write-escaped (title entry) stream))
    (with-element (stream p)
      (write-escaped (summary entry) stream))))

(defmethod render ((feed feed) (medium (eql :html)) stream)
  (with-element (stream section)
    (with-element (stream h2)
      (write-escaped (title feed) stream))
    (with-element (stream ul)
      (dolist (entry (entries feed))
        (render entry medium stream)))))
