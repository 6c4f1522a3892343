"""What people type when they look for a library, and the symbols or releases that would do.

A symbol has the name of its package, a release has an @ before it.
"""

from __future__ import annotations

Intent = tuple[str, str]

LIBRARY_INTENTS: tuple[Intent, ...] = (
    (
        "url encode",
        "quri:url-encode drakma:url-encode hunchentoot:url-encode do-urlencode:urlencode "
        "net.aserve:uriencode-string",
    ),
    (
        "json parse",
        "yason:parse cl-json:decode-json cl-json:decode-json-from-string jonathan:parse com.inuoe.jzon:parse",
    ),
    ("read csv", "cl-csv:read-csv cl-csv:read-csv-row cl-csv:do-csv"),
    ("http client", "drakma:http-request dexador:get dexador:request net.aserve.client:do-http-request"),
    ("http request", "drakma:http-request dexador:request dexador:get net.aserve.client:do-http-request"),
    (
        "json encode",
        "yason:encode cl-json:encode-json cl-json:encode-json-to-string jonathan:to-json "
        "com.inuoe.jzon:stringify",
    ),
    ("parse html", "chtml:parse closure-html:parse plump:parse"),
    (
        "base64 encode",
        "net.aserve:base64-encode cl-base64:string-to-base64-string cl-base64:usb8-array-to-base64-string",
    ),
    (
        "sha256 digest",
        "ironclad:digest-sequence ironclad:digest-file ironclad:sha256 ironclad:digest-stream",
    ),
    ("regex replace", "cl-ppcre:regex-replace cl-ppcre:regex-replace-all"),
    ("split string", "split-sequence:split-sequence cl-ppcre:split str:split uiop:split-string"),
    ("parse xml", "cxml:parse xmls:parse s-xml:parse-xml cxml:parse-file"),
    ("uuid generate", "uuid:make-v4-uuid uuid:make-v1-uuid"),
    (
        "unit test",
        "@fiveam @fiasco @xlunit @ptester @rt fiveam:test fiasco:deftest rt:deftest "
        "xlunit:def-test-method fiveam:def-test lift:deftest",
    ),
    (
        "web server",
        "@hunchentoot @aserve @clack hunchentoot:start hunchentoot:acceptor net.aserve:start "
        "hunchentoot:easy-acceptor clack:clackup",
    ),
    ("format timestamp", "local-time:format-timestring"),
    ("parse date", "local-time:parse-timestring"),
    ("flatten list", "alexandria:flatten"),
    ("hash table keys", "alexandria:hash-table-keys"),
    ("shuffle", "alexandria:shuffle"),
    ("curry function", "alexandria:curry curry-compose-reader-macros:curry alexandria:rcurry"),
    ("thread create", "bordeaux-threads:make-thread sb-thread:make-thread bordeaux-threads-2:make-thread"),
    (
        "lock mutex",
        "bordeaux-threads:make-lock bordeaux-threads:with-lock-held "
        "bordeaux-threads:acquire-lock sb-thread:make-mutex sb-thread:grab-mutex "
        "sb-thread:with-mutex",
    ),
    ("socket connect", "usocket:socket-connect sb-bsd-sockets:socket-connect"),
    ("zip file", "zip:with-zipfile zip:open-zipfile zip:unzip zip:zip"),
    ("gzip compress", "salza2:gzip-stream salza2:gzip-file salza2:gzip-compressor"),
    ("decompress", "chipz:decompress"),
    ("encrypt", "ironclad:encrypt ironclad:encrypt-message ironclad:encrypt-in-place"),
    ("hash password", "ironclad:pbkdf2-hash-password ironclad:pbkdf2-hash-password-to-combined-string"),
    (
        "database connect",
        "clsql-sys:database-connect clsql:connect postmodern:connect sqlite:connect "
        "clsql-sys:connect postmodern:connect-toplevel",
    ),
    ("sql query", "clsql:query clsql-sys:query qmynd:mysql-query postmodern:query sqlite:execute-to-list"),
    ("sqlite", "@sqlite sqlite:connect sqlite:sqlite-handle sqlite:execute-non-query sqlite:disconnect"),
    (
        "postgres connect",
        "postmodern:connect cl-postgres:open-database postmodern:connect-toplevel postmodern:with-connection",
    ),
    ("irc client", "@cl-irc cl-irc:connect cl-irc:connection"),
    (
        "ftp",
        "@cl-ftp @ftp ftp:ftp-connection ftp:with-ftp-connection ftp:retrieve-file ftp:connect-to-server",
    ),
    ("markdown to html", "cl-markdown:markdown"),
    (
        "generate html",
        "cl-who:with-html-output cl-who:with-html-output-to-string spinneret:with-html "
        "net.html.generator:html lml2:html spinneret:with-html-string",
    ),
    (
        "template render",
        "mustache:render mustache:mustache-render mustache:render* mustache:compile-template "
        "mustache:mustache-compile cl-mustache:render",
    ),
    (
        "logging",
        "@cl-log @log4cl log4cl:log-config cl-log:log-message log4cl:log-expr "
        "log4cl:make-logger cl-log:log-manager log:info log:config",
    ),
    ("memoize", "serapeum:defmemo fare-memoization:memoize serapeum:once kmrcl:memoize kmrcl:defun-memo"),
    ("pattern match", "optima:match shadchen:match trivia:match trivia.level2:match"),
    ("parse number", "parse-number:parse-number"),
    ("parser combinator", "@esrap @parser.common-rules esrap:defrule esrap:parse esrap:add-rule"),
    ("grammar rule", "esrap:defrule esrap:rule esrap:add-rule esrap:find-rule"),
    (
        "foreign function",
        "@cffi @uffi cffi:defcfun cffi:foreign-funcall cffi:foreign-funcall-pointer "
        "cffi:define-foreign-library uffi:def-function",
    ),
    (
        "load shared library",
        "cffi:load-foreign-library cffi:use-foreign-library uffi:load-foreign-library "
        "sb-alien:load-shared-object",
    ),
    (
        "command line options",
        "getopt:getopt command-line-arguments:handle-command-line "
        "command-line-arguments:process-command-line-options "
        "command-line-arguments:get-command-line-arguments "
        "command-line-arguments:make-options-documentation getopt:match-unique-abbreviation",
    ),
    ("fft", "fftw3:fft bordeaux-fft:fft cl-fftw3:fft fftw:fft"),
    (
        "levenshtein",
        "levenshtein:distance serapeum:levenshtein mk-string-metrics:levenshtein kmrcl:levenshtein",
    ),
    (
        "parallel map",
        "lparallel:pmap lparallel:pmapcar lparallel:pmap-into lparallel:pmaphash lparallel:preduce",
    ),
    (
        "future promise",
        "lparallel:future lparallel:promise blackbird:promise blackbird:create-promise lparallel:fulfill",
    ),
    (
        "priority queue",
        "cl-containers:priority-queue-on-container cl-containers:priority-queue "
        "metabang.cl-containers:priority-queue-on-container",
    ),
    (
        "utf-8 encode",
        "trivial-utf-8:string-to-utf-8-bytes babel:string-to-octets "
        "flexi-streams:string-to-octets trivial-utf-8:write-utf-8-bytes",
    ),
    ("unicode normalize", "uax-15:normalize sb-unicode:normalize-string uax-15:unicode-map"),
    ("string to octets", "babel:string-to-octets flexi-streams:string-to-octets sb-ext:string-to-octets"),
    (
        "temporary file",
        "uiop:with-temporary-file uiop:call-with-temporary-file "
        "cl-fad:with-open-temporary-file cl-fad:open-temporary",
    ),
    ("copy file", "cl-fad:copy-file uiop:copy-file alexandria:copy-file"),
    ("class slots", "closer-mop:class-slots sb-mop:class-slots closer-mop:class-direct-slots"),
    (
        "backtrace",
        "trivial-backtrace:print-backtrace sb-debug:print-backtrace uiop:print-backtrace "
        "dissect:stack trivial-backtrace:map-backtrace",
    ),
    ("weak pointer", "trivial-garbage:make-weak-pointer sb-ext:make-weak-pointer"),
)
