;;;; Methods on objects of many kinds; see test_eql_objects.py.

(defpackage "EQL-OBJECTS"
  (:use "CL")
  (:export "TAKE" "DOUBT" "NAMED"))

(in-package "EQL-OBJECTS")

(defgeneric take (object))
(defgeneric doubt (object))

(defclass other () ())
(defclass thing () ())
(defclass part (thing) ())
(defclass both (part other) ())
(defclass callable () () (:metaclass sb-mop:funcallable-standard-class))
(defstruct record a)
(defstruct (wider (:include record)) b)
(define-condition mishap (error) ())
(defclass odd-class (standard-class) ())
(defmethod sb-mop:validate-superclass ((class odd-class) (above standard-class)) t)
(defclass odd () () (:metaclass odd-class))

(defun nameless (&rest above)
  "An instance of a class without a name."
  (make-instance (make-instance 'standard-class :direct-superclasses (mapcar #'find-class above))))

;; Its class keeps its name, but that names nothing any more.
(defclass gone (part) ())
(defvar *gone* (make-instance 'gone))
(setf (find-class 'gone) nil)
;; Its class keeps its name, which another class has taken over.
(defclass taken (part) ())
(defvar *taken* (make-instance 'taken))
(setf (find-class 'taken) nil)
(defclass taken (other) ())

;; A method on each: each with a text of its own.
(macrolet ((define-methods (&rest forms)
             `(progn ,@(loop for form in forms
                             collect `(defmethod take ((object (eql ,form))) object)))))
  (define-methods
    "text" (coerce "base" 'simple-base-string) (make-array 3 :element-type 'character :fill-pointer 3
                                                             :initial-contents "abc")
    2.5 2.5d0 -0.0 1/2 #c(1 2) 5 -12 (expt 2 70) most-positive-fixnum
    #\a #\Space #\Newline
    'car nil t :key 'mine '|odd Name| (make-symbol "LOOSE")
    '(1 2) ''quoted #(1 2) #*101 (make-array '(2 2) :initial-element 0)
    (make-record :a 1) (make-wider :a 1 :b 2)
    (make-instance 'thing) (make-instance 'both) (make-instance 'callable) (make-instance 'odd)
    (make-condition 'mishap)
    (find-class 'thing) (find-class 'record) (find-class 'odd) (find-class 'integer)
    #'car #'take (lambda (x) x)
    (make-hash-table) #p"/tmp/file.lisp" (find-package "EQL-OBJECTS") (copy-readtable)
    (make-string-input-stream "in") (make-broadcast-stream)
    sb-thread:*current-thread*
    (nameless 'both) *gone*))

;; Should: be listed for all classes, since no class tells all of which their objects are.
(defmethod doubt ((object (eql (nameless 'part 'other)))) object)
;; Should: be taken for a part, not for an other.
(defmethod doubt ((object (eql *taken*))) object)

;;; As sources write them
(defpackage "EQL-OTHER" (:use))
(defgeneric named (object place))
(defmethod named ((object (eql 'car)) (place (eql :left))) 1)
(defmethod named ((object (eql (quote cdr))) (place (eql "Text"))) 2)
(defmethod named ((object (eql 'eql-other::sym)) (place (eql #\A))) 3)
(defmethod named ((object (eql :car)) (place (eql #\Newline))) 4)
(defmethod named ((object (eql ''car)) (place (eql 255))) 5)
(defmethod named ((object (eql nil)) (place (eql 1.0))) 6)
(defmethod named ((object (eql '|Mixed Name|)) (place (eql 1.0d0))) 7)
(defmethod named :around ((object (eql '(a . b))) (place (eql 1/2))) 8)
(defmethod named ((object (eql '(a "Text" #\a))) (place (eql -0.0))) 9)
(defmethod named ((object symbol) (place (eql #\Space))) 10)
