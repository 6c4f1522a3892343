"""A small project with tests, in which changes reach others in all the ways that are followed."""

from __future__ import annotations

from pathlib import Path

from support.editors.kept_project import kept_project

FILES = {
    "ledger.asd": """\
(defsystem "ledger"
  :depends-on ("sb-rt")
  :serial t
  :components ((:file "package") (:file "amounts") (:file "accounts") (:file "commands") (:file "tests")))
""",
    "package.lisp": "(defpackage :ledger (:use :cl :sb-rt) (:export #:run))\n",
    "amounts.lisp": """\
(in-package :ledger)

(defconstant +cents+ 100)
(defparameter *rate* 2)
(defvar *mode* :plain)
(defun mode () *mode*)
(defun call-in-mode (function) (let ((*mode* :other)) (funcall function)))

(defun rounded (amount) (* +cents+ (round amount +cents+)))
(defun converted (amount) (* *rate* (rounded amount)))
(defun unrelated (amount) (list amount))
(declaim (ftype (function (integer) list) listed))
(defun listed (amount)
  "A list of AMOUNT."
  (list amount))

(defmacro twice (form) `(list ,form ,form))
(deftype amount () '(integer 0 1000))
(defun amountp (thing) (typep thing 'amount))
""",
    "accounts.lisp": """\
(in-package :ledger)

(defclass account ()
  ((owner :initarg :owner :accessor owner)
   (balance :initform 0 :accessor balance)))
(defclass savings (account) ())

(defgeneric fee (account))
(defmethod fee ((one account)) 1)
(defmethod fee ((one savings)) 0)
(defclass loan (account) ())
(defmethod fee ((one loan)) 3)

(defmethod print-object ((one account) stream)
  (format stream "<~a>" (owner one)))
(defmethod initialize-instance :after ((one savings) &key)
  (incf (balance one) 5))

(defun opened (owner) (make-instance 'savings :owner owner))
(defun (setf limit) (new one) (setf (balance one) new))
(defstruct entry (sum 3) note)
""",
    "commands.lisp": """\
(in-package :ledger)
(declaim (optimize (debug 1)))

(defvar *commands* (make-hash-table :test 'equal))
(defun register (name function) (setf (gethash name *commands*) function))
(defun run (name) (funcall (gethash name *commands*)))
(defun hello () :hello)
(register "hello" (lambda () (hello)))
(defun by-name (name) (funcall (intern name :ledger)))

(defmacro define-word (name text) `(setf (get ',name 'word) ,text))
(define-word greeting "hi")

(defmacro check-twice (name form)
  `(deftest ,name (equal ,form ,form) t))
(defun numbered (name) (values (funcall 'intern (format nil "~a.1" name))))
(defmacro check-once (name form)
  `(deftest ,(numbered name) (not ,form) nil))
""",
    "tests.lisp": """\
(in-package :ledger)

#+#.'(:or)
(deftest hidden.1 1 2)

(deftest rounded.1 (rounded 149) 100)
(deftest converted.1 (converted 149) 200)
(deftest twice.1 (twice 1) (1 1))
(deftest amountp.1 (amountp 5) t)
(deftest fee.1 (fee (opened "a")) 0)
(deftest printed.1 (princ-to-string (opened "a")) "<a>")
(deftest balance.1 (balance (opened "a")) 5)
(deftest limit.1 (let ((one (opened "a"))) (setf (limit one) 4) (balance one)) 4)
(deftest entry.1 (entry-sum (make-entry)) 3)
(deftest run.1 (run "hello") :hello)
(deftest by-name.1 (by-name "HELLO") :hello)
(deftest nothing.1 (list 1) (1))
(check-twice made.1 (rounded 149))
(check-once once (rounded 149))
(deftest mode.1 (mode) :plain)
(deftest bound.1 (call-in-mode 'list) nil)
(deftest listed.1 (listed 1) (1))
(deftest loan.1 (fee (make-instance 'loan :owner "b")) 3)
(deftest word.1 (get 'greeting 'word) "hi")
(let ((paid 149))
  (deftest inner.1 (converted paid) 200)
  (deftest inside.1 (converted paid) 200))
(macrolet ((check (kind) `(deftest ,(intern (format nil "KIND.~a" kind)) (typep 5 ',kind) t)))
  (check amount)
  (check integer))
""",
}
TESTS = (
    *("rounded", "converted", "twice", "amountp", "fee", "printed", "balance", "limit", "entry", "run"),
    *("by-name", "nothing", "made", "once", "mode", "bound", "listed", "loan", "word", "inner", "kind"),
)


def ledger() -> Path:
    """The folder of the project, with its index; a test that edits it makes a copy."""
    return kept_project("ledger", FILES)
