(defsystem "places" :components ((:file "places")))
