;;;; The generic functions that the model, the formats and the output meet in.

(in-package "GAZETTE")

(define-method-combination in-lines
  :documentation "Write what each method gives on a line of its own, the most specific first."
  :operator list :identity-with-one-argument nil)

(defgeneric title (object)
  (:documentation "What OBJECT is called."))

(defgeneric (setf title) (value object)
  (:documentation "Call OBJECT something else."))

(defgeneric entries (object)
  (:documentation "The entries of OBJECT, the newest first."))

(defgeneric unread (object)
  (:documentation "The entries of OBJECT that nobody has read.")
  (:method (object) (remove-if #'readp (entries object))))

(defgeneric readp (entry)
  (:documentation "True when ENTRY was read."))

(defgeneric add-entry (entry feed)
  (:documentation "Let FEED have ENTRY, unless it has it already; true when it is new."))

(defgeneric summary-lines (object)
  (:documentation "Lines that say what OBJECT is; each class adds its own.")
  (:method-combination in-lines))

(defgeneric weight (object)
  (:documentation "How much there is to read in OBJECT, in words.")
  (:method-combination +)
  (:method + (object) (if (null object) 0 1)))

(defgeneric render (object medium stream)
  (:documentation "Write OBJECT to STREAM for MEDIUM, a keyword such as :TEXT.")
  (:argument-precedence-order medium object stream))

(defgeneric format-feed (format root)
  (:documentation "The feed that the element ROOT has in FORMAT."))
