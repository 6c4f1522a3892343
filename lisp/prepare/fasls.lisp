;;;; Fasls and the texts that they are compiled from; those of the project that another text was compiled to.
;;;;
;;;; Loaded before the baseline: see package.lisp for the rule.

(in-package "OBLIST")

(defun compiled-file (source)
  "The fasl of the file SOURCE, in the place where ASDF writes it, or NIL when there is none."
  (probe-file (asdf "APPLY-OUTPUT-TRANSLATIONS" (compile-file-pathname source))))

(defun compiled-text (component)
  "The path of the text that ASDF compiles for COMPONENT, a Lisp file: the file itself, or one that ASDF makes from it,
as CFFI's groveler does."
  (or (handler-case (first (asdf "INPUT-FILES" (asdf-symbol "COMPILE-OP") component))
        (error () nil))                 ; the methods may be the project's
      (asdf "COMPONENT-PATHNAME" component)))

(defun another-is-compiled-p (path)
  "True when a system has a Lisp file at PATH, and ASDF compiles another that it makes from it."
  (labels ((made-p (component)
             (cond ((typep component (asdf-symbol "PARENT-COMPONENT"))
                    (some #'made-p (asdf "COMPONENT-CHILDREN" component)))
                   ((typep component (asdf-symbol "CL-SOURCE-FILE"))
                    (let ((source (asdf "COMPONENT-PATHNAME" component)))
                      (and (equal source path)
                           (not (equal source (compiled-text component)))))))))
    (some (lambda (name) (made-p (asdf "REGISTERED-SYSTEM" name)))
          (asdf "REGISTERED-SYSTEMS"))))

(defun drop-compiled (source)
  (let ((fasl (compiled-file source)))
    (when fasl
      (delete-file fasl))))

(defun doubtful-p (source &optional (text source))
  "True when the fasl of SOURCE may be out of date although ASDF would load it: SOURCE is gone, or TEXT is not known to
be the one that was compiled."
  (let ((fasl (compiled-file source)))
    (and fasl
         (or (null (probe-file source))
             (other-text-p text fasl)))))

(defun drop-doubtful-fasls (component)
  "Delete the doubtful fasls below COMPONENT."
  (cond ((typep component (asdf-symbol "PARENT-COMPONENT"))
         (mapc #'drop-doubtful-fasls (asdf "COMPONENT-CHILDREN" component)))
        ((typep component (asdf-symbol "CL-SOURCE-FILE"))
         (let ((source (asdf "COMPONENT-PATHNAME" component)))
           (when (doubtful-p source (compiled-text component))
             (drop-compiled source))))))

(defun systems-of-project ()
  "The project's systems that ASDF knows, including those that are loaded only by other systems."
  (flet ((definition-file (name)
           (let ((system (asdf "REGISTERED-SYSTEM" name)))
             (and system (asdf "SYSTEM-SOURCE-FILE" system)))))
    (let ((files (remove nil (mapcar #'definition-file *own-systems*))))
      (loop for name in (asdf "REGISTERED-SYSTEMS")
            when (or (own-system-p name)
                     (member (definition-file name) files :test #'equal))
              collect (asdf "REGISTERED-SYSTEM" name)))))

(defun drop-all-doubtful-fasls ()
  "Delete the doubtful fasls of the project."
  (mapc #'drop-doubtful-fasls (systems-of-project))
  (loop for name in *own-systems*
        do (loop for (nil . source) in (inferable-files name)
                 when (doubtful-p source)
                   do (drop-compiled source))))

(defun drop-outdated-fasls ()
  "Delete the fasls of earlier versions of the sources.  Do it before the first system is loaded: later,
some fasls would be new ones.  OBLIST_CHANGED lists the changed and deleted files, or is a star when they
are unknown."
  (let ((changed (environment-lines "OBLIST_CHANGED")))
    (if (equal changed '("*"))
        (drop-all-doubtful-fasls)
        (dolist (path (mapcar #'sb-ext:parse-native-namestring changed))
          (unless (equal (pathname-type path) "asd")
            (drop-compiled path))))))
