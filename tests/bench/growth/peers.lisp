;;;; What a warm image takes for the same questions: describe, apropos, who-calls.
;;;; Prints a JSON array of [name, times, median milliseconds, worst milliseconds].

(require "SB-INTROSPECT")

(defparameter *state* (sb-ext:seed-random-state 27))

(defconstant +monotonic+ 1
  "CLOCK_MONOTONIC of Linux.")

(defun now ()
  "Milliseconds of a clock that is finer than GET-INTERNAL-REAL-TIME's, which steps by four."
  (multiple-value-bind (seconds nanoseconds) (sb-unix::clock-gettime +monotonic+)
    (+ (* seconds 1d3) (/ nanoseconds 1d6))))

(defun milliseconds (function)
  "The time that FUNCTION takes."
  (let ((start (now)))
    (funcall function)
    (- (now) start)))

(defun measured (name function things)
  "The median and the worst of the times that FUNCTION takes for each of THINGS."
  (let ((times (sort (loop for thing in things
                           collect (milliseconds (lambda () (funcall function thing))))
                     #'<)))
    (format nil "[~S, ~D, ~,4F, ~,4F]" name (length times)
            (nth (floor (length times) 2) times) (first (last times)))))

(defun drawn (things number)
  "NUMBER of THINGS."
  (let ((things (coerce things 'vector)))
    (loop repeat number collect (aref things (random (length things) *state*)))))

(defun all-symbols ()
  "The symbols of all packages."
  (let ((found '()))
    (do-all-symbols (symbol)
      (push symbol found))
    (remove-duplicates found)))

(defun pattern-of (symbol)
  "A part of the name of SYMBOL, of up to eight characters."
  (let* ((name (symbol-name symbol))
         (length (min (length name) (1+ (random 8 *state*)))))
    (subseq name 0 length)))

(let* ((symbols (all-symbols))
       (functions (remove-if-not #'fboundp symbols)))
  (format t "[~{~A~^, ~}]~%"
          (list (measured "describe"
                        (lambda (symbol) (with-output-to-string (out) (describe symbol out)))
                        (drawn symbols 500))
                (measured "apropos-list" (lambda (pattern) (apropos-list pattern nil t))
                        (mapcar #'pattern-of (drawn symbols 100)))
                (measured "who-calls" #'sb-introspect:who-calls (drawn functions 100))
                (measured "who-calls, CAR" #'sb-introspect:who-calls (list 'car 'car 'car)))))
