(defsystem "packages" :serial t :components ((:file "packages") (:file "kitchen")))
