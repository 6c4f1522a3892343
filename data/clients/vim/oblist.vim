" `oblist lsp` as a language server of ALE, for Common Lisp.
call ale#Set('lisp_oblist_executable', 'oblist')

" The project of a buffer; empty, so that no server starts, for Emacs Lisp, which has Vim's file type `lisp` as well.
function! OblistRoot(buffer) abort
  let l:file = fnamemodify(bufname(a:buffer), ':p')
  if l:file =~# '\.el$'
    return ''
  endif
  for l:marker in ['.oblist', '.git']
    let l:found = ale#path#FindNearestDirectory(a:buffer, l:marker)
    if !empty(l:found)
      return fnamemodify(l:found, ':h:h')
    endif
  endfor
  return fnamemodify(l:file, ':h')
endfunction

call ale#linter#Define('lisp', {
\   'name': 'oblist',
\   'lsp': 'stdio',
\   'executable': {buffer -> ale#Var(buffer, 'lisp_oblist_executable')},
\   'command': '%e lsp',
\   'project_root': function('OblistRoot'),
\})
