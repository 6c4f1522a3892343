" Ask what is under the cursor, and go to its definition, as a user of Vim with ALE does; the file ASKED gets what is seen.
let s:began = reltime()

function! s:Wait(condition) abort
  while !eval(a:condition)
    if reltimefloat(reltime(s:began)) > 60
      cquit
    endif
    sleep 20m
  endwhile
endfunction

let s:home = bufnr('')
call search('(\zstotal wares)')
ALEHover
call s:Wait('winnr("$") > 1')
let s:shown = join(map(range(1, winnr('$')), 'join(getbufline(winbufnr(v:val), 1, "$"), " ")'), ' ')
only
execute 'buffer' s:home
call search('(\zstotal wares)')
ALEGoToDefinition
call s:Wait('line(".") == 3')
call writefile([s:shown, getline('.')], $ASKED)
qall!
