(defsystem "conditions" :components ((:file "conditions")))
