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

enum { DOCUMENT_BYTES = 256 * 1024 };

static uint32_t next_random(uint32_t *random, uint32_t limit) {
  *random = *random * 1664525u + 1013904223u;
  return (*random >> 8) % limit;
}

/* A document of nested elements with attributes, text and entities. */
static size_t make_document(char *out, size_t room, uint32_t *random) {
  static const char *const names[] = {"profile", "arc",  "block", "line",
                                      "symbol",  "time", "cycle"};
  size_t n = 0;
  int depth = 0;
  int stack[64];

  n += (size_t)snprintf(out, room, "<?xml version=\"1.0\"?>\n<all>");
  while (n + 2048 < room) {
    const int name = (int)next_random(random, 7);
    if (depth && (depth == 20 || next_random(random, 2))) {
      n += (size_t)snprintf(out + n, room - n, "</%s>", names[stack[--depth]]);
      continue;
    }
    n += (size_t)snprintf(out + n, room - n,
                          "<%s id=\"%u\" of='a&lt;%u'>text %u &amp; more",
                          names[name], next_random(random, 1000),
                          next_random(random, 10), next_random(random, 100000));
    stack[depth++] = name;
  }
  while (depth)
    n += (size_t)snprintf(out + n, room - n, "</%s>", names[stack[--depth]]);
  return n + (size_t)snprintf(out + n, room - n, "</all>");
}

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
    for (size_t j = 0; j < sizeof paths / sizeof *paths; j++)
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
