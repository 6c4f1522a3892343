(defpackage :fruit
  (:use :cl)
  (:local-nicknames (:m :measures)) ; uses: measures
  (:export #:weigh #:*scale* #:peel #:juice))

(defpackage :kitchen
  (:use :cl :measures) ; uses: measures
  (:import-from :fruit #:juice))
