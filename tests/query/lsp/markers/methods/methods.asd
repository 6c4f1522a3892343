(defsystem "methods" :serial t :components ((:file "methods") (:file "more")))
