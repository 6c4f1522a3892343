-- Do the steps of a session with Neovim's client, and write what each shows.
--
-- What the client has a command for is done with that, and what is looked at is what it shows: the cursor, the
-- quickfix list, the floating window, extmarks and diagnostics.
local HALF_MINUTE = 30000
local api, lsp = vim.api, vim.lsp
local file = assert(io.open(vim.env.OBLIST_TASK))
local task = vim.json.decode(file:read('*a'))
file:close()
local client_id
local errors = {} -- what the client has shown in red
api.nvim_err_writeln = function(text)
  table.insert(errors, text)
end
vim.opt.shortmess:append('A')
vim.opt.hidden = true
vim.opt.swapfile = false

local function wait(condition, what)
  assert(vim.wait(HALF_MINUTE, condition, 5), 'too late: ' .. what)
end

local function client()
  return lsp.get_client_by_id(client_id)
end

-- Places

local function buffer_of(path)
  local buffer = vim.fn.bufadd(path)
  vim.fn.bufload(buffer)
  return buffer
end

-- A line from 1 and a column in bytes from 0, as a place with the word that begins there.
local function place(buffer, line, column)
  local text = api.nvim_buf_get_lines(buffer, line - 1, line, false)[1]
  local word = text:match('^"[^"]*"', column + 1) or text:match('^[^%s()"]*', column + 1)
  local name = vim.fn.fnamemodify(api.nvim_buf_get_name(buffer), ':t')
  local characters = vim.fn.strchars(text:sub(1, column))
  return string.format('%s:%d:%d %s', name, line, characters + 1, word)
end

local function cursor()
  local at = api.nvim_win_get_cursor(0)
  return place(api.nvim_get_current_buf(), at[1], at[2])
end

local function quickfix()
  return vim.tbl_map(function(item)
    return place(buffer_of(api.nvim_buf_get_name(item.bufnr)), item.lnum, item.col - 1)
  end, vim.fn.getqflist())
end

-- The positions of a range in a buffer, in bytes.
local function place_of_range(uri, range)
  local buffer = buffer_of(vim.uri_to_fname(uri))
  local line = range.start.line
  local text = api.nvim_buf_get_lines(buffer, line, line + 1, false)[1]
  return place(buffer, line + 1, vim.str_byteindex(text, range.start.character, true))
end

-- Where words begin in the current buffer: line from 1, column in bytes from 0.
local function find(words)
  local lines = api.nvim_buf_get_lines(0, 0, -1, false)
  local text = table.concat(lines, '\n')
  local at = assert(text:find(words, 1, true), 'not there: ' .. words)
  local before = text:sub(1, at - 1)
  local _, breaks = before:gsub('\n', '')
  return breaks + 1, #before:match('[^\n]*$')
end

-- Go to the words of a step, in its file and in a single window.
local function go(step)
  vim.cmd('silent! only')
  vim.cmd('silent! cclose')
  vim.fn.setqflist({}, 'r')
  api.nvim_set_current_buf(buffer_of(task.project .. '/' .. step.file))
  if step.words ~= '' then
    local line, column = find(step.words)
    api.nvim_win_set_cursor(0, { line, column + step.more })
  end
end

-- Call a function that asks the server, and return when the client has shown the answer.
local function shown(method, ask)
  local done = false
  local show = lsp.handlers[method]
  lsp.handlers[method] = function(...)
    local results = { show(...) }
    done = true
    return unpack(results)
  end
  ask()
  wait(function()
    return done or #errors > 0
  end, method)
  lsp.handlers[method] = show
  assert(#errors == 0, table.concat(errors, '\n'))
end

local function raw(method, params)
  local answer = assert(client().request_sync(method, params, HALF_MINUTE, api.nvim_get_current_buf()))
  assert(not answer.err, answer.err and answer.err.message)
  return answer.result
end

-- What is published for a file when it has changed: the client does not wait for it, so this does.
local published = {}
local publish = lsp.handlers['textDocument/publishDiagnostics']
lsp.handlers['textDocument/publishDiagnostics'] = function(err, result, ...)
  published[result.uri] = result.version
  return publish(err, result, ...)
end

local function diagnostics()
  local buffer = api.nvim_get_current_buf()
  local uri = vim.uri_from_bufnr(buffer)
  wait(function()
    return published[uri] == lsp.util.buf_versions[buffer]
  end, 'diagnostics')
  return vim.tbl_map(function(one)
    return place(buffer, one.lnum + 1, one.col) .. ': ' .. one.message
  end, vim.diagnostic.get(buffer))
end

-- The text of the window that floats over the others.
local function floating()
  for _, window in ipairs(api.nvim_list_wins()) do
    if api.nvim_win_get_config(window).relative ~= '' then
      return table.concat(api.nvim_buf_get_lines(api.nvim_win_get_buf(window), 0, -1, false), '\n')
    end
  end
end

-- The text of the current buffer, once nothing is wrong with it.
local function text_when_checked()
  local wrong = diagnostics()
  if #wrong > 0 then
    return wrong
  end
  return table.concat(api.nvim_buf_get_lines(0, 0, -1, false), '\n') .. '\n'
end

local function jump(method, ask)
  return function(step)
    go(step)
    shown(method, ask)
    local listed = quickfix()
    vim.cmd('silent! cclose')
    local here = cursor()
    local others = vim.tbl_filter(function(one)
      return one ~= here
    end, listed)
    return { here, unpack(others) }
  end
end

local function listed(method, ask)
  return function(step)
    go(step)
    shown(method, function()
      ask(step)
    end)
    return quickfix()
  end
end

local function calls(method, ask)
  return function(step)
    go(step)
    shown(method, ask)
    local found = {}
    for _, item in ipairs(vim.fn.getqflist()) do
      if vim.startswith(item.text, 'emporium:') then
        table.insert(found, string.format('%s %d:%d', item.text, item.lnum, item.col))
      end
    end
    return found
  end
end

-- Neovim has no command for these.
local function types(method)
  return function(step)
    go(step)
    local item = raw('textDocument/prepareTypeHierarchy', lsp.util.make_position_params())[1]
    return vim.tbl_map(function(one)
      return one.name .. ' ' .. place_of_range(one.uri, one.selectionRange)
    end, raw(method, { item = item }))
  end
end

local actions = {
  start = function()
    local ready = false
    client_id = lsp.start_client({
      name = 'oblist',
      cmd = task.server,
      root_dir = task.project,
      workspace_folders = { { uri = vim.uri_from_fname(task.project), name = 'emporium' } },
      on_init = function()
        ready = true
      end,
    })
    wait(function()
      return ready
    end, 'initialize')
    local names = {}
    for name, _ in pairs(client().server_capabilities) do
      if vim.endswith(name, 'Provider') and name ~= 'executeCommandProvider' then
        table.insert(names, name)
      end
    end
    table.sort(names)
    return names
  end,
  open = function(step)
    go(step)
    assert(lsp.buf_attach_client(0, client_id))
    return diagnostics()
  end,
  hover = function(step)
    go(step)
    shown('textDocument/hover', lsp.buf.hover)
    return floating()
  end,
  definition = jump('textDocument/definition', lsp.buf.definition),
  implementation = jump('textDocument/implementation', lsp.buf.implementation),
  typeDefinition = jump('textDocument/typeDefinition', lsp.buf.type_definition),
  references = listed('textDocument/references', function()
    lsp.buf.references()
  end),
  workspace = listed('workspace/symbol', function(step)
    lsp.buf.workspace_symbol(step.to)
  end),
  highlight = function(step)
    go(step)
    shown('textDocument/documentHighlight', lsp.buf.document_highlight)
    local space = api.nvim_get_namespaces().vim_lsp_references
    local found = vim.tbl_map(function(mark)
      return place(0, mark[2] + 1, mark[3])
    end, api.nvim_buf_get_extmarks(0, space, 0, -1, {}))
    lsp.buf.clear_references()
    return found
  end,
  symbols = function(step)
    go(step)
    shown('textDocument/documentSymbol', lsp.buf.document_symbol)
    return vim.tbl_map(function(item)
      local kind, name = item.text:match('^%[(%a+)%] (.*)$')
      return string.format('%s %d %s', kind, item.lnum, name)
    end, vim.fn.getqflist())
  end,
  incoming = calls('callHierarchy/incomingCalls', lsp.buf.incoming_calls),
  outgoing = calls('callHierarchy/outgoingCalls', lsp.buf.outgoing_calls),
  supertypes = types('typeHierarchy/supertypes'),
  subtypes = types('typeHierarchy/subtypes'),
  edit = function(step)
    go(step)
    local line, column = find(step.words)
    api.nvim_buf_set_text(0, line - 1, column, line - 1, column + #step.words, vim.split(step.to, '\n'))
    return diagnostics()
  end,
  complete = function(step)
    go(step)
    local at = api.nvim_win_get_cursor(0)
    local prefix = vim.fn.matchstr(api.nvim_get_current_line():sub(1, at[2]), '\\k*$')
    local answer = raw('textDocument/completion', lsp.util.make_position_params())
    return lsp.util.text_document_completion_list_to_complete_items(answer, prefix)[1].word
  end,
  signature = function(step)
    go(step)
    shown('textDocument/signatureHelp', lsp.buf.signature_help)
    return floating()
  end,
  fix = function(step)
    go(step)
    vim.ui.select = function(items, _, chosen)
      for number, item in ipairs(items) do
        if item[2].title == step.to then
          return chosen(item, number)
        end
      end
      error('not offered: ' .. step.to)
    end
    local before = api.nvim_buf_get_changedtick(0)
    lsp.buf.code_action()
    wait(function()
      return api.nvim_buf_get_changedtick(0) ~= before
    end, step.to)
    return text_when_checked()
  end,
  rename = function(step)
    go(step)
    local before = api.nvim_buf_get_changedtick(0)
    lsp.buf.rename(step.to)
    wait(function()
      return api.nvim_buf_get_changedtick(0) ~= before or #errors > 0
    end, 'rename')
    return text_when_checked()
  end,
  format = function(step)
    go(step)
    if lsp.buf.format then
      lsp.buf.format({ timeout_ms = HALF_MINUTE })
    else
      lsp.buf.formatting_sync(nil, HALF_MINUTE)
    end
    return text_when_checked()
  end,
  shutdown = function()
    client().stop()
    wait(function()
      return client() == nil or client().is_stopped()
    end, 'the end')
    return 'ended'
  end,
}

local output = assert(io.open(task.shown, 'w'))
for _, step in ipairs(task.steps) do
  local _, seen = xpcall(actions[step['do']], function(problem)
    return tostring(problem)
  end, step)
  errors = {}
  if type(seen) == 'table' and #seen == 0 then
    seen = vim.empty_dict()
  end
  local line = vim.json.encode({ name = step.name, seen = seen }):gsub('"seen":{}', '"seen":[]')
  output:write(line, '\n')
  output:flush()
end
output:close()
vim.cmd('qall!')
