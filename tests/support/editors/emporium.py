"""A small project with a bit of everything that editors ask about, and its index."""

from __future__ import annotations

from pathlib import Path

from support.editors.kept_project import kept_project

SYSTEM = '(defsystem "emporium" :serial t :components ((:file "goods") (:file "shop")))\n'

GOODS = """\
(defpackage "EMPORIUM" (:use "CL") (:export "PRICE" "TOTAL" "RECEIPT" "SALE"))
(in-package "EMPORIUM")

(defvar *discount* 5
  "What is taken off every price.")

(defmacro with-discount ((amount) &body body)
  "Run BODY while AMOUNT is taken off every price."
  `(let ((*discount* ,amount)) ,@body))

(defclass ware ()
  ((name :initarg :name :reader ware-name)
   (cost :initarg :cost :reader ware-cost))
  (:documentation "Something to sell."))

(defclass book (ware)
  ((pages :initarg :pages :reader book-pages))
  (:documentation "A ware that one reads."))

(defgeneric price (ware)
  (:documentation "What one pays for WARE."))

(defmethod price ((ware ware))
  (- (ware-cost ware) *discount*))

(defmethod price ((book book))
  (+ (call-next-method) (floor (book-pages book) 100)))
"""

SHOP = """\
(in-package "EMPORIUM")

(defun total (wares &key (tax 0))
  "The prices of WARES together, with TAX."
  (let ((sum (reduce #'+ (mapcar #'price wares))))
    (+ sum tax)))

(defun receipt (wares)
  "The lines of a receipt for WARES."
  (flet ((entry (ware)
           (format nil "~a: ~d" (ware-name ware) (price ware))))
    (append (mapcar #'entry wares)
            (list (entry (first wares))))))

(defun sale (wares)
  "The total of WARES, with a discount."
  (with-discount (50)
    (total wares)))
"""


def emporium() -> Path:
    """The folder of the project, with its index in it."""
    return kept_project("emporium", {"emporium.asd": SYSTEM, "goods.lisp": GOODS, "shop.lisp": SHOP})
