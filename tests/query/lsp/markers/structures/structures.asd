(defsystem "structures" :components ((:file "structures")))
