;;;; The nodes of a tree of XML.

(in-package "GAZETTE.XML")

(defstruct (node (:constructor make-node (name &key attributes children)))
  "An element: its name, its attributes by name, and its children, nodes and strings."
  (name "" :type string)
  (attributes '() :type list)
  (children '() :type list))

(defmethod print-object ((node node) stream)
  (print-unreadable-object (node stream)
    (format stream "~A with ~D children" (node-name node) (length (node-children node)))))

(defun attribute (node name &optional default)
  "The value of the attribute NAME of NODE, or DEFAULT."
  (let ((entry (assoc name (node-attributes node) :test #'string=)))
    (if entry (cdr entry) default)))

(defun (setf attribute) (value node name &optional default)
  "Give NODE the attribute NAME."
  (declare (ignore default))
  (let ((entry (assoc name (node-attributes node) :test #'string=)))
    (if entry
        (setf (cdr entry) value)
        (push (cons name value) (node-attributes node)))
    value))

(defun set-node-text (node text)
  "Make TEXT all that NODE has."
  (setf (node-children node) (list text))
  text)

(defun node-text (node)
  "All text in NODE and below, with nothing blank at its ends."
  (labels ((walk (child)
             (if (node-p child)
                 (mapcan #'walk (copy-list (node-children child)))
                 (list child))))
    (text:trim (text:join "" (walk node)))))

(defsetf node-text set-node-text
  "Replace all that is in a node by a text.")
