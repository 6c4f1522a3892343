# Completion of oblist in fish. To load it now, and from ~/.config/fish/config.fish later:
#   oblist completion fish | source

function __oblist_complete
    set -l candidates (oblist completion fish --line (commandline -cp | string collect) 2>/dev/null)
    switch "$candidates[1]"
        case file
            __fish_complete_path (commandline -ct)
        case dir
            __fish_complete_directories (commandline -ct)
        case '*'
            printf '%s\n' $candidates[2..-1]
    end
end

complete --command oblist --no-files --keep-order --arguments '(__oblist_complete)'
