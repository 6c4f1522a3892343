#!/bin/sh
# Tell the model once in a conversation that there is an index, when it searches text for a Lisp name.
#
# This runs before each search, so it is a plain shell script: starting Python alone may take longer than a search.
# Standard input is the JSON of the hook, on one line; the JSON on standard output adds context, and decides nothing.
# Whatever goes wrong, the script is silent and ends with 0.

[ "$CLAUDE_PLUGIN_OPTION_HINT" = true ] || exit 0
input=$(head -c 65536 2>/dev/null) || exit 0

# The text of a field; a quote within a JSON string has a backslash before it, so no string can hold a field.
field() {
    case $input in
        *"\"$1\":\""*) ;;
        *) return 1 ;;
    esac
    value=${input#*"\"$1\":\""}
    value=${value%%'","'*}
    value=${value%%'"}'*}
}

says() {
    printf '%s\n' "$1" | grep -Eiq -e "$2" 2>/dev/null
}

field tool_name || exit 0
case $value in
    Grep)
        field pattern || exit 0
        searched=$value
        where=${input#*'"tool_input":'}
        ;;
    Bash)
        field command || exit 0
        searched=$value
        where=$value
        case " $value" in
            *[\ \;\|\&\(]grep\ * | *[\ \;\|\&\(]rg\ * | *[\ \;\|\&\(]ag\ *) ;;
            *) exit 0 ;;
        esac
        ;;
    *) exit 0 ;;
esac

# Said already?
field session_id || exit 0
session=$value
case $session in
    '' | *[!A-Za-z0-9-]*) exit 0 ;;
esac
[ ${#session} -le 100 ] || exit 0
case $XDG_STATE_HOME in
    /*) notes=$XDG_STATE_HOME/oblist/hints ;;
    *)
        [ -n "$HOME" ] || exit 0
        notes=$HOME/.local/state/oblist/hints
        ;;
esac
[ -e "$notes/$session" ] && exit 0

# The index, as oblist finds it: a named one, or one of this user's in this folder or above.
if [ -n "$OBLIST_INDEX" ]; then
    [ -f "$OBLIST_INDEX" ] || exit 0
else
    folder=${CLAUDE_PROJECT_DIR:-$PWD}
    while ! [ -O "$folder/.oblist/oblist.db" ]; do
        case $folder in
            */*) folder=${folder%/*} ;;
            *) exit 0 ;;
        esac
    done
fi

# In Lisp files any search counts, in files of other kinds none, and elsewhere one for what looks like a Lisp name:
# words with hyphens, pkg:name, *special*, defun. Options and folders are not meant.
end='($|[^a-z0-9_./-])'
word='[a-z0-9%+]+'
name="$word(-$word)+|[a-z0-9.-]+::?[a-z%+*][a-z0-9%+*-]*|[*]$word(-$word)*[*]|def[a-z]+"
if ! says "$where" "[.](lisp|lsp|cl|asd)$end|\"type\":\"lisp\"|-t ?lisp"; then
    says "$where" "[a-z0-9_*][.][a-z]{1,5}$end|[*][.]\{" && exit 0
    says "$searched" "(^|[^a-z0-9_./-])($name)$end" || exit 0
fi

umask 077
mkdir -p "$notes" 2>/dev/null || exit 0
set -C # so that of several searches at once only one makes the file
{ true >"$notes/$session"; } 2>/dev/null || exit 0
find "$notes" -type f -mtime +7 -exec rm -f {} + 2>/dev/null

printf '%s\n' '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"This project has an index of its Lisp code, with the libraries that it loads. The tools of the server oblist know what searching text does not: who uses a name through macros, accessors and callers of callers (find_references), that nothing uses it, and the methods that apply to a class (describe_class). This is said once."}}'
exit 0
