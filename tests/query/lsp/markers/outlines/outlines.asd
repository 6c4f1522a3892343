(defsystem "outlines" :components ((:file "outlines")))
