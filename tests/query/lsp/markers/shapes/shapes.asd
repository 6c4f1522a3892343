(defsystem "shapes" :components ((:file "shapes")))
