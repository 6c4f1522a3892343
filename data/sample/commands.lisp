;;;; What a person may say to Gazette.

(in-package "GAZETTE")

(defvar *commands* (make-hash-table :test 'equal)
  "The functions of the commands, by their names.")

(defmacro define-command (name (&rest lambda-list) documentation &body body)
  "Define the command NAME, a function RUN/NAME that the user may call by that name."
  (let ((function (intern (cl:format nil "RUN/~A" (string name)))))
    `(progn
       (defun ,function ,lambda-list ,documentation ,@body)
       (setf (gethash ,(string-downcase name) *commands*) ',function))))

(define-command subscribe (url)
  "Read the feed at URL from now on."
  (fetch (subscribe url)))

(define-command news (&optional (medium :text) (stream *standard-output*))
  "Write all that is unread."
  (render (unread *shelf*) medium stream))

(define-command read-all ()
  "Take everything as read."
  (dolist (entry (entries *shelf*))
    (mark-read t entry)))

(define-command status ()
  "Say how many entries each feed has."
  (describe *shelf*))

(define-command tidy (&key (shelf *shelf*))
  "Drop what is old."
  (do-feeds (feed shelf)
    (forget-old feed)))

(defun run-command (name &rest arguments)
  "Run the command NAME with ARGUMENTS, strings, as a shell has them."
  (let ((function (gethash (string-downcase name) *commands*)))
    (if function
        (apply function arguments)
        (cl:format *error-output* "No command ~A; there are ~{~A~^, ~}.~%" name
                   (sort (loop for known being each hash-key of *commands* collect known)
                         #'string<)))))
