-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Converts a page for the site: takes the title from its first heading, follows links to other
-- pages, gives headings and options of manual pages an address, marks commands in console
-- blocks, and writes the sections to a file for the search.
--
-- Metadata: source, the page's path in the tree; pages, paths and names on the site, "PATH NAME"
-- separated by newlines; index, the file for the search.

local N_SHORT = 30 -- characters of code that are not broken over lines
local source, folder, name, is_manual
local names = {} -- by path
local used = {} -- addresses on this page
local sections = {} -- of a manual page, by their text

local function read_metadata(meta)
  source = pandoc.utils.stringify(meta.source)
  folder = source:match("^(.*/)") or ""
  is_manual = source:match("%.%d$") ~= nil
  for path, page in pandoc.utils.stringify(meta.pages):gmatch("(%S+) (%S+)") do
    names[path] = page
  end
  name = names[source]
end

-- Path in the tree of a path that is relative to the page's folder.
local function resolve(path)
  path = folder .. path
  local n
  repeat
    path, n = path:gsub("[^/]+/%.%./", "", 1)
  until n == 0
  return path
end

local function unique(id)
  local candidate, n = id, 1
  while used[candidate] do
    n = n + 1
    candidate = id .. "-" .. n
  end
  used[candidate] = true
  return candidate
end

local function follow_link(link)
  local path, fragment = link.target:match("^([^#]*)(.*)$")
  if path == "" or path:match("^%a+:") then
    return nil
  end
  path = resolve(path)
  if names[path] then
    link.target = names[path] .. fragment
    return link
  elseif path:match("%.json$") then
    link.target = path:match("[^/]+$")
    return link
  end
  return link.content -- a file that is not on the site
end

-- Names of pages in the text: `docs/GPROF.md`, and docs/GPROF.md in manual pages.
local function link_name(text, inline)
  local path, rest = text:match("^([%w./-]+%.%w+)(.*)$")
  path = path and (names[path] and path or names["docs/" .. path] and is_manual and "docs/" .. path)
  if path and path ~= source and rest:match("^%p*$") then
    return pandoc.Link({ inline }, names[path])
  end
end

-- "arcline-diff" in bold, followed by "(1)".
local function link_manuals(inlines)
  for i = 1, #inlines - 1 do
    local page, section = inlines[i], inlines[i + 1]
    if page.t == "Strong" and section.t == "Str" then
      local number, rest = section.text:match("^%((%d)%)(.*)$")
      local path = number and "docs/" .. pandoc.utils.stringify(page) .. "." .. number
      if path and names[path] and path ~= source then
        inlines[i] = pandoc.Link({ page, pandoc.Str("(" .. number .. ")") }, names[path])
        inlines[i + 1] = pandoc.Str(rest)
      end
    end
  end
  return inlines
end

-- Names of sections in manual pages: "see \fBGATES\fP".
local function link_section(strong)
  local text = pandoc.utils.stringify(strong)
  if is_manual and sections[text] then
    return pandoc.Link({ pandoc.Str(sections[text]) }, "#" .. text:lower():gsub("[^%w]+", "-"))
  end
end

local function sentence_case(text)
  return text == text:upper() and text:sub(1, 1) .. text:sub(2):lower() or text
end

local function escape(text)
  return (text:gsub("[&<>]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }))
end

-- Wide code scrolls by itself, by keyboard, too.
local function mark_commands(block)
  if not block.classes:includes("console") then
    block.attributes.tabindex = "0"
    return block
  end
  local lines = {}
  for line in (block.text .. "\n"):gmatch("(.-)\n") do
    local command = line:match("^%$ (.*)$")
    lines[#lines + 1] = command and "<b>" .. escape(command) .. "</b>" or escape(line)
  end
  return pandoc.RawBlock("html",
    '<pre class="console" tabindex="0"><code>' .. table.concat(lines, "\n") .. "</code></pre>")
end

local function wrap_table(block)
  return pandoc.Div(block, pandoc.Attr("", { "wide" }, { tabindex = "0" }))
end

local function address_terms(list)
  for _, item in ipairs(list.content) do
    local term = pandoc.utils.stringify(item[1])
    local id = term:match("%-%-[%w-]+") or term:match("^[%w%%_.-]*%w[%w_.-]*")
    if id then
      id = unique((id:gsub("[^%w_-]", ""):gsub("%-+$", "")))
      item[1] = { pandoc.Link(item[1], "#" .. id, "", pandoc.Attr(id, { "term" })) }
    end
  end
  return list
end

local function address_heading(header)
  if is_manual then
    local text = pandoc.utils.stringify(header)
    header.identifier = unique(text:lower():gsub("[^%w]+", "-"))
    header.level = header.level + 1
    header.content = pandoc.Str(sentence_case(text))
  else
    used[header.identifier] = true
  end
  return header
end

local function text_of(blocks)
  local parts = {}
  local function add(block)
    parts[#parts + 1] = pandoc.utils.stringify(block)
  end
  local function add_text(block)
    parts[#parts + 1] = block.text:gsub("</?%l[^>]*>", "")
  end
  pandoc.walk_block(pandoc.Div(blocks),
    { Para = add, Plain = add, CodeBlock = add_text, RawBlock = add_text })
  return table.concat(parts, " ")
end

local function json(text)
  return '"' .. text:gsub('[%c"\\<]', function(c) return ("\\u%04x"):format(c:byte()) end) .. '"'
end

local function write_index(path, title, blocks)
  local file = assert(io.open(path, "w"))
  local heading, id, parts = title, "", {}
  local function flush()
    if #parts > 0 or id ~= "" then
      file:write(('{"address":%s,"page":%s,"heading":%s,"text":%s},\n'):format(
        json(name .. (id ~= "" and "#" .. id or "")), json(title), json(heading),
        json(text_of(parts):sub(1, 4000))))
    end
    parts = {}
  end
  local function add(list)
    for _, block in ipairs(list) do
      if block.t == "Header" then
        flush()
        heading, id = pandoc.utils.stringify(block), block.identifier
      elseif block.t == "DefinitionList" then
        for _, item in ipairs(block.content) do
          local term = item[1][1]
          local outer_heading, outer_id = heading, id
          flush()
          if term and term.t == "Link" then
            heading, id = pandoc.utils.stringify(term), term.identifier
          end
          for _, definition in ipairs(item[2]) do
            add(definition)
          end
          flush()
          heading, id = outer_heading, outer_id
        end
        id = ""
      else
        parts[#parts + 1] = block
      end
    end
  end
  add(blocks)
  flush()
  file:close()
end

-- The title, and the sentence of a manual page's NAME.
local function take_title(document)
  local blocks = document.blocks
  local title
  if is_manual then
    title = source:match("([^/]+)%.%d$") .. "(" .. source:match("%d$") .. ")"
    document.meta.lead = pandoc.utils.stringify(blocks[2]):match(" %- (.*)$")
    blocks:remove(1)
    blocks:remove(1)
  else
    title = pandoc.utils.stringify(blocks[1])
    blocks:remove(1)
  end
  document.meta.title = pandoc.MetaString(title)
  return title
end

function Pandoc(document)
  read_metadata(document.meta)
  local index = pandoc.utils.stringify(document.meta.index)
  local title = take_title(document)
  for _, block in ipairs(document.blocks) do
    if block.t == "Header" then
      local text = pandoc.utils.stringify(block)
      sections[text] = sentence_case(text)
    end
  end
  local body = pandoc.walk_block(pandoc.Div(document.blocks), {
    Header = address_heading,
    Link = follow_link,
    Code = function(code)
      if #code.text < N_SHORT then
        code.classes:insert("short")
      end
      return link_name(code.text, code) or code
    end,
    Str = function(str) return is_manual and link_name(str.text, str) or nil end,
    Inlines = link_manuals,
    Strong = link_section,
    Image = function(image)
      image.src = image.src:match("[^/]+$")
      return image
    end,
    DefinitionList = address_terms,
    CodeBlock = mark_commands,
    Table = wrap_table,
  })
  document.blocks = body.content
  write_index(index, title, document.blocks)
  return document
end
