/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic workload for cmark: Markdown of all kinds becomes HTML.
 *
 *   cmark_workload [SCALE]    SCALE documents of 128 KiB
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmark.h"
#include "made_data.h"

enum { DOCUMENT_BYTES = 128 * 1024, LINE_BYTES = 256 };

static const char *const lines[] = {
    "# A heading of number %u\n\n",
    "Some *stressed* text, **strongly** even, with `code %u` in it.\n",
    "- an item with a [link](https://example.org/%u \"title\")\n",
    "  1. an item in an item, &amp; <b>bold</b> number %u\n",
    "> quoted: a line that ends with a break %u  \n",
    "\n",
    "    indented(code, %u);\n",
    "![picture][ref%u] and <https://example.org> and \\* escaped\n\n",
    "```c\nint fenced = %u;\n```\n",
    "* * *\n",
};
enum { N_LINES = sizeof(lines) / sizeof(*lines) };

static size_t make_markdown(char *out, uint32_t *random) {
  size_t n = 0;

  while (n + LINE_BYTES < DOCUMENT_BYTES) {
    const char *const line = lines[next_random(random, N_LINES)];
    const unsigned number = next_random(random, 1000);
    n += (size_t)snprintf(out + n, LINE_BYTES, line, number);
  }
  return n;
}

int main(int argc, char **argv) {
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  static char text[DOCUMENT_BYTES];
  uint32_t random = 20261124;
  uint64_t check = 0, n_bytes = 0;

  for (int i = 0; i < scale; i++) {
    const size_t n = make_markdown(text, &random);
    char *const html =
        cmark_markdown_to_html(text, n, CMARK_OPT_SMART | CMARK_OPT_UNSAFE);
    for (const char *c = html; *c; c++, n_bytes++)
      check = check * 31 + (unsigned char)*c;
    free(html);
  }
  printf("%llu bytes, checksum %016llx\n", (unsigned long long)n_bytes,
         (unsigned long long)check);
  return 0;
}
