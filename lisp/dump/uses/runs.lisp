;;;; Write the uses of each symbol in order, with the runs that they form.

(in-package "OBLIST")

;;; Writing rows: many in one record

(defstruct (rows (:constructor make-rows (kind)))
  "Rows that wait to be written as one record of this KIND."
  kind
  (count 0 :type fixnum)
  (waiting '() :type list))

(defconstant +rows-per-record+ 1000)
(defconstant +uses-per-record+ 5000)

(defun write-rows (rows)
  (when (rows-waiting rows)
    (put-record (rows-kind rows) "rows" (nreverse (rows-waiting rows)))
    (setf (rows-waiting rows) '() (rows-count rows) 0)))

(defun add-row (rows row)
  (push row (rows-waiting rows))
  (when (= (incf (rows-count rows)) +rows-per-record+)
    (write-rows rows)))

(defun put-callers ()
  (let ((rows (make-rows "callers")))
    (loop for caller across *callers*
          do (add-row rows (list (caller-definition caller) (caller-code-name caller)
                                 (caller-file caller) (caller-toplevel-form caller))))
    (write-rows rows)))

;;; Runs: uses of one symbol with one operator, by relation and all together

(defvar *stamp* 0
  "The number of the set that is being counted.")

(defmacro counting-distinct ((new-p key) &body body)
  "Run BODY, in which (NEW-P ONE) is true for each ONE whose KEY has not been met before in this BODY.  A KEY is
a place that holds the number of the last set that ONE was met in."
  (let ((stamp (gensym)))
    `(let ((,stamp (incf *stamp*)))
       (flet ((,new-p (one)
                (and (/= ,stamp (the fixnum (,key one)))
                     (setf (,key one) ,stamp))))
         ,@body))))

(defun count-callers (uses)
  "The number of distinct callers in USES."
  (counting-distinct (new-p caller-stamp)
    (loop for use in uses
          count (new-p (caller-identity (use-caller use))))))

(defun count-code-callers (uses)
  "The number of distinct callers in USES, which are in order, by the relations that SBCL records; NIL unless there
are several of these, since the callers by one relation are counted with it."
  (let ((recorded (ldiff uses (member-if (lambda (use)
                                           (>= (use-relation use) (relation-number :specializes)))
                                         uses))))
    (when (and recorded
               (/= (use-relation (first recorded)) (use-relation (first (last recorded)))))
      (count-callers recorded))))

(defun count-callees (uses)
  "The number of distinct functions, macros and other things that USES use."
  (let ((met (make-hash-table :test 'eq)))
    (loop for use in uses
          for bit = (ash 1 (use-operator use))
          for before = (gethash (use-callee use) met 0)
          unless (logtest bit before)
            do (setf (gethash (use-callee use) met) (logior bit before))
            and count t)))

(defun map-runs (function uses key)
  "Call FUNCTION with each longest part of the list USES whose elements have the same KEY."
  (loop while uses
        do (let* ((first (funcall key (first uses)))
                  (end (member-if-not (lambda (use) (eql (funcall key use) first)) uses)))
             (funcall function (ldiff uses end))
             (setf uses end))))

(defun map-totals (function uses)
  "Call FUNCTION with a relation, or NIL for all that are shown together, and the part of USES that have it;
USES, of one symbol and operator, are in order."
  (let ((together (ldiff uses (member-if #'shown-apart-p uses)))
        (parts 0))
    (map-runs (lambda (part)
                (unless (shown-apart-p (first part)) (incf parts))
                (funcall function (1+ (use-relation (first part))) part))
              uses #'shown-relation)
    (when (> parts 1)
      (funcall function nil together))))

;;; The uses of each symbol

(defvar *expansions* (make-hash-table :test 'equal)
  "The numbers of the macros and inline functions whose forms contain uses, by name.")

(defun expansion-number (name)
  "The number of the macro or inline function NAME; writes its record when it is new."
  (or (gethash name *expansions*)
      (let ((number (1+ (hash-table-count *expansions*))))
        (put-record "expansion" "id" number "name" name)
        (setf (gethash name *expansions*) number))))

(defun write-uses (uses)
  "Write one record of USES, ten elements for each."
  (put-flat-record "uses" "rows"
                   (lambda (put)
                     (declare (function put))
                     (dolist (use uses)
                       (funcall put (1+ (use-relation use)))
                       (funcall put (written-number (use-callee use)))
                       (funcall put (operator-name-of use))
                       (funcall put (caller-number (use-caller use)))
                       (funcall put (use-form-number use))
                       (funcall put (use-line use))
                       (funcall put (use-column use))
                       (funcall put (length-beside-name use))
                       (funcall put (use-expansion use))
                       (funcall put (and (use-text-relation use) (1+ (use-text-relation use))))))))

(defun operator-name-of (use)
  (let ((operator (nth (use-operator use) *operators*)))
    (and operator (symbol-name operator))))

(defun put-uses-of-symbols ()
  "Write all uses in order, then the runs that they form, and the numbers of definitions that call."
  (let ((runs (make-rows "runs")) (counts (make-rows "counts")) (count 0) (waiting '()) (written 0))
    (dolist (callee (sort (loop for callee being each hash-key of *uses* collect callee)
                          #'< :key #'symbol-number))
      (map-runs (lambda (uses)
                  (dolist (use uses)
                    (setf (use-number use) (incf count))
                    (when (use-expansion use)
                      (setf (use-expansion use) (expansion-number (use-expansion use))))
                    (push use waiting))
                  (when (> (- count written) +uses-per-record+)
                    (write-uses (reverse waiting))
                    (setf waiting '() written count))
                  (let ((calling (count-calling uses)))
                    (when (plusp calling)
                      (add-row counts (list (written-number callee) (use-operator (first uses)) calling))))
                  (map-totals (lambda (relation part)
                                (add-row runs (list (written-number callee) (use-operator (first uses)) relation
                                                    (use-number (first part))
                                                    (use-number (first (last part)))
                                                    (length part)
                                                    (count-callers part)
                                                    (and (null relation) (count-code-callers part)))))
                              uses))
                (sorted-uses (gethash callee *uses*) #'use-order)
                #'use-operator))
    (write-uses (reverse waiting))
    (write-rows runs)
    (write-rows counts)))

(defun count-calling (uses)
  "The number of distinct definitions that call or expand what USES use."
  (counting-distinct (new-p caller-stamp)
    (loop for use in uses
          count (and (<= (use-relation use) (relation-number :macroexpands))
                     (caller-definition (use-caller use))
                     (new-p (caller-identity (use-caller use)))))))
