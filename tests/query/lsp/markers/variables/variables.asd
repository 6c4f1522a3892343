(defsystem "variables" :components ((:file "variables")))
