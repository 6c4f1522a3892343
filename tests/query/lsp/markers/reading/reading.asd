(defsystem "reading" :components ((:file "reading")))
