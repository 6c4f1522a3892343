(defsystem "characters" :components ((:file "characters") (:file "crlf")))
