;;;; LOOP (CLHS 6.1): its keywords are known by their names; the rest are variables, types and forms.

(in-package "OBLIST")

(defparameter *loop-words*
  '((:variable "FOR" "AS" "WITH" "INTO")
    (:form "IN" "ON" "ACROSS" "=" "THEN" "FROM" "UPFROM" "DOWNFROM" "TO" "UPTO" "DOWNTO" "BELOW" "ABOVE" "BY"
     "OF" "WHILE" "UNTIL" "REPEAT" "ALWAYS" "NEVER" "THEREIS" "COLLECT" "COLLECTING" "APPEND" "APPENDING" "NCONC"
     "NCONCING" "COUNT" "COUNTING" "SUM" "SUMMING" "MAXIMIZE" "MAXIMIZING" "MINIMIZE" "MINIMIZING" "IF" "WHEN"
     "UNLESS" "RETURN")
    (:forms "DO" "DOING" "INITIALLY" "FINALLY")
    (:type "OF-TYPE")
    (:name "NAMED")
    (:using "USING")
    (:alone "ELSE" "END" "AND" "BEING" "EACH" "THE" "HASH-KEY" "HASH-KEYS" "HASH-VALUE" "HASH-VALUES" "SYMBOL"
     "SYMBOLS" "PRESENT-SYMBOL" "PRESENT-SYMBOLS" "EXTERNAL-SYMBOL" "EXTERNAL-SYMBOLS"))
  "The words of LOOP, by what follows them.")

(defvar *loop-word-kinds*
  (let ((table (make-hash-table :test 'equal)))
    (loop for (kind . words) in *loop-words*
          do (dolist (word words) (setf (gethash word table) kind)))
    table)
  "What follows each word of LOOP.")

(defun loop-word (node)
  "What follows NODE if it is a word of LOOP, else NIL."
  (and node
       (member (node-kind node) '(:symbol :keyword))
       (gethash (node-name node) *loop-word-kinds*)))

(defstruct (clauses (:constructor make-clauses (nodes)))
  "The parts of a LOOP form, in the order of the text: conses of what a part is and its node."
  nodes
  (clause nil)                          ; the word that began the clause, if it binds variables
  (parts '())
  (variables '()))

(defun next-node (clauses part)
  "Take the next node of CLAUSES as a PART."
  (let ((node (pop (clauses-nodes clauses))))
    (when node (push (cons part node) (clauses-parts clauses)))
    node))

(defun take-variable (clauses)
  "Take a variable or a pattern of variables, and the simple type that may follow."
  (let ((node (next-node clauses :bound)))
    (when node (push node (clauses-variables clauses)))
    (let ((next (first (clauses-nodes clauses))))
      (when (and next (symbol-node-p next) (not (loop-word next)))
        (next-node clauses :type)))))

(defun take-using (clauses)
  "Take (HASH-VALUE VAR) or (HASH-KEY VAR)."
  (let ((node (next-node clauses :using)))
    (when (and node (list-node-p node))
      (push (second (node-children node)) (clauses-variables clauses)))))

(defun enter-clause (clauses word kind)
  "Note in CLAUSES which clause the WORD of this KIND begins, if it begins one."
  (flet ((one-of (&rest words) (member word words :test #'equal)))
    (cond ((one-of "FOR" "AS" "WITH") (setf (clauses-clause clauses) word))
          ((and (member kind '(:form :forms))
                (not (one-of "IN" "ON" "ACROSS" "OF" "BY" "FROM" "UPFROM" "DOWNFROM" "TO" "UPTO" "DOWNTO" "BELOW"
                             "ABOVE" "=" "THEN")))
           (setf (clauses-clause clauses) nil)))))

(defun take-joined (clauses word)
  "If WORD is AND after a clause that binds a variable, take the variable that it binds as well."
  (let ((next (first (clauses-nodes clauses))))
    (when (and (equal word "AND") (clauses-clause clauses) next (not (loop-word next)))
      (take-variable clauses))))

(defun take-clause (clauses)
  "If the next node is a word of LOOP, take it and what belongs to it, and return true."
  (let* ((node (first (clauses-nodes clauses)))
         (kind (loop-word node))
         (word (and kind (node-name node))))
    (when kind
      (next-node clauses :word)
      (enter-clause clauses word kind)
      (ecase kind
        (:variable (take-variable clauses))
        (:form (next-node clauses :form))
        (:forms (loop while (list-node-p (first (clauses-nodes clauses)))
                      do (next-node clauses :form)))
        (:type (next-node clauses :type))
        (:name (next-node clauses :local))
        (:using (take-using clauses))
        (:alone (take-joined clauses word)))
      t)))

(defun walk-loop (nodes)
  (let ((clauses (make-clauses nodes)))
    (loop while (clauses-nodes clauses)
          do (unless (take-clause clauses)
               (next-node clauses :form)))
    (with-scope ()
      (mapc #'bind-pattern (remove nil (reverse (clauses-variables clauses))))
      (loop for (part . node) in (reverse (clauses-parts clauses))
            do (ecase part
                 (:word (note-word node))
                 (:using (mapc #'note-word (node-children node)))
                 ((:bound))
                 (:type (walk-type node :declares))
                 (:local (skip-local node))
                 (:form (walk node)))))))

(defun note-word (node)
  "Note NODE, a word of LOOP, if it is indexed everywhere: it is known by its name alone, and names nothing."
  (if (and (symbol-node-p node) (indexed-p (node-value node)))
      (note node :mentions)
      (skip-local node)))

(defun bind-pattern (node)
  "Bind all variables in NODE, a variable or a tree of variables; NIL stands for none."
  (if (list-node-p node)
      (mapc #'bind-pattern (node-children node))
      (bind-variable node)))

(define-walker (loop) (&rest nodes)
  (if (every #'list-node-p nodes)
      (walk-tagged nodes)
      (walk-loop nodes)))
