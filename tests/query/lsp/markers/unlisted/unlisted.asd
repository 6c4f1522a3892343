(defsystem "unlisted" :components ((:file "unlisted")))
