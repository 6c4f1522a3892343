;;;; Compiling our code: four fasls, the observer's first step, the dumper, the server of
;;;; live values, and the evaluator.
;;;;
;;;; Run with the folder of these sources and the target folder in the
;;;; environment: OBLIST_LISP and OBLIST_FASLS.  Started by lisp/sbcl.py.

(require :sb-introspect)

(let ((sources (sb-ext:parse-native-namestring (sb-ext:posix-getenv "OBLIST_LISP")
                                               nil *default-pathname-defaults*
                                               :as-directory t))
      (fasls (sb-ext:parse-native-namestring (sb-ext:posix-getenv "OBLIST_FASLS")
                                             nil *default-pathname-defaults*
                                             :as-directory t))
      (failed nil))
  (flet ((build (target names)
           (let ((parts '()))
             (dolist (name names)
               (let ((part (merge-pathnames (concatenate 'string name ".part") fasls)))
                 (multiple-value-bind (fasl warnings-p failure-p)
                     (compile-file (merge-pathnames (concatenate 'string name ".lisp") sources)
                                   :output-file part)
                   (when (or (null fasl) warnings-p failure-p)
                     (setf failed name))
                   (when fasl
                     (load fasl)
                     (push part parts)))))
             (with-open-file (out (merge-pathnames target fasls)
                                  :direction :output :if-exists :supersede
                                  :element-type '(unsigned-byte 8))
               (dolist (part (reverse parts))
                 (with-open-file (in part :element-type '(unsigned-byte 8))
                   (let ((octets (make-array (file-length in) :element-type '(unsigned-byte 8))))
                     (read-sequence octets in)
                     (write-sequence octets out)))
                 (delete-file part))))))
    ;; One unit: files may call what later files define.
    (with-compilation-unit ()
      (build "prepare.fasl" '("package" "failures" "numbers" "snapshot" "load" "base" "compile" "refresh"))
      (build "server.fasl" '("values" "live"))
      ;; With all it needs: the core that it is loaded into may have an older server.
      (build "evaluator.fasl" '("values" "live" "evaluate"))
      (build "dumper.fasl" '("internals" "json" "values" "print" "kinds" "walk"
                             "tokens" "scan" "toplevel" "positions" "slots"
                             "definitions" "classes" "uses" "references" "systems"
                             "toplevel-uses" "dump" "delta"))))
  (sb-ext:exit :code (if failed 1 0) :abort t))
