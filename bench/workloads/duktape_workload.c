/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic workload for Duktape: a script of closures, objects, sorting,
 * strings, regular expressions, typed arrays and JSON.
 *
 *   duktape_workload [SCALE]    SCALE rounds of the script
 */
#include <stdio.h>
#include <stdlib.h>

#include "duktape.h"

static const char script[] =
    "var check = 0, seed = 20261124;\n"
    "function add(n) { check = (check * 31 + n) % 2147483647; }\n"
    "function random(n) { seed = (seed * 16807) % 2147483647; return seed % n; "
    "}\n"
    "function sieve(n) {\n"
    "  var bits = new Uint8Array(n), count = 0;\n"
    "  for (var i = 2; i < n; i++) {\n"
    "    if (bits[i]) continue;\n"
    "    count++;\n"
    "    for (var j = i * 2; j < n; j += i) bits[j] = 1;\n"
    "  }\n"
    "  return count;\n"
    "}\n"
    "function Tree(key) { this.key = key; this.left = this.right = null; }\n"
    "Tree.prototype.put = function (key) {\n"
    "  var side = key < this.key ? 'left' : 'right';\n"
    "  if (this[side]) this[side].put(key); else this[side] = new Tree(key);\n"
    "};\n"
    "Tree.prototype.sum = function () {\n"
    "  return this.key + (this.left ? this.left.sum() : 0) +\n"
    "         (this.right ? this.right.sum() : 0);\n"
    "};\n"
    "function round() {\n"
    "  var tree = new Tree(500), words = [], i;\n"
    "  for (i = 0; i < 200; i++) tree.put(random(1000));\n"
    "  add(tree.sum());\n"
    "  add(sieve(2000));\n"
    "  for (i = 0; i < 100; i++) words.push('w' + random(60));\n"
    "  words.sort();\n"
    "  var text = words.join(' ');\n"
    "  add(text.replace(/w(\\d)(\\d)?/g, '<$2$1>').length);\n"
    "  add(JSON.stringify(JSON.parse(JSON.stringify(words))).length);\n"
    "  words.map(function (w) { return w.length * 7; }).forEach(add);\n"
    "  try { null.x; } catch (e) { add(String(e.name).length); }\n"
    "}\n";

int main(int argc, char **argv) {
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  duk_context *const context = duk_create_heap_default();

  if (!context || duk_peval_string(context, script))
    return 1;
  for (int i = 0; i < scale; i++)
    if (duk_peval_string(context, "round();"))
      return 1;
  if (duk_peval_string(context, "check"))
    return 1;
  printf("checksum %.0f\n", duk_get_number(context, -1));
  duk_destroy_heap(context);
  return 0;
}
