(defsystem "namespaces" :components ((:file "namespaces")))
