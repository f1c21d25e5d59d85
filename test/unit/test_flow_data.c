/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Reading flow graphs out of an ELF file. This program carries two functions'
 * constant data itself, as the pass would have left it, and reads its own
 * image, or a copy with a few bytes changed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <link.h>

#include <cmocka.h>

#include "arcline/flow.h"
#include "base/err.h"
#include "counts/flow_data.h"
#include "image/image.h"

/*
 * Function "f" of dir/f.c:10, in /src/lib, with the graph
 *
 *   EXIT -> 0 entry     0 -> 1 branch, counter 0   0 -> 2 branch
 *   1 -> 2 jump         2 -> EXIT exit, counter 1
 *
 * lines {10, 11} {12} {13, and 5 of ../inc/h.h, 6}, calls of "g" on line 12
 * and of an unknown function on line 14; and "g", also known as "f", which has
 * a single node and no debug information.
 *
 * The body of f has cells 0 to 2 and a copy of f, which are edges 0 and 1, and
 * one of g, which is edge 2. The body of a function without a record has cells
 * 3 and 4, a copy of g and one of f, and the plan
 *
 *   EXIT -> 0, cell 1   0 -> 1, cell 0   0 -> 1   1 -> EXIT
 *
 * with g's counter being edge 3, f's counter 0 edge 1 twice, and f's counter 1
 * edge 1 and edge 2.
 */
__asm__(".pushsection __arcline_cnts,\"aw\",@progbits\n"
        ".p2align 3\n"
        "test_cells: .quad 0, 0, 0, 0, 0\n"
        ".popsection\n"
        ".pushsection __arcline_data,\"a\",@progbits\n"
        ".ascii \"<graph>\"\n"
        "1: .uleb128 1, 3, 10, 11, 3, 5\n"
        ".uleb128 0, 3,0,3, 0,1,(1<<4)|1, 0,2,1, 1,2,0, 2,3,(2<<4)|4\n"
        ".uleb128 2, 1,4,3,31, 2,8,3,0\n"
        ".uleb128 2, 0<<1, 2<<1, 1, 2<<1, 3, 2<<1, (15<<1)|1,20, 2<<1\n"
        "2: .ascii \"<strings>\"\n"
        "3: .asciz \"\", \"f\", \"dir/f.c\", \"/src/lib\"\n"
        ".asciz \"../inc/h.h\", \"g\"\n"
        "4: .ascii \"<alias>\"\n"
        "5: .uleb128 31, 0, 0, 0, 1, 2,  1,1,  1,0,(1<<4)|3, 0,1,4,  0,  0\n"
        "6: .ascii \"<plan>\"\n"
        "7: .uleb128 2, 4,  2,0,2<<4, 0,1,1<<4, 0,1,0, 1,2,0\n"
        "8: .ascii \"<terms>\"\n"
        "9: .uleb128 0,3,1\n"
        "10: .uleb128 0,1,2, 1,1,1, 0,2,1\n"
        "11:\n"
        ".popsection\n"
        ".pushsection __arcline_func,\"a\",@progbits\n"
        ".p2align 3\n"
        "20: .ascii \"<func-1>\"\n"
        ".long 1b - .\n"
        ".long 2b - 1b\n"
        ".long 3b - .\n"
        ".long 4b - 3b\n"
        ".long 2\n"
        ".short 4, 0\n"
        "21: .ascii \"<func-2>\"\n"
        ".long 5b - .\n"
        ".long 6b - 5b\n"
        ".long 3b - .\n"
        ".long 4b - 3b\n"
        ".long 1\n"
        ".short 4, 0\n"
        ".popsection\n"
        ".pushsection __arcline_body,\"a\",@progbits\n"
        ".p2align 2\n"
        "30: .long 0\n"
        ".long 20b - .\n"
        ".long test_cells - .\n"
        ".long 3, 0, 0\n"
        "31: .long 0\n"
        ".long 0\n"
        ".long test_cells + 24 - .\n"
        ".long 2\n"
        ".long 7b - .\n"
        ".long 8b - 7b\n"
        ".popsection\n"
        ".pushsection __arcline_copy,\"a\",@progbits\n"
        ".p2align 2\n"
        ".long 30b - .\n"
        ".long 20b - .\n"
        ".long 0, 0, 0\n"
        ".long 30b - .\n"
        ".long 21b - .\n"
        ".long 0, 0, 2\n"
        ".long 31b - .\n"
        ".long 21b - .\n"
        ".long 9b - .\n"
        ".long 10b - 9b, 0\n"
        ".long 31b - .\n"
        ".long 20b - .\n"
        ".long 10b - .\n"
        ".long 11b - 10b, 0\n"
        ".popsection\n");

/* A copy of this program with some bytes changed. */
struct copy {
  char path[64];
  uint8_t *bytes;
  size_t n_bytes;
};

static void copy_begin(struct copy *copy) {
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

/* Find a mark; it is put together here so that it is found once only. */
static uint8_t *find(const struct copy *copy, const char *name) {
  char mark[32];

  snprintf(mark, sizeof(mark), "<%s>", name);
  uint8_t *at = memmem(copy->bytes, copy->n_bytes, mark, strlen(mark));
  assert_non_null(at);
  return at;
}

static uint8_t *graph_of(const struct copy *copy) {
  return find(copy, "graph") + strlen("<graph>");
}

static void copy_end(struct copy *copy) {
  strcpy(copy->path, "/tmp/test_flow_data.XXXXXX");
  const int fd = mkstemp(copy->path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, copy->bytes, copy->n_bytes),
                   (ssize_t)copy->n_bytes);
  close(fd);
  free(copy->bytes);
}

/* Read a copy, which must fail, and compare the end of the message. */
static void check_damage(struct copy *copy, const char *expected) {
  struct image image;
  struct flow_data flow = {0};
  struct err err = {0};

  copy_end(copy);
  assert_int_equal(image_open(copy->path, &image, &err), 0);
  assert_int_equal(flow_data_add(&flow, &image, &err), -1);
  assert_int_equal(err.code, ERR_INPUT);
  if (!strstr(err.text, expected))
    fail_msg("unexpected message: %s", err.text);
  flow_data_release(&flow);
  image_close(&image);
  unlink(copy->path);
}

static void open_self(struct image *image, struct flow_data *flow) {
  struct err err = {0};

  if (image_open("/proc/self/exe", image, &err) != 0 ||
      flow_data_add(flow, image, &err) != 0)
    fail_msg("%s", err.text);
}

/* Link-time address of the cells. */
static uint64_t cells_vaddr(const struct image *image) {
  struct image_section section;

  assert_true(image_find_section(image, ARCLINE_SECTION_CELLS, &section));
  return section.vaddr;
}

static void test_what_is_read(void **state) {
  struct image image;
  struct flow_data flow = {0};

  (void)state;
  open_self(&image, &flow);
  assert_int_equal(flow.n_funcs, 2);
  const struct flow_func *f = &flow.funcs[0];
  assert_string_equal(f->name, "f");
  assert_string_equal(flow.files.names[f->pos.i_file], "/src/lib/dir/f.c");
  assert_int_equal(f->pos.line, 10);
  assert_int_equal(f->n_nodes, 3);
  assert_int_equal(f->n_edges, 5);
  assert_int_equal(f->n_counters, 2);
  static const uint32_t lines[] = {10, 11, 12, 13, 5, 6};
  assert_int_equal(flow.n_lines, 6);
  for (size_t i = 0; i < 6; i++)
    assert_int_equal(flow.lines[i].line, lines[i]);
  assert_int_equal(flow.nodes[0].n_lines, 2);
  assert_int_equal(flow.nodes[2].first_line, 3);
  assert_int_equal(flow.lines[3].i_file, f->pos.i_file);
  assert_string_equal(flow.files.names[flow.lines[5].i_file], "/src/inc/h.h");
  assert_int_equal(f->n_calls, 2);
  assert_int_equal(flow.calls[0].node, 1);
  assert_int_equal(flow.calls[0].pos.line, 12);
  assert_string_equal(flow.calls[0].callee, "g");
  assert_string_equal(flow.calls[1].callee, "");
  assert_int_equal(flow.calls[1].pos.line, 14);
  const struct flow_func *g = &flow.funcs[1];
  assert_string_equal(g->name, "g");
  assert_string_equal(flow.files.names[g->pos.i_file], "");
  assert_int_equal(g->first_node, 3);
  flow_data_release(&flow);
  image_close(&image);
}

static void test_counts(void **state) {
  struct image image;
  struct flow_data flow = {0};

  (void)state;
  open_self(&image, &flow);
  const uint64_t base = cells_vaddr(&image);
  assert_false(flow.images[0].has_counts);
  assert_true(flow_data_count(&flow, 0, base, 3));
  assert_true(flow_data_count(&flow, 0, base + 8, UINT32_MAX));
  assert_true(
      flow_data_count(&flow, 0, base + 8, 5)); // too large for one record
  assert_true(flow_data_count(&flow, 0, base + 16, 9));
  assert_true(flow.images[0].has_counts);
  // Addresses that are no cells: between two, before and behind all.
  assert_false(flow_data_count(&flow, 0, base + 4, 1));
  assert_false(flow_data_count(&flow, 0, base - 8, 1));
  assert_false(flow_data_count(&flow, 0, base + 40, 1));
  assert_false(flow_data_count(&flow, 0, 0, 1));
  flow_data_solve(&flow);
  const uint64_t total = (uint64_t)UINT32_MAX + 5;
  assert_int_equal(flow.funcs[0].n_entries, total);
  assert_int_equal(flow.nodes[0].count, total);
  assert_int_equal(flow.nodes[1].count, 3);
  assert_int_equal(flow.nodes[2].count, total);
  assert_int_equal(flow.edges[2].count, total - 3); // 0 -> 2
  assert_int_equal(flow.calls[0].count, 3);
  assert_int_equal(flow.calls[1].count, total);
  assert_int_equal(flow.funcs[1].n_entries, 9);
  flow_data_release(&flow);
  image_close(&image);
}

static void test_copies_add_up(void **state) {
  static const uint64_t cells[] = {3, 10, 9, 100, 1000};
  struct image image;
  struct flow_data flow = {0};

  (void)state;
  open_self(&image, &flow);
  const uint64_t base = cells_vaddr(&image);
  for (size_t i = 0; i < 5; i++)
    flow_data_count(&flow, 0, base + 8 * i, cells[i]);
  flow_data_solve(&flow);
  assert_int_equal(flow.nodes[1].count, 3 + 2 * 100);
  assert_int_equal(flow.funcs[0].n_entries, 10 + 100 + 900);
  assert_int_equal(flow.funcs[1].n_entries, 9 + 1000);
  flow_data_count(&flow, 0, base + 8, 1);
  flow_data_solve(&flow); // again, from the beginning
  assert_int_equal(flow.funcs[0].n_entries, 11 + 100 + 900);
  flow_data_release(&flow);
  image_close(&image);
}

static void test_images_are_told_apart(void **state) {
  struct image image, other;
  struct flow_data flow = {0};
  struct err err = {0};

  (void)state;
  open_self(&image, &flow);
  assert_int_equal(image_open("/proc/self/exe", &other, &err), 0);
  assert_int_equal(flow_data_add(&flow, &other, &err), 0);
  const uint64_t base = cells_vaddr(&image);
  assert_int_equal(flow.n_images, 2);
  assert_int_equal(flow.images[1].first_func, 2);
  assert_int_equal(flow.n_funcs, 4);
  assert_int_equal(flow.funcs[0].pos.i_file, flow.funcs[2].pos.i_file);
  flow_data_count(&flow, 0, base + 8, 3);
  flow_data_count(&flow, 1, base + 8, 4);
  flow_data_count(&flow, 1, base + 16, 5);
  flow_data_solve(&flow);
  assert_int_equal(flow.funcs[0].n_entries, 3);
  assert_int_equal(flow.funcs[1].n_entries, 0);
  assert_int_equal(flow.funcs[2].n_entries, 4);
  assert_int_equal(flow.funcs[3].n_entries, 5);
  flow_data_release(&flow);
  image_close(&other);
  image_close(&image);
}

static void test_negative_count_is_0(void **state) {
  struct image image;
  struct flow_data flow = {0};

  (void)state;
  open_self(&image, &flow);
  const uint64_t base = cells_vaddr(&image);
  flow_data_count(&flow, 0, base, 5); // of which only 3 left the function
  flow_data_count(&flow, 0, base + 8, 3);
  flow_data_solve(&flow);
  assert_int_equal(flow.edges[2].count, 0);
  assert_int_equal(flow.nodes[1].count, 5);
  flow_data_release(&flow);
  image_close(&image);
}

static void test_image_without_data(void **state) {
  struct image image;
  struct flow_data flow = {0};
  struct err err = {0};

  (void)state;
  assert_int_equal(image_open("/bin/sh", &image, &err), 0);
  assert_int_equal(flow_data_add(&flow, &image, &err), 0);
  assert_int_equal(flow.n_funcs, 0);
  assert_false(flow_data_count(&flow, 0, 0x1000, 1));
  flow_data_release(&flow);
  image_close(&image);
}

static void test_damaged_records(void **state) {
  static const struct {
    size_t off; // in the record
    uint32_t value;
    const char *message;
  } cases[] = {
      {offsetof(struct arcline_func, version), 77, "record 0 has version 77"},
      {offsetof(struct arcline_func, version), 2 << 16, "has version 0"},
      {offsetof(struct arcline_func, graph), 0x7fffffff,
       "its graph lies outside of the section"},
      {offsetof(struct arcline_func, graph_bytes), 0xffffffff,
       "its graph lies outside of the section"},
      {offsetof(struct arcline_func, graph_bytes), 20, "cut short"},
      {offsetof(struct arcline_func, strings), 0x80000000,
       "its strings lie outside of the section"},
      {offsetof(struct arcline_func, strings_bytes), 0x1000000,
       "its strings lie outside of the section"},
      {offsetof(struct arcline_func, strings_bytes), 0,
       "its strings do not end"},
      {offsetof(struct arcline_func, strings_bytes), 2,
       "its strings do not end"},
      {offsetof(struct arcline_func, n_counters), 1, "an edge is cut short"},
      {offsetof(struct arcline_func, n_counters), 6,
       "more counters than edges"},
  };
  struct copy copy;

  (void)state;
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    copy_begin(&copy);
    memcpy(find(&copy, "func-1") + cases[i].off, &cases[i].value, 4);
    check_damage(&copy, cases[i].message);
  }
}

/* Find the contents of a section. */
static uint8_t *find_section(const struct copy *copy, const char *name) {
  struct image image;
  struct image_section section;
  struct err err = {0};

  assert_int_equal(image_open("/proc/self/exe", &image, &err), 0);
  assert_true(image_find_section(&image, name, &section));
  uint8_t *at =
      memmem(copy->bytes, copy->n_bytes, section.bytes, section.n_bytes);
  assert_non_null(at);
  image_close(&image);
  return at;
}

#define BODY(i, field)                                                         \
  ARCLINE_SECTION_BODIES,                                                      \
      (i) * sizeof(struct arcline_body) + offsetof(struct arcline_body, field)
#define COPY(i, field)                                                         \
  ARCLINE_SECTION_COPIES,                                                      \
      (i) * sizeof(struct arcline_copy) + offsetof(struct arcline_copy, field)

static void test_damaged_bodies_and_copies(void **state) {
  static const struct {
    const char *section;
    size_t off;
    uint32_t value;
    const char *message;
  } cases[] = {
      {BODY(0, func), 4, "body record 0 is damaged: it belongs to no function"},
      {BODY(1, func), 0x7fffffff, "body record 1 is damaged: it belongs to no"},
      {BODY(0, cells), 0, "its cells lie outside of the section"},
      {BODY(0, n_cells), 6, "its cells lie outside of the section"},
      {BODY(1, n_cells), UINT32_MAX, "its cells lie outside of the section"},
      {BODY(0, n_cells), 4, "its cells overlap those of another one"},
      {BODY(0, n_cells), 2, "its edges lie outside of the plan"},
      {BODY(1, n_cells), 1, "its plan is cut short, out of range"},
      {BODY(1, plan), 0x7fffffff, "its plan lies outside of the section"},
      {BODY(1, plan_bytes), UINT32_MAX, "its plan lies outside of the section"},
      {BODY(1, plan_bytes), 2, "the head of its plan is wrong"},
      {BODY(1, plan_bytes), 13, "its plan is cut short"},
      {BODY(1, plan_bytes), 0, "its terms are cut short or out of range"},
      {COPY(0, body), 0, "copy record 0 is damaged: it lies in no body"},
      {COPY(0, func), 0, "copy record 0 is damaged: it belongs to no function"},
      {COPY(0, first_edge), 2, "its edges lie outside of the plan"},
      {COPY(0, first_edge), UINT32_MAX, "its edges lie outside of the plan"},
      {COPY(3, terms), 0x80000000, "list of terms lies outside of the section"},
      {COPY(3, terms_bytes), UINT32_MAX, "lies outside of the section"},
      {COPY(3, terms_bytes), 8, "its terms are cut short or out of range"},
  };
  struct copy copy;

  (void)state;
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    copy_begin(&copy);
    uint8_t *section = find_section(&copy, cases[i].section);
    memcpy(section + cases[i].off, &cases[i].value, 4);
    check_damage(&copy, cases[i].message);
  }
}

/* Headers may say that cells are not in the file, and how many there are. */
static void test_cells_out_of_nothing(void **state) {
  struct copy copy;
  struct image image;
  struct image_section cells;
  struct err err = {0};
  ElfW(Ehdr) ehdr;

  (void)state;
  assert_int_equal(image_open("/proc/self/exe", &image, &err), 0);
  assert_true(image_find_section(&image, ARCLINE_SECTION_CELLS, &cells));
  copy_begin(&copy);
  memcpy(&ehdr, copy.bytes, sizeof(ehdr));
  for (size_t i = 0; i < ehdr.e_shnum; i++) {
    uint8_t *at = copy.bytes + ehdr.e_shoff + i * sizeof(ElfW(Shdr));
    ElfW(Shdr) shdr;
    memcpy(&shdr, at, sizeof(shdr));
    if (shdr.sh_addr != cells.vaddr || shdr.sh_size != cells.size_bytes)
      continue;
    shdr.sh_type = SHT_NOBITS;
    shdr.sh_size = 1 << 29;
    memcpy(at, &shdr, sizeof(shdr));
  }
  image_close(&image);
  check_damage(&copy, "it claims 536870912 bytes that are not in the file");
}

static void test_overlapping_copies_are_refused(void **state) {
  const size_t off = offsetof(struct arcline_copy, func);
  const size_t n = sizeof(struct arcline_copy);
  struct copy copy;
  arcline_rel32 distance;
  const uint32_t first_edge = 1;

  (void)state;
  copy_begin(&copy);
  uint8_t *section = find_section(&copy, ARCLINE_SECTION_COPIES);
  memcpy(&distance, section + off, 4); // f, which has two counters, again
  distance -= (arcline_rel32)n;
  memcpy(section + n + off, &distance, 4);
  memcpy(section + n + offsetof(struct arcline_copy, first_edge), &first_edge,
         4);
  check_damage(&copy, "copy record 1 is damaged: its edges overlap");
}

static void test_damaged_plans_and_terms(void **state) {
  static const struct {
    const char *mark;
    size_t off;
    uint8_t value;
    const char *message;
  } cases[] = {
      {"plan", 0, 127, "the head of its plan is wrong"},
      {"plan", 1, 127, "the head of its plan is wrong"},
      {"plan", 2, 3, "its plan is cut short, out of range or has too few"},
      {"plan", 4, 3 << 4, "its plan is cut short, out of range or has too few"},
      {"plan", 7, 0, "its plan is cut short, out of range or has too few"},
      {"terms", 0, 1, "copy record 2 is damaged: its terms are cut short"},
      {"terms", 1, 4, "copy record 2 is damaged: its terms are cut short"},
      {"terms", 2, 0x80, "copy record 2 is damaged: its terms are cut short"},
      {"terms", 9, 2, "copy record 3 is damaged: its terms are cut short"},
      {"alias", 6, 120, "function record 1 is damaged: its aliases are cut"},
      {"alias", 7, 120, "an alias lies outside of its strings"},
  };
  struct copy copy;

  (void)state;
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    copy_begin(&copy);
    find(&copy, cases[i].mark)[strlen(cases[i].mark) + 2 + cases[i].off] =
        cases[i].value;
    check_damage(&copy, cases[i].message);
  }
}

static void test_damaged_graphs(void **state) {
  static const struct {
    size_t off; // in the graph
    uint8_t value;
    const char *message;
  } cases[] = {
      {0, 120, "its name lies outside of its strings"},
      {1, 120, "a file name lies outside of its strings"},
      {3, 120, "its name lies outside of its strings"},
      {4, 0, "the head of its graph is wrong"},
      {4, 127, "the head of its graph is wrong"},
      {5, 127, "the head of its graph is wrong"},
      {6, 120, "its aliases are cut short"},
      {7, 4, "an edge is cut short or out of range"},
      {12, 1, "do not determine all counts"}, // 0 -> 1 without a counter
      {22, 120, "its call sites are cut short"},
      {23, 3, "a call site is cut short or out of range"},
      {24, 0x7f, "a call site is cut short or out of range"},
      {26, 120, "a call site is cut short or out of range"},
      {31, 120, "the lines of a node are cut short"},
      {32, 0x7a, "a line number is out of range"},
      {39, 120, "a file name lies outside of its strings"},
  };
  struct copy copy;

  (void)state;
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    copy_begin(&copy);
    graph_of(&copy)[cases[i].off] = cases[i].value;
    check_damage(&copy, cases[i].message);
  }
}

static void test_shared_graph_is_refused(void **state) {
  struct copy copy;
  uint32_t distance;

  (void)state;
  copy_begin(&copy);
  uint8_t *first = find(&copy, "func-1"), *second = find(&copy, "func-2");
  // The whole section, twice.
  memcpy(&distance, first + offsetof(struct arcline_func, graph), 4);
  distance -= (uint32_t)(second - first);
  memcpy(second + offsetof(struct arcline_func, graph), &distance, 4);
  memcpy(second + offsetof(struct arcline_func, graph_bytes),
         first + offsetof(struct arcline_func, graph_bytes), 4);
  memcpy(second + offsetof(struct arcline_func, n_counters),
         first + offsetof(struct arcline_func, n_counters), 4);
  uint32_t n_bytes = 90;
  memcpy(first + offsetof(struct arcline_func, graph_bytes), &n_bytes, 4);
  memcpy(second + offsetof(struct arcline_func, graph_bytes), &n_bytes, 4);
  check_damage(&copy, "its graph overlaps another one");
}

/* Read a copy; the result or a message is all that can come of it. */
static void check_any(struct copy *copy) {
  struct image image;
  struct flow_data flow = {0};
  struct err err = {0};

  copy_end(copy);
  assert_int_equal(image_open(copy->path, &image, &err), 0);
  if (flow_data_add(&flow, &image, &err) == 0) {
    assert_int_equal(flow.n_funcs, 2);
    for (size_t i = 0; i < 5; i++)
      flow_data_count(&flow, 0, cells_vaddr(&image) + 8 * i, UINT64_MAX - i);
    flow_data_solve(&flow);
  } else {
    assert_true(err.text[0] != '\0');
  }
  flow_data_release(&flow);
  image_close(&image);
  unlink(copy->path);
}

/* Whatever one byte says, reading ends. */
static void test_any_byte(void **state) {
  static const struct {
    const char *name;
    size_t n_bytes;
  } sections[] = {
      {ARCLINE_SECTION_DATA, 150},
      {ARCLINE_SECTION_FUNCS, 2 * sizeof(struct arcline_func)},
      {ARCLINE_SECTION_BODIES, 2 * sizeof(struct arcline_body)},
      {ARCLINE_SECTION_COPIES, 4 * sizeof(struct arcline_copy)},
  };
  struct copy copy;

  (void)state;
  for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
    for (size_t off = 0; off < sections[i].n_bytes; off++)
      for (unsigned bit = 0; bit < 8; bit += 7) {
        copy_begin(&copy);
        find_section(&copy, sections[i].name)[off] ^= (uint8_t)(1u << bit);
        check_any(&copy);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_what_is_read),
      cmocka_unit_test(test_counts),
      cmocka_unit_test(test_copies_add_up),
      cmocka_unit_test(test_images_are_told_apart),
      cmocka_unit_test(test_negative_count_is_0),
      cmocka_unit_test(test_image_without_data),
      cmocka_unit_test(test_damaged_records),
      cmocka_unit_test(test_damaged_bodies_and_copies),
      cmocka_unit_test(test_cells_out_of_nothing),
      cmocka_unit_test(test_overlapping_copies_are_refused),
      cmocka_unit_test(test_damaged_plans_and_terms),
      cmocka_unit_test(test_damaged_graphs),
      cmocka_unit_test(test_shared_graph_is_refused),
      cmocka_unit_test(test_any_byte),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
