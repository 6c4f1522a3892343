(defsystem "edited" :serial t :components ((:file "edited") (:file "uses")))
