/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic Expat workload: documents are parsed in pieces.
 *
 *   expat_workload [SCALE]    SCALE documents of 1 MiB
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "expat.h"
#include "made_data.h"

enum { DOCUMENT_BYTES = 1 << 20, PIECE_BYTES = 4096 };

struct sums {
  uint64_t n_elements, n_bytes, check;
};

static void add(struct sums *sums, const char *text, size_t n) {
  for (size_t i = 0; i < n; i++)
    sums->check = sums->check * 31 + (unsigned char)text[i];
}

static void on_start(void *context, const XML_Char *name,
                     const XML_Char **attributes) {
  struct sums *sums = context;

  sums->n_elements++;
  add(sums, name, 2);
  for (; *attributes; attributes++)
    add(sums, *attributes, 1);
}

static void on_end(void *context, const XML_Char *name) {
  add(context, name, 1);
}

static void on_text(void *context, const XML_Char *text, int n) {
  struct sums *sums = context;

  sums->n_bytes += (uint64_t)n;
  add(sums, text, (size_t)n);
}

int main(int argc, char **argv) {
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  char *const document = malloc(DOCUMENT_BYTES);
  struct sums sums = {0};
  uint32_t random = 20261122;

  for (int i = 0; document && i < scale; i++) {
    const size_t n = make_document(document, DOCUMENT_BYTES, &random);
    XML_Parser parser = XML_ParserCreate(NULL);
    XML_SetUserData(parser, &sums);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    for (size_t at = 0; at < n; at += PIECE_BYTES) {
      const size_t left = n - at;
      const size_t piece = left < PIECE_BYTES ? left : PIECE_BYTES;
      if (!XML_Parse(parser, document + at, (int)piece, piece == left)) {
        fprintf(stderr, "expat_workload: %s\n",
                XML_ErrorString(XML_GetErrorCode(parser)));
        return 1;
      }
    }
    XML_ParserFree(parser);
  }
  free(document);
  printf("%llu elements, %llu bytes of text, checksum %016llx\n",
         (unsigned long long)sums.n_elements, (unsigned long long)sums.n_bytes,
         (unsigned long long)sums.check);
  return 0;
}
