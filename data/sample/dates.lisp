;;;; Dates, as feeds write them: RFC 822 in RSS, RFC 3339 in Atom.

(in-package "GAZETTE")

(defstruct (date (:constructor make-date (year month day &optional (hour 0) (minute 0)))
                 (:conc-name date/)
                 (:copier nil)
                 (:predicate datep))
  "A moment, to the minute."
  (year 1970 :type (integer 0))
  (month 1 :type (integer 1 12))
  (day 1 :type (integer 1 31))
  (hour 0 :type (integer 0 23) :read-only t)
  (minute 0 :type (integer 0 59) :read-only t))

(defstruct (dated-span (:include date (year 2000)) (:copier nil))
  "A moment and how long it lasts."
  (length 0 :type integer))

(define-printer (date date) "~4,'0D-~2,'0D-~2,'0D"
  (date/year date) (date/month date) (date/day date))

(defparameter *months* '("Jan" "Feb" "Mar" "Apr" "May" "Jun" "Jul" "Aug" "Sep" "Oct" "Nov" "Dec")
  "The names of the months in RFC 822.")

(defun month-number (name)
  "The number of the month NAME, from 1; NIL for none."
  (let ((place (position name *months* :test #'string-equal)))
    (and place (1+ place))))

(defun universal-date (date)
  "DATE as a universal time."
  (encode-universal-time 0 (date/minute date) (date/hour date)
                         (date/day date) (date/month date) (date/year date) 0))

(defun date-before-p (a b)
  "True when A is earlier than B; what has no date is earlier than all."
  (cond ((null b) nil)
        ((null a) t)
        (t (< (universal-date a) (universal-date b)))))

(defun parse-822 (text)
  "The date in TEXT, such as Tue, 03 Jun 2008 11:05:30 GMT; NIL and a warning for others."
  (let ((parts (remove-if #'blankp (text:split-at #\Space text))))
    (when (and parts (find #\, (first parts)))
      (pop parts))
    (handler-case
        (destructuring-bind (day month year &optional (time "00:00") &rest zone) parts
          (declare (ignore zone))
          (destructuring-bind (hour minute &rest seconds) (text:split-at #\: time)
            (declare (ignore seconds))
            (make-date (parse-integer year) (month-number month) (parse-integer day)
                       (parse-integer hour) (parse-integer minute))))
      (error ()
        (warn 'strange-date :text text)
        nil))))

(defun parse-3339 (text)
  "The date in TEXT, such as 2008-06-03T11:05:30Z; NIL and a warning for others."
  (flet ((number (start end) (parse-integer text :start start :end end)))
    (handler-case
        (make-date (number 0 4) (number 5 7) (number 8 10)
                   (if (> (length text) 12) (number 11 13) 0)
                   (if (> (length text) 15) (number 14 16) 0))
      (error ()
        (warn 'strange-date :text text)
        nil))))
