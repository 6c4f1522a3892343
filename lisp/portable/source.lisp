;;;; The places of definitions: the file, and the form in it, if the text shows which one it is.

(in-package "OBLIST-RECORDS")

(defvar *files-written* (make-hash-table :test 'equal)
  "The number of each file that has a record, by its name as the Lisp records it.")

(defvar *texts* (make-hash-table :test 'equal)
  "The text of each file that was read, as TEXT-OF has it; NIL if it cannot be read.")

(defun path-of (file)
  "The path of FILE, if it is there."
  (let ((found (ignore-errors (probe-file file))))
    (and found (namestring found))))

(defun file-number (file)
  "The number of FILE; writes its record when it is new."
  (let ((name (namestring file)))
    (or (gethash name *files-written*)
        (let* ((number (1+ (hash-table-count *files-written*)))
               (path (path-of file))
               (text (and path (text-of path))))
          (put-record "file" "id" number "recorded" name "path" path "crc32" (third text))
          (setf (gethash name *files-written*) number)))))

(defun crc-32 (octets)
  "The CRC-32 of OCTETS (RFC 1952, section 8), in 8 hexadecimal digits."
  (let ((rest #xFFFFFFFF))
    (loop for octet across octets
          do (setf rest (logxor rest octet))
             (loop repeat 8
                   do (setf rest (if (logbitp 0 rest)
                                     (logxor #xEDB88320 (ash rest -1))
                                     (ash rest -1)))))
    (format nil "~(~8,'0X~)" (logxor rest #xFFFFFFFF))))

(defun decoded (octets)
  "The text of OCTETS, as UTF-8 if they are, else as Latin-1: a list of the string and the index in it of each octet."
  (let ((text (make-string-output-stream)) (indexes (make-array (1+ (length octets)))) (index 0) (next 0))
    (flet ((char-at (at)
             (let* ((first (aref octets at))
                    (more (cond ((< first #x80) 0) ((< #xC1 first #xE0) 1) ((< #xDF first #xF0) 2)
                                ((< #xEF first #xF5) 3) (t (return-from decoded (latin-1 octets)))))
                    (code (if (zerop more) first (ldb (byte (- 6 more) 0) first))))
               (loop for place from (1+ at) to (+ at more)
                     do (unless (and (< place (length octets)) (= 2 (ldb (byte 2 6) (aref octets place))))
                          (return-from decoded (latin-1 octets)))
                        (setf code (logior (ash code 6) (ldb (byte 6 0) (aref octets place)))))
               (values (code-char code) (1+ more)))))
      (loop while (< next (length octets))
            do (multiple-value-bind (char size) (char-at next)
                 (write-char char text)
                 (fill indexes index :start next :end (+ next size))
                 (incf next size)
                 (incf index)))
      (setf (aref indexes next) index)
      (list (get-output-stream-string text) indexes))))

(defun latin-1 (octets)
  (list (map 'string #'code-char octets)
        (let ((indexes (make-array (1+ (length octets)))))
          (dotimes (index (length indexes) indexes)
            (setf (aref indexes index) index)))))

(defun text-of (path)
  "The text of the file at PATH and its indexes, as DECODED has them, and its CRC-32; NIL if it cannot be read."
  (multiple-value-bind (text known) (gethash path *texts*)
    (if known
        text
        (setf (gethash path *texts*)
              (ignore-errors
               (with-open-file (in path :element-type '(unsigned-byte 8))
                 (let ((octets (make-array (file-length in) :element-type '(unsigned-byte 8))))
                   (read-sequence octets in)
                   (append (decoded octets) (list (crc-32 octets))))))))))

(defparameter *white* '(#\Space #\Tab #\Newline #\Return #\Page)
  "The characters between forms.")

(defun form-start (text start)
  "The index in TEXT at which the first form after START begins: behind white space and comments."
  (loop
    (let ((place (position-if-not (lambda (char) (find char *white*)) text :start start)))
      (cond ((null place) (return nil))
            ((char= (char text place) #\;)
             (setf start (or (position #\Newline text :start place) (return nil))))
            ((and (< (1+ place) (length text)) (string= "#|" text :start2 place :end2 (+ place 2)))
             (setf start (+ 2 (or (search "|#" text :start2 place) (return nil)))))
            (t (return place))))))

(defun form-end (text start)
  "The index in TEXT behind the form that begins at START; NIL if the standard syntax does not read it."
  (ignore-errors
   (with-standard-io-syntax
     (let ((*read-suppress* t) (*read-eval* nil))
       (nth-value 1 (read-from-string text t nil :start start :preserve-whitespace t))))))

(defun word-at (text start)
  "The word at START of TEXT, without a package."
  (let* ((end (position-if (lambda (char) (or (find char *white*) (find char "();"))) text :start start))
         (colon (position #\: text :start start :end end :from-end t)))
    (subseq text (if colon (1+ colon) start) end)))

(defun words-at (text start)
  "The first two words of the list that begins at START: its operator, and what it defines or SETF; else NIL."
  (when (char= (char text start) #\()
    (let* ((space (position-if (lambda (char) (find char *white*)) text :start start))
           (name (and space (position-if-not (lambda (char) (or (find char *white*) (char= char #\()))
                                             text :start space))))
      (and name (list (word-at text (1+ start)) (word-at text name))))))

(defun line-and-column (text index)
  (let ((newline (position #\Newline text :end index :from-end t)))
    (values (1+ (count #\Newline text :end index))
            (- index (if newline newline -1)))))

(defun extent-fields (text start name)
  "The fields about the toplevel form that begins at START of TEXT: its extent if it is itself what defines the symbol
NAME, else only its line."
  (destructuring-bind (&optional operator defined) (words-at text start)
    (multiple-value-bind (line column) (line-and-column text start)
      (let ((end (and operator defined
                      (eql 0 (search "DEF" operator :test #'char-equal))
                      (or (string-equal defined (symbol-name name)) (string-equal defined "SETF"))
                      (form-end text start))))
        (if end
            (list "line" line "column" column "offset" start "end_offset" end
                  "end_line" (line-and-column text (1- end)) "defined_by" (string-downcase operator))
            (list "line" line))))))

(defun place-fields (symbol file position)
  "The fields of the definition of SYMBOL that is in FILE, in the first form after POSITION, in bytes."
  (let* ((path (path-of file))
         (known (and path (text-of path)))
         (start (and known
                     (< -1 position (length (second known)))
                     (form-start (first known) (aref (second known) position)))))
    (append (list "file" (file-number file) "toplevel_offset" position)
            (and start (extent-fields (first known) start symbol)))))
