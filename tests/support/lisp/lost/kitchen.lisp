(in-package :kitchen)
(defun cook ()
  (list (ounce 1) ; uses: measures
        (juice))) ; uses: juice
