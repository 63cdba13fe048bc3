-- Formwork in Neovim 0.11 or newer. Copy this file to ~/.config/nvim/lsp-formwork.lua and add to init.lua:
--   dofile(vim.fn.stdpath("config") .. "/lsp-formwork.lua")
-- The program is the one on the PATH; vim.g.formwork_path names another one.

local scheme = "formwork-expanded:"

local function decoded(uri)
  return vim.uri_decode(uri)
end

-- The buffer of a view, if it is loaded.
local function view_buffer(uri)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and decoded(vim.api.nvim_buf_get_name(buffer)) == decoded(uri) then
      return buffer
    end
  end
end

-- Asks the server for the text of a view.
local function load(buffer, uri)
  local client = vim.lsp.get_clients({ name = "formwork" })[1]
  if not client then
    return
  end
  local answer = client:request_sync("formwork/expanded", { uri = uri }, 10000)
  local result = answer and answer.result
  if not result then
    return
  end
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(result.text, "\n"))
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].modified = false
  vim.bo[buffer].readonly = true
  vim.bo[buffer].buftype = "nofile"
  vim.bo[buffer].filetype = uri:match("%.json") and "json" or "yaml"
  if not vim.lsp.buf_is_attached(buffer, client.id) then
    vim.lsp.buf_attach_client(buffer, client.id)
  end
end

vim.api.nvim_create_autocmd("BufReadCmd", {
  pattern = scheme .. "*",
  callback = function(event)
    load(event.buf, event.match)
  end,
})

vim.lsp.config("formwork", {
  cmd = { vim.g.formwork_path or "formwork", "lsp" },
  filetypes = { "yaml", "yaml.cloudformation", "json", "toml" },
  root_markers = { "formwork.toml", "samconfig.toml", ".git" },
  handlers = {
    ["workspace/textDocumentContent/refresh"] = function(_, params)
      local buffer = view_buffer(params.uri)
      if buffer then
        load(buffer, params.uri)
      end
      return vim.NIL
    end,
  },
  on_attach = function(client, buffer)
    if client:supports_method("textDocument/inlayHint") then
      vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
    end
  end,
})

-- Opens the expansion of the template beside it.
vim.api.nvim_create_user_command("FormworkExpansion", function(command)
  local client = vim.lsp.get_clients({ name = "formwork", bufnr = 0 })[1]
  if not client then
    vim.notify("Formwork does not serve this buffer", vim.log.levels.WARN)
    return
  end
  local start = { line = 0, character = 0 }
  local params = {
    uri = vim.uri_from_bufnr(0),
    range = { start = start, ["end"] = start },
    stage = command.args ~= "" and command.args or nil,
  }
  local answer = client:request_sync("formwork/map", params, 10000, 0)
  local view = answer and answer.result and answer.result.view
  if view then
    vim.cmd.vsplit(vim.fn.fnameescape(view))
  end
end, { nargs = "?", complete = function() return { "expand", "resolve", "deploy" } end })

vim.lsp.enable("formwork")
