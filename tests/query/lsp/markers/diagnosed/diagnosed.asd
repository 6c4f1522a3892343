(defsystem "diagnosed" :serial t :components ((:file "diagnosed") (:file "wrong")))
