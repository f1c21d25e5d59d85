/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic workload for HTML Tidy: pages with mistakes are cleaned up.
 *
 *   tidy_workload [SCALE]    SCALE pages of 64 KiB
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "made_data.h"
#include "tidy.h"
#include "tidybuffio.h"

enum { PAGE_BYTES = 64 * 1024, LINE_BYTES = 256 };

static const char *const lines[] = {
    "<p>A paragraph %u that nobody ends, with <b>bold <i>and</b> crossed</i>\n",
    "<ul><li>item %u<li>another &amp; <a href=here>one</a></ul>\n",
    "<table><tr><td>cell %u<td align=right>cell</tr></table>\n",
    "<h2>Heading %u</h2><!-- a comment -->\n",
    "<div class='x' id=i%u><font color=red>old</font><br></div>\n",
    "<pre>  kept   as\n it is %u</pre>\n",
};
enum { N_LINES = sizeof(lines) / sizeof(*lines) };

static void make_page(char *out, uint32_t *random) {
  size_t n = (size_t)sprintf(out, "<title>Made</title>\n");

  while (n + LINE_BYTES < PAGE_BYTES) {
    const char *const line = lines[next_random(random, N_LINES)];
    n += (size_t)sprintf(out + n, line, next_random(random, 1000));
  }
}

int main(int argc, char **argv) {
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  static char page[PAGE_BYTES];
  uint32_t random = 20261124;
  uint64_t check = 0;

  for (int i = 0; i < scale; i++) {
    TidyBuffer clean = {0}, said = {0};
    TidyDoc document = tidyCreate();
    make_page(page, &random);
    tidySetErrorBuffer(document, &said);
    tidyOptSetBool(document, TidyXhtmlOut, yes);
    tidyOptSetBool(document, TidyForceOutput, yes);
    if (tidyParseString(document, page) < 0 ||
        tidyCleanAndRepair(document) < 0 ||
        tidySaveBuffer(document, &clean) < 0)
      return 1;
    for (unsigned j = 0; j < clean.size; j++)
      check = check * 31 + clean.bp[j];
    tidyBufFree(&clean);
    tidyBufFree(&said);
    tidyRelease(document);
  }
  printf("checksum %016llx\n", (unsigned long long)check);
  return 0;
}
