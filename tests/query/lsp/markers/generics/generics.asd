(defsystem "generics" :serial t :components ((:file "generics") (:file "drawing")))
