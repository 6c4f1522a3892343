;;;; The systems that ASDF has loaded, and the folders of their sources.

(in-package "OBLIST-RECORDS")

(defun asdf (name &rest arguments)
  "Call the function NAME of ASDF, which was not there when this file was read."
  (apply (find-symbol name "ASDF") arguments))

(defun component-files (component)
  "The paths of all files below COMPONENT, in order."
  (if (typep component (find-symbol "PARENT-COMPONENT" "ASDF"))
      (loop for child in (asdf "COMPONENT-CHILDREN" component)
            append (component-files child))
      (let ((path (asdf "COMPONENT-PATHNAME" component)))
        (and path (list (namestring path))))))

(defun dependencies (system)
  (loop for dependency in (asdf "SYSTEM-DEPENDS-ON" system)
        when (typep dependency '(or string symbol))
          collect (list "depends-on" (string-downcase dependency))))

(defun put-system (number name)
  (let ((system (asdf "REGISTERED-SYSTEM" name)))
    (flet ((ask (part reader)
             (noting-problems ("system" name part) (as-text (asdf reader system))))
           (path (part reader)
             (noting-problems ("system" name part)
               (let ((path (asdf reader system))) (and path (namestring path))))))
      (put-record "system"
                  "id" number
                  "name" name
                  "asked" (json-boolean (member name *asked-systems* :test #'string=))
                  "version" (ask "version" "COMPONENT-VERSION")
                  "licence" (ask "licence" "SYSTEM-LICENSE")
                  "author" (ask "author" "SYSTEM-AUTHOR")
                  "description" (ask "description" "SYSTEM-DESCRIPTION")
                  "definition" (path "definition" "SYSTEM-SOURCE-FILE")
                  "folder" (path "folder" "SYSTEM-SOURCE-DIRECTORY")
                  "files" (json-array (noting-problems ("system" name "files") (component-files system)))
                  "dependencies" (json-array (noting-problems ("system" name "dependencies")
                                               (dependencies system)))))))

(defun put-systems ()
  (loop for name in (sort (asdf "ALREADY-LOADED-SYSTEMS") #'string<)
        for number from 1
        do (put-system number name)))
