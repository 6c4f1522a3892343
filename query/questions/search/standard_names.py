"""What people call the standard's functions and macros, whose names are abbreviations or single words.

``remhash`` removes an entry, ``aref`` gets an element, ``reduce`` sums. Each line is a name of COMMON-LISP
and words for what it does, beside those in its name. A search finds the name by them.
"""

from __future__ import annotations

from collections import defaultdict

_WORDS = """
abs: absolute value number
acons: add entry alist
adjoin: add element list set unless there
alpha-char-p: is letter character alphabetic
append: concatenate join lists
apply: call function list arguments
aref: element array vector index access get
array-dimension: size length array
array-dimensions: size shape array
array-total-size: size number elements array
ash: shift bits integer arithmetic
assoc: find lookup entry key alist
atom: is not cons list
boundp: is variable bound value
butlast: list without last elements
char: character string index nth
char-code: character code integer number unicode ascii
class-of: class type object instance
clrhash: clear empty remove entries hash table
code-char: character code integer number unicode ascii
coerce: convert type object
compile-file: compile source file
complement: negate not function predicate
concatenate: join append strings lists vectors sequences
cons: make pair prepend list
constantly: function returns same value constant
copy-list: copy duplicate clone list
copy-seq: copy duplicate clone sequence string vector
copy-tree: deep copy nested list
count: number occurrences elements sequence
count-if: number occurrences elements sequence satisfy
decode-universal-time: date time parts day month year hour
defclass: define class slots
defconstant: define constant
defgeneric: define generic function
define-condition: define condition error exception class
defmacro: define macro
defmethod: define method
defpackage: define package namespace module
defparameter: define global variable
defstruct: define structure record
defun: define function
defvar: define global variable
delete-duplicates: remove duplicate elements unique
delete-file: remove file
destructuring-bind: unpack bind list pattern match
directory: list files folder wildcard
dolist: iterate loop list each
dotimes: iterate loop count repeat times
do-symbols: iterate loop symbols package
encode-universal-time: make date time
endp: is end empty list
eq: same identical object
equal: compare same structure deep equality
equalp: compare same case insensitive equality
error: signal raise throw exception
every: all elements satisfy predicate test
fboundp: is function defined exists
fill: set all elements sequence same value
find: search element sequence list item
find-class: class by name
find-if: search first element satisfies predicate
find-package: package by name
find-symbol: symbol by name lookup
finish-output: flush stream buffer
first: first element list head
float: convert number float
floor: round down divide integer
format: print formatted string output interpolate
force-output: flush stream buffer
funcall: call function
function-lambda-expression: source code function
gcd: greatest common divisor
gensym: unique new symbol
get-decoded-time: current date time now
get-internal-real-time: current time clock elapsed measure
get-internal-run-time: cpu time used measure
get-universal-time: current time date now seconds timestamp
getf: get lookup value property list plist key
gethash: get lookup find value key hash table
handler-bind: handle catch condition error
handler-case: handle catch condition error exception try
hash-table-count: number entries keys size hash table
identity: return argument same unchanged
ignore-errors: catch suppress ignore error exception
incf: increment add variable place
initialize-instance: constructor initialize object
input-stream-p: is readable stream
intern: make symbol string package
intersection: common elements two lists sets
isqrt: integer square root
lambda: anonymous function
last: last element list end
lcm: least common multiple
length: number elements size count list string sequence
list: make list elements
list-length: number elements size list circular
listen: is input available stream
load: load run source file
logand: bitwise and bits integers
logior: bitwise or bits integers
logxor: bitwise exclusive or bits integers
loop: iterate repeat
macroexpand: expand macro form
macroexpand-1: expand macro form once
make-array: make create vector array
make-hash-table: make create hash table dictionary map
make-instance: make create object instance class
make-list: make create list size
make-pathname: make build path file name
make-string: make create string size
map: apply function each element sequence
map-into: apply function each element store result
mapc: apply function each element list side effects
mapcan: apply function each element list concatenate results flatten
mapcar: apply function each element list collect transform
maphash: iterate loop map each entry key value hash table
mapl: apply function sublists
maplist: apply function sublists collect
max: largest biggest greatest maximum number
member: is element in list contains test membership
merge: combine merge sorted sequences
merge-pathnames: join combine paths fill missing relative absolute
min: smallest least minimum number
minusp: is negative number
mismatch: first difference two sequences compare
mod: modulo remainder divide
multiple-value-bind: bind several multiple values
namestring: path file name string
nconc: concatenate join append lists destructive
not: negate boolean
notany: no element satisfies none
notevery: not all elements satisfy
nreverse: reverse list sequence destructive
nth: element list index nth
nthcdr: rest list after n drop elements
null: is empty list nil
nunion: union lists sets destructive
oddp: is odd number
evenp: is even number
open: open file stream
pairlis: make alist zip two lists keys values
parse-integer: convert string integer number read
parse-namestring: convert string pathname path
pathname-directory: directory folder part path
pathname-name: file name base part path
pathname-type: file extension suffix type path
peek-char: look next character stream without reading
plusp: is positive number
pop: remove take first element list stack
position: index place element sequence find
position-if: index place element satisfies
pprint: pretty print
prin1: print object readable
princ: print object human display
print: print object output
probe-file: does file exist exists test
push: add prepend element list stack
pushnew: add element list unless there
random: random number generate
rassoc: find lookup entry value alist
read: read parse object form stream
read-char: read next character stream
read-from-string: read parse object form string
read-line: read line text stream file
read-sequence: read many bytes characters elements stream buffer
realpart: real part complex number
reduce: fold sum accumulate combine elements list sequence
rem: remainder divide
remf: remove delete property plist key
remhash: remove delete entry key hash table
remove: delete elements filter list sequence
remove-duplicates: unique distinct elements list
remove-if: filter delete elements satisfying predicate
remove-if-not: filter keep select elements satisfying predicate
rename-file: move rename file
replace: copy overwrite elements sequence into another
rest: list without first tail
restart-case: offer restart recover error
return-from: leave exit block function early
reverse: reverse list string sequence order
rotatef: swap exchange values places variables
round: round number nearest integer
search: find subsequence substring sequence position
set-difference: elements in one list not other difference sets
signum: sign number
slot-boundp: is slot bound
slot-value: get read set slot value object
sleep: wait pause seconds
some: any element satisfies predicate test
sort: sort order list vector sequence
special-operator-p: is special form
sqrt: square root number
stable-sort: sort order keep equal elements
string=: compare equal strings same
string-equal: compare strings case insensitive ignore
string-trim: trim strip remove whitespace characters both ends string
string-left-trim: trim strip remove whitespace characters start string
string-right-trim: trim strip remove whitespace characters end string
string-upcase: convert string uppercase upper case
string-downcase: convert string lowercase lower case
subseq: substring slice part sequence string list
subsetp: is subset contained in list set
substitute: replace elements sequence new old
subst: replace elements tree nested
svref: element simple vector index
symbol-function: function of symbol
symbol-name: name string symbol
symbol-value: value variable symbol
sxhash: hash code object
time: measure execution time benchmark
trace: trace calls function debug
translate-pathname: map path wildcard
tree-equal: compare nested trees
truename: absolute real path file resolve
truncate: round toward zero integer divide
type-of: type class object
typecase: branch dispatch type
typep: is object of type test
union: combine merge two lists sets
unless: if not condition
unwind-protect: cleanup finally always run after error
upper-case-p: is uppercase character
lower-case-p: is lowercase character
user-homedir-pathname: home directory user
vector: make vector elements
vector-pop: remove last element vector stack
vector-push-extend: add append element vector grow
warn: warning signal
when: if condition
with-open-file: open file read write close automatically
with-open-stream: open stream close automatically
with-output-to-string: collect capture output string stream
with-input-from-string: read input string stream
with-slots: access slots object
write-char: write print character stream
write-line: write print line string newline
write-sequence: write many bytes characters elements stream buffer
write-string: write print string stream
y-or-n-p: ask question user yes no
yes-or-no-p: ask question user yes no
zerop: is zero number
1+: increment add one number
1-: decrement subtract one number
"""
NAMES_BY_WORD: dict[str, list[str]] = defaultdict(list)
"""The names of COMMON-LISP that each word is about."""
for _line in _WORDS.strip().splitlines():
    _name, _, _about = _line.partition(": ")
    for _word in _about.split():
        NAMES_BY_WORD[_word].append(_name.upper())
