(defsystem "macros" :serial t :components ((:file "macros") (:file "uses")))
