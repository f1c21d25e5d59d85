/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Defines constant data as the pass would emit it, in the test program itself,
 * which reads its own image, or a copy with a few bytes changed.
 */
#ifndef MADE_DATA_H
#define MADE_DATA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "counts/flow_read.h"
#include "image/image.h"
#include "solve/flow.h"

/*
 * Function "f" of /src/lib/dir/f.c:10, with the graph
 *
 *   EXIT -> 0 entry     0 -> 1 branch, counter 0   0 -> 2 branch
 *   1 -> 2 jump         2 -> EXIT exit, counter 1
 *
 * lines {10, 11} {12} {13, and 5 of /src/lib/../inc/h.h, 6}, a choice on line
 * 11, column 7 of f.c, code of lines 12 and 9 in node 1, calls of "g" on line
 * 12 and of an unknown function on line 14; and "g", also known as "f", which
 * has a single node and no debug information.
 *
 * The body of f has cells 0 to 2 and a copy of f, which are edges 0 and 1, and
 * one of g, which is edge 2. The body of a function without a record has cells
 * 3 and 4, a copy of g and one of f, and the plan
 *
 *   1 -> EXIT   0 -> 1, cell 0   0 -> 1   EXIT -> 0, cell 1
 *
 * with g's counter being the first edge, f's counter 0 the second one twice,
 * and f's counter 1 the last one, and the third one not at all.
 */
__asm__(
    ".pushsection __arcline_cnts,\"aw\",@progbits\n"
    ".p2align 3\n"
    "test_cells: .quad 0, 0, 0, 0, 0\n"
    ".popsection\n"
    ".pushsection __arcline_data,\"a\",@progbits\n"
    ".p2align 2\n"
    "9: .long 2, 20f - ., 21f - .\n"
    ".ascii \"<graph>\"\n"
    "1: .uleb128 1, 3, 5, 0\n"
    ".uleb128 (1<<5)|3, (1<<5)|16|8|1, (3<<5)|1, (1<<5)|16, 16|8|4\n"
    ".uleb128 2, 1,3, 2,0\n"
    "2: .ascii \"<strings>\"\n"
    "3: .asciz \"\", \"f\", \"g\"\n"
    "4: .ascii \"<alias>\"\n"
    "5: .uleb128 3, 1, 2, 1,1, (1<<5)|8|3, 16|4, 0\n"
    "6:\n"
    ".popsection\n"
    ".pushsection __arcline_plan,\"a\",@progbits\n"
    ".ascii \"<body-0>\"\n"
    "7: .uleb128 1, 2,0,1, 0\n"
    "8: .ascii \"<plan>\"\n"
    "70: .uleb128 0, 2,1,0, 72f - 71f\n"
    "71: .uleb128 2, 4, 2<<1,0, (2<<1)|1,3, 3<<1,3, (1<<1)|1,2\n"
    ".uleb128 1, 0\n"
    ".uleb128 3, 5, (2<<2)|3, 1, 3,0, 0\n"
    "72:\n"
    ".popsection\n"
    ".pushsection __arcline_line,\"\",@progbits\n"
    ".ascii \"<mfiles>\"\n"
    ".quad 0\n"
    ".long 41f - 40f\n"
    "40: .asciz \"\", \"/src/lib/dir/f.c\", \"/src/lib/../inc/h.h\"\n"
    "41: .ascii \"<func-1><mfiles>\"\n"
    ".long 41f - 40f\n"
    "40: .uleb128 1, 10, 4,1, 8,1\n"
    ".uleb128 2<<1, 0<<1, 2<<1, 1<<1, 2<<1, 3<<1, 2<<1, (15<<1)|1,18, 2<<1\n"
    ".uleb128 (10<<1)|1,1,7, 1, 2<<1, 2<<1, 5<<1\n"
    "41: .ascii \"<func-2><mfiles>\"\n"
    ".long 41f - 40f\n"
    "40: .uleb128 0, 0, 0\n"
    "41:\n"
    ".popsection\n"
    ".pushsection __arcline_func,\"a\",@progbits\n"
    ".p2align 3\n"
    "20: .ascii \"<func-1>\"\n"
    ".long 1b - .\n"
    ".long 2b - 1b\n"
    ".long 3b - .\n"
    ".long 4b - 3b\n"
    ".long 2\n"
    ".short 9, 0\n"
    "21: .ascii \"<func-2>\"\n"
    ".long 5b - .\n"
    ".long 6b - 5b\n"
    ".long 3b - .\n"
    ".long 4b - 3b\n"
    ".long 1\n"
    ".short 9, 0\n"
    ".popsection\n"
    ".pushsection __arcline_body,\"a\",@progbits\n"
    ".p2align 2\n"
    "30: .long 0\n"
    ".long 9b - .\n"
    ".long test_cells - .\n"
    ".long 3\n"
    ".long 7b - .\n"
    ".long 8b - 7b\n"
    "31: .long 0\n"
    ".long 9b - .\n"
    ".long test_cells + 24 - .\n"
    ".long 2\n"
    ".long 70b - .\n"
    ".long 72b - 70b\n"
    ".popsection\n");

/* A copy of this program with some bytes changed. */
struct copy {
  char path[64];
  uint8_t *bytes;
  size_t n_bytes;
};

static inline void copy_begin(struct copy *copy) {
  FILE *file = fopen("/proc/self/exe", "rb");

  assert_non_null(file);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  copy->n_bytes = (size_t)ftell(file);
  copy->bytes = malloc(copy->n_bytes);
  assert_non_null(copy->bytes);
  rewind(file);
  assert_int_equal(fread(copy->bytes, 1, copy->n_bytes, file), copy->n_bytes);
  fclose(file);
}

/* Find a mark; it is composed here so that it occurs only once. */
static inline uint8_t *find(const struct copy *copy, const char *name) {
  char mark[32];

  snprintf(mark, sizeof(mark), "<%s>", name);
  uint8_t *at = memmem(copy->bytes, copy->n_bytes, mark, strlen(mark));
  assert_non_null(at);
  return at;
}

static inline uint8_t *graph_of(const struct copy *copy) {
  return find(copy, "graph") + strlen("<graph>");
}

static inline void copy_end(struct copy *copy) {
  strcpy(copy->path, "/tmp/test_flow_data.XXXXXX");
  const int fd = mkstemp(copy->path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, copy->bytes, copy->n_bytes),
                   (ssize_t)copy->n_bytes);
  close(fd);
  free(copy->bytes);
}

static inline int read_image(struct flow_data *flow, const struct image *image,
                             struct err *err) {
  return flow_read_begin(flow, image, err) != 0 ||
                 flow_read_graphs(flow, image, err) != 0
             ? -1
             : 0;
}

static inline void open_self(struct image *image, struct flow_data *flow) {
  struct err err = {0};

  if (image_open("/proc/self/exe", image, &err) != 0 ||
      read_image(flow, image, &err) != 0)
    fail_msg("%s", err.text);
}

/* Link-time address of the cells. */
static inline uint64_t cells_vaddr(const struct image *image) {
  struct image_section section;

  assert_true(image_find_section(image, ARCLINE_SECTION_CELLS, &section));
  return section.vaddr;
}

#endif
