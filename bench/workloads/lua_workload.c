/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic workload for Lua: a script of tables, strings, closures,
 * coroutines, errors and metamethods.
 *
 *   lua_workload [SCALE]    SCALE rounds of the script
 */
#include <stdio.h>
#include <stdlib.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

/* The modulus keeps sums exact in any build. */
static const char script[] =
    "local rounds = ...\n"
    "local check = 0\n"
    "local function add(n) check = (check * 31 + n) % 2147483647 end\n"
    "local seed = 20261124\n"
    "local function random(n)\n"
    "  seed = (seed * 1664525 + 1013904223) % 4294967296\n"
    "  return seed // 256 % n\n"
    "end\n"
    "local Node = {}\n"
    "Node.__index = Node\n"
    "Node.__lt = function(a, b) return a.key < b.key end\n"
    "local function insert(tree, key)\n"
    "  if not tree then return setmetatable({key = key, n = 1}, Node) end\n"
    "  local side = key < tree.key and 'left' or 'right'\n"
    "  tree[side], tree.n = insert(tree[side], key), tree.n + 1\n"
    "  return tree\n"
    "end\n"
    "local function walk(tree)\n"
    "  if tree then\n"
    "    walk(tree.left); coroutine.yield(tree.key); walk(tree.right)\n"
    "  end\n"
    "end\n"
    "for _ = 1, rounds do\n"
    "  local tree, nodes = nil, {}\n"
    "  for i = 1, 2000 do\n"
    "    tree = insert(tree, random(100000))\n"
    "    nodes[i] = setmetatable({key = random(100000)}, Node)\n"
    "  end\n"
    "  for key in coroutine.wrap(function() walk(tree) end) do add(key) end\n"
    "  table.sort(nodes)\n"
    "  for i = 1, #nodes, 7 do add(nodes[i].key) end\n"
    "  local words = {}\n"
    "  for i = 1, 1000 do\n"
    "    words[i] = string.format('%s%d', ('xyz'):rep(random(3)), "
    "random(500))\n"
    "  end\n"
    "  local text, seen = table.concat(words, ' '), {}\n"
    "  for word in text:gmatch('%a+%d+') do seen[word] = (seen[word] or 0) + 1 "
    "end\n"
    "  for i = 1, 1000 do add(seen[words[i]] or 0) end\n"
    "  add(#text:gsub('y(z)', '%1y'))\n"
    "  for i = 1, 300 do\n"
    "    local ok = pcall(function() if i % 3 == 0 then error({i}) end end)\n"
    "    add(ok and 1 or 2)\n"
    "  end\n"
    "  local sum = 0.0\n"
    "  for i = 1, 20000 do sum = sum + (i ~ 5) * 0.5 end\n"
    "  add(math.floor(sum))\n"
    "end\n"
    "return check\n";

int main(int argc, char **argv) {
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  lua_State *const lua = luaL_newstate();

  if (!lua)
    return 1;
  luaL_openlibs(lua);
  int failed = luaL_loadstring(lua, script);
  if (!failed) {
    lua_pushinteger(lua, scale);
    failed = lua_pcall(lua, 1, 1, 0);
  }
  if (failed) {
    fprintf(stderr, "lua_workload: %s\n", lua_tostring(lua, -1));
    return 1;
  }
  printf("checksum %lld\n", (long long)lua_tointeger(lua, -1));
  lua_close(lua);
  return 0;
}
