;;;; Gazette: a small reader of RSS and Atom feeds.

(defpackage #:gazette-asd
  (:use #:common-lisp #:asdf))

(in-package #:gazette-asd)

(defsystem "gazette"
  :description "Reads RSS and Atom feeds, keeps what is new, and prints it as text or HTML."
  :version "0.3.0"
  :author "The authors of oblist"
  :licence "MIT"
  :depends-on ("drakma")
  :components
  ((:file "packages")
   (:file "syntax" :depends-on ("packages"))
   (:file "text" :depends-on ("packages"))
   (:file "conditions" :depends-on ("packages"))
   (:file "settings" :depends-on ("packages"))
   (:file "dates" :depends-on ("packages" "syntax" "text" "conditions"))
   (:module "xml"
    :depends-on ("packages" "syntax" "text" "conditions")
    :components ((:file "node")
                 (:file "parser" :depends-on ("node"))
                 (:file "query" :depends-on ("node"))))
   (:file "protocol" :depends-on ("packages"))
   (:module "model"
    :depends-on ("packages" "syntax" "text" "settings" "dates" "protocol")
    :components ((:file "entry")
                 (:file "feed" :depends-on ("entry"))
                 (:file "shelf" :depends-on ("feed"))))
   (:module "formats"
    :depends-on ("conditions" "dates" "xml" "model")
    :components ((:file "registry")
                 (:file "rss" :depends-on ("registry"))
                 (:file "atom" :depends-on ("registry"))))
   (:file "fetch" :depends-on ("conditions" "settings" "syntax" "formats"))
   (:file "render-text" :depends-on ("model" "text"))
   (:file "render-html" :depends-on ("model" "text" "syntax"))
   (:file "commands" :depends-on ("model" "fetch" "render-text" "render-html"))))
