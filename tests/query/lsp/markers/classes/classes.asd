(defsystem "classes" :components ((:file "classes")))
