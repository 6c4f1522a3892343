;;;; The image as it was before the oracle looked: the first file that is loaded.
;;;;
;;;; Whatever is read later interns symbols, so the lists that decide what "every
;;;; symbol" means are taken here, with symbols of the package ORACLE only and no
;;;; keyword that a bare SBCL does not have.

(make-package "ORACLE" :use '("COMMON-LISP"))

(in-package "ORACLE")

(defvar *code* (sb-vm:list-allocated-objects :all :type sb-vm:code-header-widetag)
  "Every code object.")

(defvar *packages* (remove *package* (list-all-packages)))

(defvar *symbols* (make-array 50000 :adjustable t :fill-pointer 0)
  "Every symbol that is accessible in a package; its place is its number.")

(defvar *numbers* (make-hash-table :test 'eq)
  "The symbols with their numbers.")

(defvar *accessible* '()
  "Lists (PACKAGE STATUS . NUMBERS): what DO-SYMBOLS and FIND-SYMBOL say.")

(defvar *methods* (make-hash-table :test 'eq)
  "Every method of a generic function with a name.")

(defun symbol-number (symbol)
  (or (gethash symbol *numbers*)
      (setf (gethash symbol *numbers*) (vector-push-extend symbol *symbols*))))

(defun note-package (package)
  (let ((seen (make-hash-table :test 'eq)) (external '()) (internal '()) (inherited '()))
    (do-symbols (symbol package)
      (unless (or (gethash symbol seen) (eq (symbol-package symbol) *package*))
        (setf (gethash symbol seen) t)
        (multiple-value-bind (found status) (find-symbol (symbol-name symbol) package)
          (assert (eq found symbol))
          (let ((number (symbol-number symbol)))
            (ecase status
              (:external (push number external))
              (:internal (push number internal))
              (:inherited (push number inherited)))))))
    (push (list* package "external" external) *accessible*)
    (push (list* package "internal" internal) *accessible*)
    (push (list* package "inherited" inherited) *accessible*)))

(defun generic-function-named (name)
  (and (fboundp name)
       (typep (fdefinition name) 'generic-function)
       (fdefinition name)))

(defun names-of (symbol)
  "The function names that SYMBOL can stand in."
  (list symbol (list 'setf symbol) (list 'sb-ext:cas symbol)))

(mapc #'note-package *packages*)

(loop for symbol across *symbols*
      do (loop for name in (names-of symbol)
               for function = (generic-function-named name)
               when function
                 do (dolist (method (sb-mop:generic-function-methods function))
                      (setf (gethash method *methods*) t))))
