;;;; The packages of Gazette: texts, trees of XML, and the reader itself.

(defpackage "GAZETTE.TEXT"
  (:documentation "Small operations on strings that the other packages share.")
  (:use "COMMON-LISP")
  (:export "BLANKP" "TRIM" "SPLIT-AT" "JOIN" "SHORTEN" "WORD-COUNT" "ESCAPE-HTML"
           "*ELLIPSIS*"))

(defpackage "GAZETTE.XML"
  (:documentation "Just enough XML to read feeds: a tree of nodes, its parser, and paths into it.")
  (:use "COMMON-LISP")
  (:local-nicknames ("TEXT" "GAZETTE.TEXT"))
  (:export "NODE" "MAKE-NODE" "NODE-NAME" "NODE-CHILDREN" "NODE-P" "ATTRIBUTE" "NODE-TEXT"
           "PARSE" "MALFORMED-XML" "CHILD" "CHILDREN-NAMED" "DO-CHILDREN" "AT-PATH"))

(defpackage "GAZETTE"
  (:documentation "A reader of RSS and Atom feeds.")
  (:nicknames "GZ")
  (:use "COMMON-LISP")
  (:local-nicknames ("TEXT" "GAZETTE.TEXT") ("XML" "GAZETTE.XML"))
  ;; FORMAT is here what a feed is written in.
  (:shadow "FORMAT")
  (:import-from "GAZETTE.TEXT" "SHORTEN" "BLANKP")
  (:export
   ;; the model
   "ENTRY" "FEED" "SHELF" "TITLE" "LINK" "PUBLISHED" "SUMMARY" "READP" "ENTRIES" "UNREAD"
   "ADD-ENTRY" "FIND-FEED" "SUBSCRIBE" "UNSUBSCRIBE"
   ;; reading
   "FETCH" "PARSE-FEED" "DEFINE-FORMAT" "FORMAT" "FETCH-FAILED" "UNKNOWN-FORMAT" "GAZETTE-ERROR"
   ;; settings
   "*TIMEOUT*" "*USER-AGENT*" "+VERSION+" "WITH-SETTINGS"
   ;; output
   "RENDER" "WRITE-ENTRY" "RUN-COMMAND"))
