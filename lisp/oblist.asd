;;;; The Lisp sources of oblist, in the order in which they are compiled and loaded.
;;;;
;;;; This is the only list of them.  Each system with a slash in its name is compiled to one fasl, with
;;;; what it depends on: OBLIST/PREPARE, which every image of ours loads first, is in no other.
;;;;
;;;; A person loads this with ASDF, to read and to change it in a REPL; loading defines functions and
;;;; does nothing else.  oblist itself reads it as data, without ASDF (build.lisp, sources.py), and
;;;; knows no more than is used here: strings, and components that are :FILE, :STATIC-FILE or :MODULE.

(defsystem "oblist"
  :description "Tells all that an SBCL knows of its symbols, and the values of its variables."
  :licence "MIT"
  :depends-on ("oblist/prepare" "oblist/dump" "oblist/serve" "oblist/evaluate")
  :components ((:static-file "build.lisp")))

(defsystem "oblist/prepare"
  :description "Loads what is to be indexed, and remembers what there is before more of ours comes."
  :components ((:module "prepare"
                :serial t
                :components ((:file "package")
                             (:file "failures")
                             (:file "numbers")
                             (:file "snapshot")
                             (:file "load")
                             (:file "base")
                             (:file "compile")
                             (:file "refresh")))))

(defsystem "oblist/value-text"
  :description "Prints a value, be it for an index or for who asks now."
  :depends-on ("oblist/prepare")
  :components ((:module "dump"
                :components ((:file "value-text")))))

(defsystem "oblist/dump"
  :description "Writes what the image knows as records."
  :depends-on ("oblist/prepare" "oblist/value-text" "sb-introspect")
  :components ((:module "dump"
                :serial t
                :components ((:file "internals")
                             (:file "json")
                             (:file "print")
                             (:file "kinds")
                             (:file "symbols")
                             (:module "source"
                              :serial t
                              :components ((:file "tokens")
                                           (:file "scan")
                                           (:file "toplevel")
                                           (:file "positions")
                                           (:file "slots")
                                           (:file "uses")))
                             (:file "definitions")
                             (:file "classes")
                             (:file "references")
                             (:file "systems")
                             (:file "toplevel-uses")
                             (:file "whole")
                             (:file "delta")))))

(defsystem "oblist/serve"
  :description "Answers for the values of variables."
  :depends-on ("oblist/prepare" "oblist/value-text")
  :components ((:module "serve"
                :components ((:file "live")
                             ;; Never loaded: its text is sent to a Swank server.
                             (:static-file "attach.lisp")))))

(defsystem "oblist/evaluate"
  :description "Evaluates forms; with all it needs, for a saved core may have an older OBLIST/SERVE."
  :depends-on ("oblist/serve")
  :components ((:module "serve"
                :components ((:file "evaluate")))))
