;;;; The Lisp sources of oblist, in the order in which they are compiled and loaded.
;;;;
;;;; This is the only list of them.  Each system that OBLIST depends on is compiled to one fasl, together
;;;; with its own dependencies, except OBLIST/PREPARE, which every image loads first.
;;;;
;;;; Load it with ASDF to work on oblist in a REPL: loading only defines things.
;;;; oblist itself reads this file as data, without ASDF (build.lisp, sources.py): names are strings,
;;;; and components are :FILE, :STATIC-FILE or :MODULE, each in the folder of its module's name.

(defsystem "oblist"
  :description "Dumps what SBCL knows about every symbol, and reports the values of variables."
  :licence "MIT"
  :depends-on ("oblist/prepare" "oblist/dump" "oblist/serve" "oblist/evaluate")
  :components ((:static-file "build.lisp")))

(defsystem "oblist/prepare"
  :description "Loads the things to index, and records the image as it is before the dumper is loaded."
  :components ((:module "prepare"
                :serial t
                :components ((:file "package")
                             (:file "internals")
                             (:module "guard"
                              :serial t
                              :components ((:file "door")
                                           (:file "metaobjects")
                                           (:file "quiet")))
                             (:file "texts")
                             (:file "failures")
                             (:file "numbers")
                             (:file "snapshot")
                             (:file "loading")
                             (:module "systems"
                              :serial t
                              :components ((:file "project")
                                           (:file "libraries")))
                             (:file "load")
                             (:file "fasls")
                             (:file "base")
                             (:file "above")
                             (:file "last-good")
                             (:file "compile")
                             (:file "refresh")
                             (:file "places")
                             (:file "slice")))))

(defsystem "oblist/value-text"
  :description "Prints a value, for an index and for live answers."
  :depends-on ("oblist/prepare")
  :components ((:module "dump"
                :components ((:file "value-text")))))

(defsystem "oblist/dump"
  :description "Writes everything that the image knows as records."
  :depends-on ("oblist/prepare" "oblist/value-text" "sb-introspect")
  :components ((:module "dump"
                :serial t
                :components ((:file "internals")
                             (:file "json")
                             (:file "problems")
                             (:file "print")
                             (:file "kinds")
                             (:file "signatures")
                             (:file "symbols")
                             (:module "source"
                              :serial t
                              :components ((:file "tokens")
                                           (:file "scan")
                                           (:file "toplevel")
                                           (:file "cases")
                                           (:file "positions")
                                           (:file "slots")
                                           (:file "nodes")
                                           (:file "read-time")
                                           (:file "methods")
                                           (:file "names")
                                           (:file "shifts")
                                           (:file "components")
                                           (:file "told")))
                             (:file "definitions")
                             (:file "relations")
                             (:file "classes")
                             (:file "systems")
                             (:file "witness")
                             (:module "occurrences"
                              :serial t
                              :components ((:file "notes")
                                           (:file "scope")
                                           (:file "walk")
                                           (:file "grammar")
                                           (:file "operators")
                                           (:file "packages")
                                           (:file "loop")
                                           (:file "files")))
                             (:module "uses"
                              :serial t
                              :components ((:file "table")
                                           (:file "places")
                                           (:file "text")
                                           (:file "references")
                                           (:file "runs")
                                           (:file "by-user")
                                           (:file "all")))
                             (:file "whole")
                             (:file "delta")
                             (:file "slice")))))

(defsystem "oblist/serve"
  :description "Reports the values of variables in a running image."
  :depends-on ("oblist/prepare" "oblist/value-text")
  :components ((:module "serve"
                :serial t
                :components ((:file "internals")
                             (:file "live")
                             ;; Never loaded: its text is sent to a Swank server.
                             (:static-file "attach.lisp")))))

(defsystem "oblist/evaluate"
  :description "Evaluates forms, and expands macros."
  ;; Compiled into this fasl too, because the core that loads the fasl may have an older version.
  :depends-on ("oblist/serve")
  :components ((:module "serve"
                :serial t
                :components ((:file "evaluate")
                             (:file "expand")))))

(defsystem "oblist/portable"
  :description "Writes records in any Lisp.  Never loaded beside the others: producer.lisp loads the rest."
  :components ((:module "portable"
                :components ((:static-file "producer.lisp")
                             (:static-file "internals.lisp")
                             (:static-file "json.lisp")
                             (:static-file "text.lisp")
                             (:static-file "source.lisp")
                             (:static-file "symbols.lisp")
                             (:static-file "definitions.lisp")
                             (:static-file "classes.lisp")
                             (:static-file "systems.lisp")
                             (:static-file "stream.lisp")))))
