/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic libxml2 workload: documents become trees, are searched by
 * XPath, and written again.
 *
 *   libxml2_workload [SCALE]    SCALE documents of 256 KiB
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <libxml/parser.h>
#include <libxml/xpath.h>

#include "made_data.h"

enum { DOCUMENT_BYTES = 256 * 1024 };

static uint64_t search(xmlDocPtr tree, const char *path) {
  xmlXPathContextPtr context = xmlXPathNewContext(tree);
  xmlXPathObjectPtr found =
      xmlXPathEvalExpression((const xmlChar *)path, context);
  const uint64_t n =
      found && found->nodesetval ? (uint64_t)found->nodesetval->nodeNr : 0;

  xmlXPathFreeObject(found);
  xmlXPathFreeContext(context);
  return n;
}

int main(int argc, char **argv) {
  static const char *const paths[] = {"//arc[@id > 500]", "//block/line",
                                      "//time[contains(., '7')]/@of",
                                      "/all/*[position() mod 2 = 0]"};
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  char *const document = malloc(DOCUMENT_BYTES);
  uint64_t n_found = 0, check = 0;
  uint32_t random = 20261122;

  for (int i = 0; document && i < scale; i++) {
    const size_t n = make_document(document, DOCUMENT_BYTES, &random);
    xmlDocPtr tree = xmlReadMemory(document, (int)n, "made.xml", NULL, 0);
    if (!tree) {
      fprintf(stderr, "libxml2_workload: no tree\n");
      return 1;
    }
    for (size_t j = 0; j < sizeof(paths) / sizeof(*paths); j++)
      n_found += search(tree, paths[j]);
    xmlChar *text;
    int n_text;
    xmlDocDumpFormatMemory(tree, &text, &n_text, 1);
    for (int j = 0; j < n_text; j += 16)
      check = check * 31 + text[j];
    xmlFree(text);
    xmlFreeDoc(tree);
  }
  xmlCleanupParser();
  free(document);
  printf("%llu nodes found, checksum %016llx\n", (unsigned long long)n_found,
         (unsigned long long)check);
  return 0;
}
