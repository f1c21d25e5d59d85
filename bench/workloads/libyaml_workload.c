/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic workload for LibYAML: documents are parsed, and their events
 * are written again.
 *
 *   libyaml_workload [SCALE]    SCALE documents of 64 KiB
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "made_data.h"
#include "yaml.h"

enum { DOCUMENT_BYTES = 64 * 1024, ENTRY_BYTES = 512 };

static size_t make_yaml(char *out, uint32_t *random) {
  size_t n = (size_t)sprintf(out, "# made\nprofiles:\n");

  while (n + ENTRY_BYTES < DOCUMENT_BYTES) {
    const unsigned id = next_random(random, 1000);
    const unsigned calls = next_random(random, 100000);
    const unsigned errors = next_random(random, 10);
    const unsigned line = next_random(random, 5000);
    n += (size_t)sprintf(
        out + n,
        "  - name: &n%u \"function\\t%u\"\n    calls: [%u, %u, ~]\n"
        "    where: {file: 'it''s %u.c', line: %u}\n    text: |\n"
        "      a block of text\n      of lines\n    same: *n%u\n",
        id, id, calls, errors, id, line, id);
  }
  return n;
}

static int count_bytes(void *sum, unsigned char *bytes, size_t n) {
  for (size_t i = 0; i < n; i++)
    *(uint64_t *)sum = *(uint64_t *)sum * 31 + bytes[i];
  return 1;
}

int main(int argc, char **argv) {
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  static char text[DOCUMENT_BYTES];
  uint32_t random = 20261124;
  uint64_t check = 0;

  for (int i = 0; i < scale; i++) {
    const size_t n = make_yaml(text, &random);
    yaml_parser_t parser;
    yaml_emitter_t emitter;
    yaml_event_t event;
    int is_end = 0;
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, (unsigned char *)text, n);
    yaml_emitter_initialize(&emitter);
    yaml_emitter_set_output(&emitter, count_bytes, &check);
    while (!is_end) {
      if (!yaml_parser_parse(&parser, &event))
        return 1;
      is_end = event.type == YAML_STREAM_END_EVENT;
      if (!yaml_emitter_emit(&emitter, &event))
        return 1;
    }
    yaml_parser_delete(&parser);
    yaml_emitter_delete(&emitter);
  }
  printf("checksum %016llx\n", (unsigned long long)check);
  return 0;
}
