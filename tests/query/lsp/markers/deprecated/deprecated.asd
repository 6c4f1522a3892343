(defsystem "deprecated" :components ((:file "deprecated")))
