(defsystem "functions" :components ((:file "functions")))
