(defsystem "flexi-streams" :components ((:file "octets")))
