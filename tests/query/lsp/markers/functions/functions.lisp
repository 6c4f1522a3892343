;;;; Functions: global, local, and local ones that shadow others.

(defpackage "FUNCTIONS" (:use "CL") (:export "AREA"))
(in-package "FUNCTIONS")

(defun width (shape)
  "The width of SHAPE,
in metres."
  (first shape))

(defun area (shape &optional (scale 1) &key round)
  "How large SHAPE is."
;@ "SHAPE" hover: functions::shape | **symbol** in FUNCTIONS, internal
  (if round (round (width shape)) (* scale (width shape))))
;@                  ^ hover:
;=   (functions::width SHAPE)
;=   **function** in FUNCTIONS, internal
;=   The width of SHAPE,
;@                  ^ definition: (defun «width» (shape)
;@                  ^ references:
;=   (defun «width» (shape)
;=   (if round (round («width» shape)) (* scale («width» shape))))
;=   (list #'area 'area (function «width») "area" (funcall '«width» '(1))))
;=   (when (> («width» shape) 3) (return-from search shape)))))
;=   (flet ((width (one) (list one («width» one))))
;=   (declaim (inline «width»))
;@                                          ^ uses:
;=   (if round (round («width» shape)) (* scale («width» shape))))
;=   (list #'area 'area (function «width») "area" (funcall '«width» '(1))))
;=   (when (> («width» shape) 3) (return-from search shape)))))
;=   (flet ((width (one) (list one («width» one))))
;=   (declaim (inline «width»))
;@    ^ hover:
;=   (defun area (shape &optional (scale 1) &key round)
;=   `round` is a local variable, bound on that line.
;@    ^ highlights:
;=   write: (defun area (shape &optional (scale 1) &key «round»)
;=   read: (if «round» (round (width shape)) (* scale (width shape))))

(defun widths (shapes)
  (flet ((width (one) (list one (width one))))
;@        ^ hover:
;=   (flet ((width (one) (list one (width one))))
;=   `width` is a local function, bound on that line.
;@        ^ highlights:
;=   write: (flet ((«width» (one) (list one (width one))))
;=   read: (mapcar #'«width» shapes)))
;@                               ^ hover:
;=   (functions::width SHAPE)
;=   **function** in FUNCTIONS, internal
;=   The width of SHAPE,
;@                               ^ definition: (defun «width» (shape)
;@                                     ^ definition: (flet ((width («one») (list one (width one))))
    (mapcar #'width shapes)))
;@            ^ hover:
;=   (flet ((width (one) (list one (width one))))
;=   `width` is a local function, bound on that line.
;@            ^ definition: (flet ((«width» (one) (list one (width one))))
;@            ^ references:
;=   (flet ((«width» (one) (list one (width one))))
;=   (mapcar #'«width» shapes)))
;@            ^ uses: (mapcar #'«width» shapes)))

(defun depth (tree)
  (labels ((below (nodes) (if nodes (1+ (deeper nodes)) 0))
           (deeper (nodes) (reduce #'max (mapcar #'below nodes))))
;@                                                 ^ definition:
;=   (labels ((«below» (nodes) (if nodes (1+ (deeper nodes)) 0))
;@                                                       ^ definition:
;=   (deeper («nodes») (reduce #'max (mapcar #'below nodes))))
;@                                                       ^ highlights:
;=   write: (deeper («nodes») (reduce #'max (mapcar #'below nodes))))
;=   read: (deeper (nodes) (reduce #'max (mapcar #'below «nodes»))))
    (below tree)))
;@   ^ highlights:
;=   write: (labels ((«below» (nodes) (if nodes (1+ (deeper nodes)) 0))
;=   read: (deeper (nodes) (reduce #'max (mapcar #'«below» nodes))))
;=   read: («below» tree)))

(defun first-wide (shapes)
  (block search
    (dolist (shape shapes)
      (when (> (width shape) 3) (return-from search shape)))))
;@                                           ^ hover: (block search | `search` is a block, bound on that line.
;@                                           ^ definition: (block «search»
;@              ^ hover in full:
;=   (functions::width SHAPE)
;=   **function** in FUNCTIONS, internal
;=   Type: `(FUNCTION (T) (VALUES T &OPTIONAL))`
;=   The width of SHAPE,
;=   in metres.
;=   - `function` functions.lisp «(defun width (shape)» (functions)

(defun countdown (count)
  (tagbody
   again
     (decf count)
     (when (plusp count) (go again))))
;@                           ^ definition: «again»
;@                           ^ hover: again | `again` is a tag, bound on that line.

(defun area-of-all (shapes)
  (reduce #'+ shapes :key #'area))
;@                          ^ hover in full:
;=   (functions:area SHAPE &OPTIONAL (SCALE 1) &KEY ROUND)
;=   **function** in FUNCTIONS, exported from FUNCTIONS
;=   Type: `(FUNCTION (T &OPTIONAL T &KEY (:ROUND T)) (VALUES NUMBER &OPTIONAL REAL))`
;=   How large SHAPE is.
;=   - `function` functions.lisp «(defun area (shape &optional (scale 1) &key round)» (functions)

(defun called ()
  (list #'area 'area (function width) "area" (funcall 'width '(1))))
;@        ^ hover:
;=   (functions:area SHAPE &OPTIONAL (SCALE 1) &KEY ROUND)
;=   **function** in FUNCTIONS, exported from FUNCTIONS
;=   How large SHAPE is.
;@              ^ hover:
;=   (functions:area SHAPE &OPTIONAL (SCALE 1) &KEY ROUND)
;=   **function** in FUNCTIONS, exported from FUNCTIONS
;=   How large SHAPE is.
;@                                     ^ hover:
;=   (functions:area SHAPE &OPTIONAL (SCALE 1) &KEY ROUND)
;=   **function** in FUNCTIONS, exported from FUNCTIONS
;=   How large SHAPE is.
;@                                                     ^ definition: (defun «width» (shape)

(declaim (inline width))
;@               ^ definition: (defun «width» (shape)
