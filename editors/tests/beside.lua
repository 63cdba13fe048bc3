-- Formwork beside another YAML server in one buffer: what both complete, and whether a name comes twice. Called by run.py:
--   nvim --headless --clean -c "luafile beside.lua"  with FORMWORK_BESIDE = {program, other, workspace, out} as JSON.
local run = vim.json.decode(vim.env.FORMWORK_BESIDE)
local function finish(result)
  vim.fn.writefile({ vim.json.encode(result) }, run.out)
  vim.cmd("qall!")
end
local function main()
  vim.o.swapfile = false
  vim.g.formwork_path = run.program
  dofile(run.init)
  vim.lsp.config("yamlls", { cmd = run.other, filetypes = { "yaml" }, root_dir = run.workspace,
    settings = { yaml = { customTags = { "!Ref scalar", "!Sub scalar" }, schemaStore = { enable = false } } } })
  vim.lsp.enable("yamlls")
  vim.cmd.edit(run.workspace .. "/template.yaml")
  assert(vim.wait(20000, function()
    local ready = vim.tbl_filter(function(client) return client.initialized end, vim.lsp.get_clients({ bufnr = 0 }))
    return #ready == 2
  end, 20), "both servers start")
  vim.wait(1500)
  -- Behind `!Ref `, and at a key of the resource.
  local found = {}
  for name, place in pairs({ value = { 18, 25 }, key = { 15, 5 } }) do
    vim.api.nvim_win_set_cursor(0, place)
    local counts, servers = {}, {}
    local answers = vim.lsp.buf_request_sync(0, "textDocument/completion", function(client)
      return vim.lsp.util.make_position_params(0, client.offset_encoding)
    end, 10000)
    for id, answer in pairs(answers or {}) do
      local items = answer.result and (answer.result.items or answer.result) or {}
      servers[vim.lsp.get_client_by_id(id).name] = #items
      for _, item in ipairs(items) do
        counts[item.label] = (counts[item.label] or 0) + 1
      end
    end
    local twice = {}
    for label, count in pairs(counts) do
      if count > 1 then table.insert(twice, label) end
    end
    found[name] = { servers = servers, twice = twice, has = vim.tbl_keys(counts) }
  end
  return found
end
local ok, found = pcall(main)
finish(ok and { found = found } or { error = tostring(found) })
