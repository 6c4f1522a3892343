(defsystem "templates" :components ((:file "templates")))
