(defsystem "documented" :components ((:file "documented")))
