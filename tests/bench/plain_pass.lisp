;;;; One plain pass over an image that prints the facts an index has, in whatever order they come: what row 1 of the
;;;; speed table is measured against. It takes each fact from SBCL as directly as a script would.

(require "SB-INTROSPECT")

(defvar *out* (open (second sb-ext:*posix-argv*) :direction :output :if-exists :supersede
                                                 :external-format :utf-8))
(defvar *files* (make-hash-table :test 'equal))

(defun out (&rest facts)
  (dolist (fact facts)
    (write fact :stream *out* :readably nil :pretty nil :length 1000)
    (write-char #\Space *out*))
  (terpri *out*))

(defun place (source)
  (let ((path (sb-introspect:definition-source-pathname source)))
    (when path
      (setf (gethash (namestring path) *files*) path))
    (list path
          (sb-introspect:definition-source-form-path source)
          (sb-introspect:definition-source-character-offset source))))

(defun print-definitions (name)
  (dolist (kind '(:function :macro :generic-function :compiler-macro :class :structure :condition :type :variable
                  :constant :symbol-macro :setf-expander :method :alien-type :optimizer :transform :vop
                  :source-transform :ir1-convert))
    (dolist (source (ignore-errors (sb-introspect:find-definition-sources-by-name name kind)))
      (out kind name (place source) (sb-introspect::definition-source-description source)))))

(defun print-symbol (symbol)
  (out symbol (symbol-package symbol))
  (dolist (type '(function variable type structure setf compiler-macro method-combination))
    (let ((documentation (documentation symbol type)))
      (when documentation (out type documentation))))
  (when (fboundp symbol)
    (out (ignore-errors (sb-introspect:function-lambda-list symbol))
         (ignore-errors (sb-introspect:function-type symbol))))
  (print-definitions symbol)
  (print-definitions `(setf ,symbol))
  (let ((class (find-class symbol nil)))
    (when class
      (out (mapcar #'class-name (sb-mop:class-direct-superclasses class))
           (and (sb-mop:class-finalized-p class) (mapcar #'class-name (sb-mop:class-precedence-list class))))
      (dolist (slot (ignore-errors (sb-mop:class-direct-slots class)))
        (out (sb-mop:slot-definition-name slot) (sb-mop:slot-definition-type slot)
             (sb-mop:slot-definition-initform slot) (sb-mop:slot-definition-initargs slot)))
      (dolist (method (ignore-errors (sb-mop:specializer-direct-methods class)))
        (out method)))))

(defun print-packages ()
  (dolist (package (list-all-packages))
    (out (package-name package) (package-nicknames package) (mapcar #'package-name (package-use-list package))
         (documentation package t))
    (with-package-iterator (next package :internal :external)
      (loop
        (multiple-value-bind (more symbol status) (next)
          (unless more (return))
          (out symbol status)
          (when (eq (symbol-package symbol) package)
            (print-symbol symbol)))))))

(defun print-uses ()
  "Who uses what, by one look at all code."
  (sb-vm::map-allocated-objects
   (lambda (object type size)
     (declare (ignore size))
     (when (= type sb-vm:code-header-widetag)
       (dotimes (n (sb-kernel:code-n-entries object))
         (let* ((function (sb-kernel:%code-entry-point object n))
                (uses (sb-kernel:%simple-fun-xrefs function)))
           (when uses
             (sb-c:map-packed-xref-data
              (lambda (kind name number)
                (out kind name number (sb-kernel:%simple-fun-name function)))
              uses))))))
   :all))

(defun print-sources ()
  (loop for path being each hash-value of *files*
        for found = (ignore-errors (probe-file path))
        when found
          do (with-open-file (in found :external-format '(:utf-8 :replacement #\?))
               (loop for line = (read-line in nil)
                     while line
                     do (write-line line *out*)))))

(print-packages)
(print-uses)
(print-sources)
(close *out*)
(sb-ext:exit :code 0 :abort t)
