"""Type queries as people write them, and functions that answer each, written down before the search was.

A name without a package is of COMMON-LISP. HELD were looked at only when TUNED no longer moved, FRESH
were written down, and asked, after that. By now the search has been tuned with all of them in sight.
"""

from __future__ import annotations

from typing import NamedTuple


class TypeQuery(NamedTuple):
    """A query, and the names of functions that would do, separated by spaces."""

    query: str
    wanted: str


TUNED = (
    TypeQuery(":: string -> pathname", "parse-namestring"),
    TypeQuery(":: string -> integer", "parse-integer"),
    TypeQuery(":: integer -> character", "code-char digit-char"),
    TypeQuery(":: character -> integer", "char-code char-int digit-char-p"),
    TypeQuery(":: string -> symbol", "intern make-symbol"),
    TypeQuery(":: symbol -> string", "symbol-name"),
    TypeQuery(":: symbol -> package", "symbol-package"),
    TypeQuery(":: symbol -> function", "symbol-function fdefinition"),
    TypeQuery(":: (function, list) -> list", "mapcar mapcan remove-if remove-if-not maplist mapcon"),
    TypeQuery(":: (function, sequence) -> sequence", "remove-if remove-if-not delete-if delete-if-not"),
    TypeQuery(":: (hash-table, function)", "maphash"),
    TypeQuery(
        ":: hash-table -> list",
        "alexandria:hash-table-keys alexandria:hash-table-values alexandria:hash-table-alist"
        " alexandria:hash-table-plist",
    ),
    TypeQuery(":: list -> hash-table", "alexandria:alist-hash-table alexandria:plist-hash-table"),
    TypeQuery(":: hash-table -> integer", "hash-table-count hash-table-size"),
    TypeQuery(":: string -> string", "string-upcase string-downcase string-capitalize nstring-upcase"),
    TypeQuery(":: (string, string) -> boolean", "string= string-equal string/= string-not-equal"),
    TypeQuery(":: (character, character) -> boolean", "char= char-equal char< char> char/="),
    TypeQuery(":: pathname -> stream", "open"),
    TypeQuery(":: stream -> string", "read-line get-output-stream-string"),
    TypeQuery(
        ":: (list, &key test) -> list",
        "remove-duplicates delete-duplicates adjoin member union intersection set-difference",
    ),
    TypeQuery(":: (_, list, &key test) -> list", "member adjoin remove delete assoc rassoc"),
    TypeQuery(":: (_, hash-table) -> _", "gethash remhash"),
    TypeQuery(
        ":: (list, list) -> list",
        "union intersection set-difference set-exclusive-or revappend nreconc pairlis nunion nintersection",
    ),
    TypeQuery(":: list -> integer", "list-length length"),
    TypeQuery(":: sequence -> sequence", "reverse nreverse copy-seq"),
    TypeQuery(":: (integer, integer) -> integer", "ash mod rem floor ceiling truncate round"),
    TypeQuery(":: number -> number", "abs sqrt exp sin cos tan signum conjugate 1+ 1-"),
    TypeQuery(":: rational -> integer", "numerator denominator"),
    TypeQuery(
        ":: float -> integer",
        "float-digits float-precision float-radix decode-float integer-decode-float round floor truncate",
    ),
    TypeQuery(":: -> integer", "get-universal-time get-internal-real-time get-internal-run-time"),
    TypeQuery(":: -> hash-table", "make-hash-table"),
    TypeQuery(":: -> thread", "sb-thread:main-thread sb-thread:make-thread"),
    TypeQuery(
        ":: class -> list",
        "sb-mop:class-direct-superclasses sb-mop:class-slots sb-mop:class-precedence-list"
        " sb-mop:class-direct-subclasses sb-mop:class-direct-slots",
    ),
    TypeQuery(
        ":: package -> list",
        "package-nicknames package-use-list package-used-by-list package-shadowing-symbols",
    ),
    TypeQuery(":: package -> string", "package-name"),
    TypeQuery(":: array -> list", "array-dimensions"),
    TypeQuery(":: (array, integer) -> integer", "array-dimension array-row-major-index"),
    TypeQuery(
        ":: string -> (vector (unsigned-byte 8))",
        "sb-ext:string-to-octets babel:string-to-octets flexi-streams:string-to-octets",
    ),
    TypeQuery(
        ":: (vector (unsigned-byte 8)) -> string",
        "sb-ext:octets-to-string babel:octets-to-string flexi-streams:octets-to-string",
    ),
    TypeQuery(
        ":: pathname -> boolean",
        "uiop:directory-pathname-p uiop:file-pathname-p uiop:file-exists-p uiop:absolute-pathname-p"
        " uiop:directory-exists-p uiop:relative-pathname-p wild-pathname-p",
    ),
)
HELD = (
    TypeQuery(":: (function, &rest list) -> list", "mapcar maplist mapcan mapcon"),
    TypeQuery(":: (list, integer) -> list", "butlast last nthcdr nbutlast"),
    TypeQuery(":: pathname -> list", "directory uiop:directory-files uiop:subdirectories"),
    TypeQuery(
        ":: pathname -> string",
        "namestring file-namestring directory-namestring pathname-name enough-namestring"
        " sb-ext:native-namestring",
    ),
    TypeQuery(":: string -> list", "uiop:split-string cl-ppcre:split cl-ppcre:all-matches"),
    TypeQuery(":: (string, &optional package) -> symbol", "intern find-symbol"),
    TypeQuery(":: (list, _, &optional _)", "getf"),
    TypeQuery(
        ":: timestamp -> integer",
        "local-time:timestamp-to-unix local-time:timestamp-to-universal local-time:timestamp-year"
        " local-time:timestamp-month local-time:timestamp-day",
    ),
    TypeQuery(":: integer -> timestamp", "local-time:unix-to-timestamp local-time:universal-to-timestamp"),
    TypeQuery(
        ":: (timestamp, timestamp) -> boolean",
        "local-time:timestamp< local-time:timestamp= local-time:timestamp> local-time:timestamp<=",
    ),
    TypeQuery(":: (function, hash-table)", "maphash alexandria:maphash-keys alexandria:maphash-values"),
    TypeQuery(":: (&rest list) -> list", "append nconc"),
    TypeQuery(":: number -> real", "realpart imagpart phase abs"),
    TypeQuery(":: random-state -> random-state", "make-random-state"),
    TypeQuery(":: readtable -> readtable", "copy-readtable"),
    TypeQuery(":: (function) -> thread", "sb-thread:make-thread bordeaux-threads:make-thread"),
    TypeQuery(":: (mutex, &key timeout)", "sb-thread:grab-mutex sb-thread:with-mutex"),
    TypeQuery(":: (sequence, function, &key key) -> sequence", "sort stable-sort"),
    TypeQuery(":: (list, list) -> boolean", "subsetp tree-equal tailp"),
    TypeQuery(":: (_, _, list) -> list", "acons subst sublis"),
)
FRESH = (
    TypeQuery(":: symbol -> boolean", "boundp fboundp keywordp constantp special-operator-p"),
    TypeQuery(":: (string, integer) -> character", "char schar"),
    TypeQuery(":: (vector, integer) -> _", "elt aref svref vector-pop row-major-aref nth sb-kernel:%svref"),
    TypeQuery(
        ":: (list, list, &key key) -> list",
        "union intersection set-difference nunion nintersection set-exclusive-or",
    ),
    TypeQuery(":: (stream, &rest _)", "format clear-input sb-ext:read-byte"),
    TypeQuery(":: (integer, integer) -> boolean", "logbitp logtest"),
    TypeQuery(":: string -> function", "cl-ppcre:create-scanner compile sb-alien:extern-alien fdefinition"),
    TypeQuery(":: package -> package", "find-package delete-package rename-package"),
    TypeQuery(":: (package, string) -> package", "rename-package"),
    TypeQuery(":: pathname -> integer", "file-write-date file-author"),
    TypeQuery(
        ":: (pathname, pathname) -> pathname",
        "merge-pathnames uiop:merge-pathnames* translate-pathname uiop:subpathname",
    ),
    TypeQuery(":: (stream, integer) -> boolean", "file-position"),
    TypeQuery(":: stream -> character", "read-char peek-char read-char-no-hang"),
    TypeQuery(":: (character, &optional stream)", "write-char unread-char"),
    TypeQuery(":: (function, vector) -> vector", "remove-if remove-if-not map-into delete-if delete-if-not"),
    TypeQuery(
        ":: (hash-table, hash-table) -> hash-table", "alexandria:copy-hash-table uiop:hash-table-union"
    ),
    TypeQuery(":: hash-table -> hash-table", "clrhash alexandria:copy-hash-table"),
    TypeQuery(":: (list, &key initial-value) -> _", "reduce"),
    TypeQuery(":: complex -> number", "realpart imagpart conjugate phase abs"),
    TypeQuery(":: float -> integer, float", "truncate floor round ceiling decode-float integer-decode-float"),
    TypeQuery(":: condition -> list", "compute-restarts"),
    TypeQuery(":: (list, integer) -> _", "nth nthcdr elt"),
    TypeQuery(":: thread -> string", "sb-thread:thread-name bordeaux-threads:thread-name"),
    TypeQuery(":: (timestamp, timestamp) -> number", "local-time:timestamp-difference"),
    TypeQuery(":: string -> timestamp", "local-time:parse-timestring"),
)
