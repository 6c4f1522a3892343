;;;; A parser of XML that knows neither namespaces nor definitions of types.

(in-package "GAZETTE.XML")

(defvar *source* ""
  "The text that is being parsed.")

(defvar *place* 0
  "Where the parser is in *SOURCE*.")

(declaim (type simple-string *source*) (type fixnum *place*))

(defparameter *entities* '(("lt" . #\<) ("gt" . #\>) ("amp" . #\&) ("quot" . #\") ("apos" . #\'))
  "The entities that need no definition.")

(defmacro with-source ((text) &body body)
  "Run BODY as a parser of TEXT, from its beginning."
  `(let ((*source* (coerce ,text 'simple-string)) (*place* 0))
     ,@body))

(declaim (inline peek))
(defun peek (&optional (ahead 0))
  "The character at our place or so many AHEAD; NIL behind the end."
  (let ((place (+ *place* ahead)))
    (and (< place (length *source*)) (schar *source* place))))

(defun looking-at (text)
  "True when TEXT comes next."
  (let ((end (+ *place* (length text))))
    (and (<= end (length *source*))
         (string= text *source* :start2 *place* :end2 end))))

(defun read-to (text)
  "All up to TEXT, and go on behind it."
  (let ((end (search text *source* :start2 *place*)))
    (unless end (malformed (format nil "There is no ~A" text) *place*))
    (prog1 (subseq *source* *place* end)
      (setf *place* (+ end (length text))))))

(defun skip-blank ()
  (loop while (and (peek) (text:blankp (string (peek)))) do (incf *place*)))

(defun name-char-p (char)
  (and char (or (alphanumericp char) (find char ":-_."))))

(defun read-name ()
  (let ((start *place*))
    (loop while (name-char-p (peek)) do (incf *place*))
    (when (= start *place*) (malformed "A name is missing" start))
    (subseq *source* start *place*)))

(defun decode (text)
  "TEXT with its entities replaced; unknown ones stay."
  (with-output-to-string (out)
    (loop with start = 0
          for ampersand = (position #\& text :start start)
          for end = (and ampersand (position #\; text :start ampersand))
          do (write-string text out :start start :end (if end ampersand (length text)))
          while end
          do (let ((known (assoc (subseq text (1+ ampersand) end) *entities* :test #'string=)))
               (if known
                   (write-char (cdr known) out)
                   (write-string text out :start ampersand :end (1+ end))))
             (setf start (1+ end)))))

(defun read-attributes ()
  (loop do (skip-blank)
        while (name-char-p (peek))
        collect (let ((name (read-name)))
                  (skip-blank)
                  (read-to "=")
                  (skip-blank)
                  (let ((quote (string (or (peek) (malformed "A value is missing" *place*)))))
                    (incf *place*)
                    (cons name (decode (read-to quote)))))))

(defun skip-remarks ()
  "Skip comments, processing instructions and the definition of the document's type."
  (loop (skip-blank)
        (cond ((looking-at "<!--") (read-to "-->"))
              ((looking-at "<?") (read-to "?>"))
              ((looking-at "<!D") (read-to ">"))
              (t (return)))))

(defun read-content (name)
  "The children up to the end of the element NAME."
  (loop
    if (looking-at "</")
      do (incf *place* 2)
         (unless (string= (read-name) name)
           (malformed (format nil "~A does not end" name) *place*))
         (read-to ">")
         (loop-finish)
    else if (looking-at "<![CDATA[")
      do (incf *place* 9)
      and collect (read-to "]]>")
    else if (looking-at "<!--")
      do (read-to "-->")
    else if (eql (peek) #\<)
      collect (read-element)
    else if (null (peek))
      do (malformed (format nil "~A does not end" name) *place*)
    else
      collect (let ((end (position #\< *source* :start *place*)))
                (prog1 (decode (subseq *source* *place* end))
                  (setf *place* (or end (length *source*)))))))

(defun read-element ()
  "The element that begins at our place."
  (unless (eql (peek) #\<) (malformed "An element is missing" *place*))
  (incf *place*)
  (let* ((name (read-name)) (attributes (read-attributes)))
    (cond ((looking-at "/>")
           (incf *place* 2)
           (make-node name :attributes attributes))
          (t
           (read-to ">")
           (make-node name :attributes attributes :children (read-content name))))))

(defun parse (text)
  "The root element of the document in TEXT."
  (with-source (text)
    (skip-remarks)
    (read-element)))
