# Completion of oblist in bash. To load it now, and from ~/.bashrc later:
#   eval "$(oblist completion bash)"

_oblist_completion() {
    # Bash splits words at colons; its own current word, $2, is what the candidates stand for.
    local candidates
    mapfile -t candidates < <(oblist completion bash --line "${COMP_LINE:0:COMP_POINT}" --word "$2" 2>/dev/null)
    COMPREPLY=("${candidates[@]:1}")
    case ${candidates[0]} in
        file) compopt -o default ;;
        dir) compopt -o dirnames ;;
    esac
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *: ]]; then
        compopt -o nospace
    fi
}

complete -o nosort -F _oblist_completion oblist
