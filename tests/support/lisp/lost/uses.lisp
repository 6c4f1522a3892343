(in-package :fruit)

(defun sell (x)
  (weigh x) ; uses: weigh
  (mapcar #'weigh (list x)) ; uses: weigh
  (funcall 'weigh x) ; uses: weigh
  (let ((*scale* 2)) ; uses: *scale*
    (twice x)) ; uses: twice
  (list +most+ the-scale) ; uses: +most+, the-scale
  (setf (stock x) 1) ; uses: stock
  (with-knife x) ; uses: with-knife
  (make-instance 'basket) ; uses: basket
  (handler-case (error 'rotten) ; uses: rotten
    (rotten () nil)) ; uses: rotten
  (when (typep x '(or weight basket)) x) ; uses: weight, basket
  (list (make-pear :size 1) (pear-size x) (pear-p x)) ; uses: pear
  (peel "x") ; uses: peel
  (list apple (apple-p)) ; uses: apple
  (both)
  ;; Names that mean something else, and mere data.
  (flet ((weigh (y) y)) (weigh x))
  (let ((twice x)) twice)
  '(weigh twice basket)
  "weigh twice basket")

(defclass big-basket (basket) ((weight :type weight))) ; uses: basket, weight
(defmethod items ((x basket)) x) ; uses: basket
(defun both () 2)
(defmacro selling (x) `(list (twice ,x) *scale*)) ; uses: twice, *scale*
(defun metric () (list (m:gram 1) (msr:ounce 1) (measures:gram 1))) ; uses: measures
