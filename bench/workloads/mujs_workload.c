/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic workload for MuJS: a script of objects, closures, strings,
 * regular expressions, JSON and exceptions.
 *
 *   mujs_workload [SCALE]    SCALE rounds of the script
 */
#include <stdio.h>
#include <stdlib.h>

#include "mujs.h"

static const char script[] =
    "var check = 0, seed = 20261124;\n"
    "function add(n) { check = (check * 31 + n) % 2147483647; }\n"
    "function random(n) {\n"
    "  seed = (seed * 16807) % 2147483647;\n"
    "  return seed % n;\n"
    "}\n"
    "function Queue() { this.items = []; }\n"
    "Queue.prototype.put = function (n) {\n"
    "  var items = this.items, i = items.length;\n"
    "  items.push(n);\n"
    "  while (i > 0) {\n"
    "    var up = (i - 1) >> 1;\n"
    "    if (items[up] <= items[i]) break;\n"
    "    var t = items[up]; items[up] = items[i]; items[i] = t;\n"
    "    i = up;\n"
    "  }\n"
    "};\n"
    "function counter() { var n = 0; return function () { return ++n; }; }\n"
    "function round() {\n"
    "  var i, queue = new Queue(), count = counter(), list = [];\n"
    "  for (i = 0; i < 500; i++) queue.put(random(10000));\n"
    "  for (i = 0; i < 500; i += 50) add(queue.items[i]);\n"
    "  for (i = 0; i < 100; i++)\n"
    "    list.push({ name: 'f' + random(50), calls: random(1000),\n"
    "                lines: [count(), count()] });\n"
    "  list.sort(function (a, b) { return a.calls - b.calls; });\n"
    "  var text = JSON.stringify(list);\n"
    "  var back = JSON.parse(text);\n"
    "  for (i = 0; i < back.length; i++) add(back[i].calls + "
    "back[i].lines[1]);\n"
    "  var names = text.match(/\"f[0-9]+\"/g);\n"
    "  add(names.length);\n"
    "  add(text.replace(/(\\d+),(\\d+)/g, '$2,$1').length);\n"
    "  for (i = 0; i < 50; i++) {\n"
    "    try { if (i % 5 == 0) throw new Error('e' + i); add(i); }\n"
    "    catch (e) { add(e.message.length); }\n"
    "  }\n"
    "  var table = {};\n"
    "  names.forEach(function (n) { table[n] = (table[n] || 0) + 1; });\n"
    "  for (var key in table) add(table[key] * key.length);\n"
    "}\n";

static void print_check(js_State *js) {
  printf("checksum %.0f\n", js_tonumber(js, 1));
  js_pushundefined(js);
}

int main(int argc, char **argv) {
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  js_State *const js = js_newstate(NULL, NULL, 0);
  int failed;

  if (!js)
    return 1;
  js_newcfunction(js, print_check, "print", 1);
  js_setglobal(js, "print");
  failed = js_dostring(js, script);
  for (int i = 0; !failed && i < scale; i++)
    failed = js_dostring(js, "round();");
  if (failed || js_dostring(js, "print(check);"))
    return 1;
  js_freestate(js);
  return 0;
}
