(defsystem "broken" :serial t :components ((:file "broken") (:file "string")))
