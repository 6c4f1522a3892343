(defsystem "calls" :components ((:file "calls")))
