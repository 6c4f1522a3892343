;;;; Macros that the other files are written with.

(in-package "GAZETTE")

(defmacro when-let ((variable form) &body body)
  "Run BODY with VARIABLE bound to the value of FORM, unless that is NIL."
  `(let ((,variable ,form))
     (when ,variable ,@body)))

(defmacro collecting ((collect) &body body)
  "The list of all that BODY gave to the local function COLLECT, in that order."
  (let ((items (gensym "ITEMS")))
    `(let ((,items '()))
       (flet ((,collect (item) (push item ,items)))
         (declare (ignorable #',collect))
         ,@body)
       (nreverse ,items))))

(defmacro define-printer ((object class) control &rest arguments)
  "Let an OBJECT of CLASS print itself by CONTROL and ARGUMENTS, as CL:FORMAT reads them."
  `(defmethod print-object ((,object ,class) stream)
     (print-unreadable-object (,object stream :type t :identity nil)
       (cl:format stream ,control ,@arguments))))

(defmacro with-settings ((&key (timeout '*timeout*) (user-agent '*user-agent*)) &body body)
  "Run BODY with other settings for what it fetches."
  `(let ((*timeout* ,timeout)
         (*user-agent* ,user-agent))
     (declare (special *timeout* *user-agent*))
     ,@body))
