"""Edits of one toplevel form: each gives the form's new text and says in words what it did."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from support.projects.lisp_forms import Form, elements

Changed = tuple[str, str] | None


@dataclass(frozen=True)
class FormEdit:
    """An edit: the forms it can change, and how, given the form, a new name and a source of randomness."""

    fits: Callable[[Form], bool]
    change: Callable[[Form, str, random.Random], Changed]


def _defines(*operators: str) -> Callable[[Form], bool]:
    return lambda form: form.operator in operators


def _parts(form: Form) -> list[tuple[int, int]]:
    return elements(form.text)


def _put(form: Form, place: int, text: str, end: int | None = None) -> str:
    return form.text[:place] + text + form.text[place if end is None else end :]


# Text added after a form; NAME is a new name, USED that of a function of the file, or LIST.
NEW_DEFINITIONS = (
    '(defun NAME (a &key (b 2)) "A new function." (list a b (USED)))',
    "(defun NAME (x) (declare (type fixnum x)) (1+ x))",
    "(defun (setf NAME) (value place) (setf (car place) value))",
    '(defvar *NAME* 42 "A new variable.")',
    "(defparameter *NAME* '(:only-in-NAME))",
    "(defmacro NAME ((a) &body body) `(let ((,a 1)) ,@body))",
    "(defclass NAME () ((a :initarg :a :initform 1 :accessor NAME-a :type integer)))",
    "(defclass NAME (standard-object) () (:default-initargs :a 1))",
    "(progn (defclass NAME () ()) (defmethod print-object ((it NAME) stream) (princ :NAME stream)))",
    "(defmethod make-load-form ((it (eql :NAME)) &optional environment) (declare (ignore environment)) it)",
    "(progn (defclass NAME () ())"
    " (defmethod make-load-form ((it (eql (make-instance 'NAME))) &optional environment) environment))",
    "(defstruct (NAME (:conc-name NAME/)) (a 1 :type fixnum) b)",
    "(defstruct (NAME (:type list) :named) a b)",
    '(define-condition NAME (error) ((a :initarg :a :reader NAME-a)) (:report "NAME happened."))',
    '(defgeneric NAME (a b) (:documentation "A new generic function.") (:method ((a list) b) (cons b a)))',
    "(defgeneric (setf NAME) (value object) (:method (value (object list)) (setf (first object) value)))",
    "(deftype NAME (&optional (size '*)) `(vector t ,size))",
    "(defconstant NAME 17)",
    "(define-symbol-macro NAME (list 1 2))",
    "(define-setf-expander NAME (x) (values '() '() '(v) `(list v ,x) `(list ,x)))",
    "(define-compiler-macro NAME (a) `(list ,a))",
    "(declaim (inline NAME)) (defun NAME (x) (list x x))",
    "(declaim (ftype (function (t) list) NAME)) (defun NAME (x) (list x))",
    '(define-method-combination NAME :documentation "New." :operator list)',
    '(defpackage "NAME" (:use "COMMON-LISP") (:nicknames "NAME-NICK") (:export "A"))',
    "(eval-when (:compile-toplevel :load-toplevel :execute) (defun NAME () :NAME))",
    "(macrolet ((make (name) `(defun ,name () (USED)))) (make NAME))",
    "(let ((count 0)) (defun NAME () (incf count)))",
)

# Forms that change things outside the project.
FOREIGN_DEFINITIONS = (
    "(defun cl-user::NAME () (USED))",
    "(defvar cl-user::*NAME* 1)",
    '(intern "NAME" "COMMON-LISP-USER")',
    '(export (intern "NAME" "COMMON-LISP-USER") "COMMON-LISP-USER")',
    "(defmethod describe-object ((it (eql :NAME)) stream) (print it stream))",
    "(defmethod documentation ((it (eql 'NAME)) (type (eql 't))) \"Told by a method.\")",
    "(defclass cl-user::NAME () ((slot :reader cl-user::NAME-slot)))",
    "(defmethod asdf:perform :before ((o asdf:load-op) (c (eql 'NAME))) (print c))",
    "(defmethod (setf documentation) (new (it (eql 'NAME)) (type (eql 't))) new)",
    "(setf (documentation 'cl-user::NAME 'function) \"Nothing is there but this.\")",
    "(sb-ext:without-package-locks (setf (documentation 'car 'function) \"As NAME says.\"))",
    "(setf (documentation 'asdf:system 'type) \"As NAME says.\")",
    '(setf (documentation #\'(setf asdf:component-version) t) "As NAME says.")',
    "(import 'NAME :cl-user)",
    "(define-condition cl-user::NAME (warning) ())",
    "(defstruct (cl-user::NAME (:copier nil)) a)",
    "(declaim (declaration NAME))",
    "(setf (symbol-function 'cl-user::NAME) (lambda (x) (list x)))",
    "(setf (find-class 'cl-user::NAME) (find-class 'standard-object))",
    "(defun (setf cl-user::NAME) (new) new)",
    '(use-package (make-package "NAME" :use \'()) :cl-user)',
    "(sb-ext:add-package-local-nickname :NAME :asdf :cl-user)",
    "(defmethod shared-initialize :after ((it (eql :NAME)) slots &key) (list it slots))",
)


def _add(templates: tuple[str, ...]) -> Callable[[Form, str, random.Random], Changed]:
    def change(form: Form, name: str, chance: random.Random) -> Changed:
        template = chance.choice(templates)
        new = re.sub(r'"NAME', '"' + name.upper(), template).replace("NAME", name).replace("USED", "list")
        return f"{form.text}\n\n{new}", f"{new[:70]!r} behind {form.text[:30]!r}"

    return change


def _remove(form: Form, _: str, __: random.Random) -> Changed:
    return "", f"{form.operator} {form.name}"


def _change_lambda_list(form: Form, name: str, _: random.Random) -> Changed:
    start, end = _parts(form)[2]
    added = f" &aux ({name} 1)" if "&" in form.text[start:end] else f" &optional {name}"
    if form.text[start] != "(" or "&aux" in form.text[start:end]:
        return None
    return _put(form, end - 1, added), f"{added} for {form.name}"


def _change_docstring(form: Form, name: str, chance: random.Random) -> Changed:
    parts = _parts(form)
    if len(parts) < 4:
        return None
    start, end = parts[3]
    if form.text[start] != '"':
        return _put(form, start, f'"Documented as {name}." '), f"a docstring for {form.name}"
    if len(parts) > 4 and chance.random() < 0.4:
        return _put(form, start, "", end), f"no docstring any more for {form.name}"
    return _put(form, end - 1, f" And {name}."), f"another docstring for {form.name}"


def _change_slots(form: Form, name: str, chance: random.Random) -> Changed:
    parts = _parts(form)
    if len(parts) < 4 or form.text[parts[3][0]] != "(":
        return None
    start, end = parts[3]
    slots = elements(form.text, start)
    if slots and chance.random() < 0.4:
        first, last = slots[-1]
        return _put(form, first, "", last), f"without the last slot of {form.name}"
    option = chance.choice(
        [":accessor {0}-of", ":reader {0}-of :initform 1", ":type list :allocation :class"]
    )
    slot = f"({name} :initarg :{name} {option.format(name)})"
    return _put(form, end - 1, f" {slot}"), f"the slot {slot} for {form.name}"


def _change_superclass(form: Form, name: str, chance: random.Random) -> Changed:
    start, end = _parts(form)[2]
    if form.text[start] != "(":
        return None
    above = elements(form.text, start)
    if len(above) > 1 and chance.random() < 0.5:
        first, last = above[-1]
        return _put(form, first, "", last), f"without the last superclass of {form.name}"
    mixin = f"(defclass {name} () ())\n\n"
    return mixin + _put(form, end - 1, f" {name}"), f"the superclass {name} for {form.name}"


def _change_exports(form: Form, name: str, chance: random.Random) -> Changed:
    for start, end in _parts(form):
        if form.text[start : start + 7].lower() == ":export"[:7] or form.text[
            start + 1 : start + 8
        ].lower() == (":export"):
            exports = elements(form.text, start)[1:]
            if len(exports) > 2 and chance.random() < 0.4:
                first, last = chance.choice(exports)
                what = form.text[first:last]
                return _put(form, first, "", last), f"without {what} of {form.name}"
            return _put(form, end - 1, f' "{name.upper()}"'), f"{name} of {form.name}"
    return None


def _change_package(form: Form, name: str, _: random.Random) -> Changed:
    """Some definitions in another package, then back."""
    middle = f'(defpackage "{name.upper()}" (:use "COMMON-LISP"))\n(in-package "{name.upper()}")\n'
    back = f"(in-package {form.package})"
    return f"{middle}\n{form.text}\n\n{back}", f"{form.name} in the package {name}"


def _change_macro(form: Form, name: str, _: random.Random) -> Changed:
    """The macro also expands to a call of a new function."""
    start, end = _parts(form)[-1]
    helper = f"(defun {name} () nil)\n\n"
    text = f"(list 'progn '({name}) {form.text[start:end]})"
    return helper + _put(form, start, text, end), f"{form.name}, which now expands to a call of {name}"


def _change_body(form: Form, name: str, _: random.Random) -> Changed:
    start, _end = _parts(form)[-1]
    if len(_parts(form)) < 4:
        return None
    return _put(form, start, f"(print :{name})\n  "), f"a call of print in {form.name}"


def _change_value(form: Form, _: str, chance: random.Random) -> Changed:
    parts = _parts(form)
    if len(parts) < 3:
        return None
    start, end = parts[2]
    value = form.text[start:end]
    if re.fullmatch(r"\d+", value):
        return _put(form, start, str(int(value) + 1), end), f"another value for {form.name}"
    other = {"defvar": "defparameter", "defparameter": "defvar"}.get(form.operator or "")
    if other is None:
        return None
    return form.text.replace(form.text[1:].split()[0], other, 1), f"{other} for {form.name}"


def _change_kind(form: Form, _: str, chance: random.Random) -> Changed:
    """A function becomes generic, or a macro of no use to those that call it."""
    parts = _parts(form)
    start, end = parts[2]
    if len(parts) < 4 or form.text[start] != "(" or "&" in form.text[start:end]:
        return None
    rest = form.text[end : len(form.text) - 1]
    if chance.random() < 0.7:
        method = f"(:method {form.text[start:end]}{rest})"
        return f"(defgeneric {form.name} {form.text[start:end]} {method})", f"{form.name} generic"
    return f"(setf (fdefinition '{form.name}) (lambda {form.text[start:end]}{rest}))", f"{form.name} by setf"


def _anything(form: Form) -> bool:
    return form.operator is not None and form.operator != "defpackage"


_PLAIN = _defines("defun", "defmacro", "defgeneric", "defmethod", "define-compiler-macro")

FORM_EDITS = {
    "add": FormEdit(_anything, _add(NEW_DEFINITIONS)),
    "add (again)": FormEdit(_anything, _add(NEW_DEFINITIONS)),
    "change what is not ours": FormEdit(_anything, _add(FOREIGN_DEFINITIONS)),
    "change what is not ours (again)": FormEdit(_anything, _add(FOREIGN_DEFINITIONS)),
    "remove": FormEdit(
        _defines("defun", "defmethod", "defsetf", "define-compiler-macro", "deftype"), _remove
    ),
    "lambda list": FormEdit(_defines("defun"), _change_lambda_list),
    "docstring": FormEdit(_defines("defun", "defmacro", "defvar", "defparameter"), _change_docstring),
    "slots": FormEdit(_defines("defclass", "define-condition"), _change_slots),
    "superclass": FormEdit(_defines("defclass"), _change_superclass),
    "exports": FormEdit(_defines("defpackage"), _change_exports),
    "package": FormEdit(lambda form: _PLAIN(form) and form.operator == "defun", _change_package),
    "macro": FormEdit(_defines("defmacro"), _change_macro),
    "body": FormEdit(_defines("defun"), _change_body),
    "value": FormEdit(_defines("defvar", "defparameter", "defconstant"), _change_value),
    "kind": FormEdit(_defines("defun"), _change_kind),
}
