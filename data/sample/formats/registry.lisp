;;;; The formats of feeds, by the name of their root element.

(in-package "GAZETTE")

(defclass format ()
  ((name :initarg :name :reader format-name)
   (root :initarg :root :reader format-root))
  (:documentation "What a feed may be written in."))

(defvar *formats* '()
  "All formats that were defined, the newest first.")

(defun register-format (format)
  (setf *formats*
        (cons format (remove (format-name format) *formats* :key #'format-name)))
  format)

(defmacro define-format (name (root) documentation &body body)
  "Define the format NAME of feeds whose root element is called ROOT; BODY makes a feed of it."
  (check-type name symbol)
  `(progn
     (defclass ,name (format) () (:documentation ,documentation))
     (register-format (make-instance ',name :name ',name :root ,root))
     (defmethod format-feed ((format ,name) root)
       (declare (ignorable root))
       (flet ((text-at (node &rest path)
                (when-let (found (apply #'xml:at-path node path))
                  (xml:node-text found))))
         (declare (ignorable #'text-at))
         ,@body))))

(defun find-format (root)
  "The format whose root element is called ROOT."
  (or (find root *formats* :key #'format-root :test #'string=)
      (error 'unknown-format :root root)))

(defun parse-feed (text)
  "The feed that TEXT is."
  (let ((root (xml:parse text)))
    (format-feed (find-format (xml:node-name root)) root)))
