;;;; What data/sample needs, in a few lines, for tests that index it often: the real ones need twenty others.

(defsystem "drakma"
  :depends-on ("flexi-streams")
  :serial t
  :components ((:file "conditions") (:file "request")))
