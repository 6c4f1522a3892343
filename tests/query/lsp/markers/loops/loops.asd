(defsystem "loops" :components ((:file "loops")))
