-- Ask what is under the cursor, and go to its definition, as a user of Neovim does; the file ASKED gets what is seen.
local function wait(condition)
  assert(vim.wait(60000, condition, 20), 'too late')
end

local function floating()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
    end
  end
end

local client
wait(function()
  client = vim.lsp.get_active_clients()[1]
  return client ~= nil and client.server_capabilities ~= nil
end)
vim.fn.search('(\\zstotal wares)')
vim.lsp.buf.hover()
wait(floating)
local shown = floating()
vim.lsp.buf.definition()
wait(function()
  return vim.api.nvim_win_get_cursor(0)[1] == 3
end)
vim.fn.writefile({ client.config.root_dir, (shown:gsub('\n', ' ')), vim.api.nvim_get_current_line() }, vim.env.ASKED)
vim.cmd('qall!')
