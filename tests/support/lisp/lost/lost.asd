(defsystem "lost"
  :serial t
  :components ((:file "measures") (:file "package") (:file "base") (:file "uses") (:file "kitchen")))
