(defsystem "types" :components ((:file "types")))
