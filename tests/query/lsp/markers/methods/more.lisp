(in-package "METHODS")

(defmethod visit list ((node vector) mode &key depth)
;@         ^ callers: methods::visit: (map 'list (lambda (one) («visit» one mode :depth depth)) node))
;@         ^ hover in full:
;=   (methods::visit NODE MODE &KEY DEPTH)
;=   **generic-function, method** in METHODS, internal
;=   Type: `(FUNCTION (T T &KEY (:DEPTH T)) *)`
;=   Visit NODE.
;=   - `generic-function` methods.lisp «(defgeneric visit (node mode &key depth)» (methods)
;=   - `method LIST (VECTOR T)` more.lisp «(defmethod visit list ((node vector) mode &key depth)» (methods)
;=   - `method LIST (STRING T)` methods.lisp «(defmethod visit list ((node string) mode &key (depth 1))» (methods)
;=   - `method LIST (CONS (EQL :FAST))` methods.lisp «(defmethod visit list ((node cons) (mode (eql :fast)) &key depth)» (methods)
  (map 'list (lambda (one) (visit one mode :depth depth)) node))
;@                          ^ definition:
;=   methods.lisp: (defgeneric «visit» (node mode &key depth)
;=   (defmethod «visit» list ((node vector) mode &key depth)
;=   methods.lisp: (defmethod «visit» list ((node string) mode &key (depth 1))
;=   methods.lisp: (defmethod «visit» list ((node cons) (mode (eql :fast)) &key depth)
;@                          ^ implementation:
;=   (defmethod «visit» list ((node vector) mode &key depth)
;=   methods.lisp: (defmethod «visit» list ((node string) mode &key (depth 1))
;=   methods.lisp: (defmethod «visit» list ((node cons) (mode (eql :fast)) &key depth)
;@                                ^ definition:
;=   (map 'list (lambda («one») (visit one mode :depth depth)) node))

(defmethod print-object ((node standard-object) stream)
  (print-unreadable-object (node stream :type t)))
;@                          ^ definition: (defmethod print-object ((«node» standard-object) stream)
;@                               ^ definition: (defmethod print-object ((node standard-object) «stream»)

;; A gap: of a name that the index has, a definition that is new is not found.
;@ was:
(defmethod visit list ((node hash-table) mode &key depth) (list node mode depth))
;@ was:
;@         ^ implementation:
;=   (defmethod «visit» list ((node vector) mode &key depth)
;=   methods.lisp: (defmethod «visit» list ((node string) mode &key (depth 1))
;=   methods.lisp: (defmethod «visit» list ((node cons) (mode (eql :fast)) &key depth)
;@         ^ definition:
;=   methods.lisp: (defgeneric «visit» (node mode &key depth)
;=   (defmethod «visit» list ((node vector) mode &key depth)
;=   methods.lisp: (defmethod «visit» list ((node string) mode &key (depth 1))
;=   methods.lisp: (defmethod «visit» list ((node cons) (mode (eql :fast)) &key depth)
