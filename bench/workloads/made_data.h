/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Generates input for the workloads: the same in every build, and new in every
 * round. */
#ifndef ARCLINE_BENCH_MADE_DATA_H
#define ARCLINE_BENCH_MADE_DATA_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static inline uint32_t next_random(uint32_t *random, uint32_t limit) {
  *random = *random * 1664525u + 1013904223u;
  return (*random >> 8) % limit;
}

/** A document of nested elements with attributes, text and entities; returns
 * its bytes. */
static inline size_t make_document(char *out, size_t room, uint32_t *random) {
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
    const uint32_t id = next_random(random, 1000);
    const uint32_t of = next_random(random, 10);
    n += (size_t)snprintf(out + n, room - n,
                          "<%s id=\"%u\" of='a&lt;%u'>text %u &amp; more",
                          names[name], id, of, next_random(random, 100000));
    stack[depth++] = name;
  }
  while (depth)
    n += (size_t)snprintf(out + n, room - n, "</%s>", names[stack[--depth]]);
  return n + (size_t)snprintf(out + n, room - n, "</all>");
}

/** Half text, half little-endian numbers that grow slowly. */
static inline void make_data(uint8_t *data, size_t bytes, uint32_t *random) {
  static const char *const words[] = {
      "arc ",    "basic block ", "counter ", "edge ", "histogram bin ",
      "symbol ", "self time ",   "cycle ",   "\n",    "spanning tree "};
  uint32_t number = 0;
  size_t i = 0;

  while (i < bytes / 2) {
    const char *word = words[next_random(random, 10)];
    for (; *word && i < bytes / 2; word++)
      data[i++] = (uint8_t)*word;
  }
  for (; i < bytes; i += sizeof(number)) {
    number += next_random(random, 100);
    memcpy(data + i, &number, sizeof(number));
  }
}

#endif
