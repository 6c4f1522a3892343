;;;; Characters of one, two and four octets, and of two units of UTF-16.

(defpackage "CHARACTERS" (:use "CL"))
(in-package "CHARACTERS")

(defun größe (x) "Wie groß X ist: 😀." x)
;@ "größe" uses:
;=   (defun all () (list "😀" (𝒳 1) #\😀 («größe» 2) (no-such "😀")))
;=   (defun 𝒳 (é) (list "😀é" («größe» é) "𝒳"))
(defun 𝒳 (é) (list "😀é" (größe é) "𝒳"))
;@ "größe" definition: (defun «größe» (x) "Wie groß X ist: 😀." x)
;@ "größe" hover: (characters::größe X) | **function** in CHARACTERS, internal | Wie groß X ist: 😀.
(defun all () (list "😀" (𝒳 1) #\😀 (größe 2) (no-such "😀")))
;@                                           ^^^^^^^ warning[undefined-function]: there is no function or macro no-such
;@ "𝒳" definition: (defun «𝒳» (é) (list "😀é" (größe é) "𝒳"))
;@ "𝒳" references:
;=   (defun «𝒳» (é) (list "😀é" (größe é) "𝒳"))
;=   (defun all () (list "😀" («𝒳» 1) #\😀 (größe 2) (no-such "😀")))
;@ "größe" highlights:
;=   write: (defun «größe» (x) "Wie groß X ist: 😀." x)
;=   read: (defun 𝒳 (é) (list "😀é" («größe» é) "𝒳"))
;=   read: (defun all () (list "😀" (𝒳 1) #\😀 («größe» 2) (no-such "😀")))
;@ "größe" selection:
;=   größe
;=   größe 2
;=   (größe 2)
;=   list "😀" (𝒳 1) #\😀 (größe 2) (no-such "😀")
;=   (list "😀" (𝒳 1) #\😀 (größe 2) (no-such "😀"))
;=   defun all () (list "😀" (𝒳 1) #\😀 (größe 2) (no-such "😀"))
;=   (defun all () (list "😀" (𝒳 1) #\😀 (größe 2) (no-such "😀")))
;=   the whole file
