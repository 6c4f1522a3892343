#compdef oblist
# Completion of oblist in zsh. To load it now, and from ~/.zshrc after compinit later:
#   eval "$(oblist completion zsh)"

_oblist() {
    local -a candidates packages
    candidates=("${(@f)$(oblist completion zsh --line "${(j: :)words[1,CURRENT-1]} $PREFIX" 2>/dev/null)}")
    case $candidates[1] in
        file) _files && return ;;
        dir) _files -/ && return ;;
    esac
    shift candidates
    packages=(${(M)candidates:#*:})
    candidates=(${candidates:#*:})
    # -U: it is we who have matched them, without quotes.
    (($#packages)) && compadd -U -S '' -a packages
    (($#candidates)) && compadd -U -V oblist -a candidates
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _oblist "$@"
else
    compdef _oblist oblist
fi
