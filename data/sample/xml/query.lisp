;;;; Paths into a tree of XML.

(in-package "GAZETTE.XML")

(defmacro do-children ((child node &optional name) &body body)
  "Run BODY for every CHILD of NODE that is an element; with NAME for those of that name."
  (let ((wanted (gensym "NAME")))
    `(let ((,wanted ,name))
       (dolist (,child (node-children ,node))
         (when (and (node-p ,child)
                    (or (null ,wanted) (string= ,wanted (node-name ,child))))
           ,@body)))))

(defun child (node name)
  "The first child of NODE that has the NAME, or NIL."
  (do-children (child node name)
    (return-from child child)))

(defun children-named (node name)
  "All children of NODE that have the NAME."
  (let ((found '()))
    (do-children (child node name)
      (push child found))
    (nreverse found)))

(defun at-path (node &rest names)
  "The node that one gets to from NODE by the first child of each of NAMES, or NIL."
  (loop for name in names
        while node
        do (setf node (child node name)))
  node)

(define-compiler-macro at-path (&whole form node &rest names)
  "A path of one step is a child."
  (if (= (length names) 1) `(child ,node ,(first names)) form))
