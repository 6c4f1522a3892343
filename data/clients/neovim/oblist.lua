-- Start `oblist lsp` for Common Lisp files. Works from Neovim 0.7.2 on.
local program = 'oblist'
local servers = {} -- by folder, where Neovim does not share them itself

local function start(buffer)
  local file = vim.api.nvim_buf_get_name(buffer)
  if file == '' or file:match('^%a[%w+.-]*://') or file:match('%.el$') then
    return
  end
  local folder = vim.fn.fnamemodify(file, ':p:h')
  local root = folder
  for _, marker in ipairs({ '.oblist', '.git' }) do
    local found = vim.fn.finddir(marker, vim.fn.escape(folder, ' ,;\\') .. ';')
    if found ~= '' then
      root = vim.fn.fnamemodify(found, ':p:h:h')
      break
    end
  end
  local config = { name = 'oblist', cmd = { program, 'lsp' }, root_dir = root }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
  else
    if not (servers[root] and vim.lsp.get_client_by_id(servers[root])) then
      servers[root] = vim.lsp.start_client(config)
    end
    vim.lsp.buf_attach_client(buffer, servers[root])
  end
end

local group = vim.api.nvim_create_augroup('oblist', {})
vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
  group = group,
  pattern = '*.asd',
  command = 'setfiletype lisp',
})
vim.api.nvim_create_autocmd('FileType', {
  group = group,
  pattern = 'lisp',
  callback = function(args)
    start(args.buf)
  end,
})
