/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Constant data that is damaged: reported for code that has run, without other
   effects. */
#include <link.h>

#include "made_data.h"

#include "arcline/name_hash.h"

enum { N_CELLS = 5 };

/* Read a copy and count, which must fail, and compare the end of the message.
 */
static void check_damage(struct copy *copy, const char *expected) {
  struct image image;
  struct flow_data flow = {0};
  struct err err = {0};

  copy_end(copy);
  assert_int_equal(image_open(copy->path, &image, &err), 0);
  int rc = read_image(&flow, &image, &err);
  for (size_t i = 0; rc == 0 && i < N_CELLS; i++)
    flow_data_count(&flow, 0, cells_vaddr(&image) + 8 * i, 1);
  if (rc == 0)
    rc = flow_data_solve(&flow, &err);
  assert_int_equal(rc, -1);
  assert_int_equal(err.code, ERR_INPUT);
  if (!strstr(err.text, expected))
    fail_msg("unexpected message: %s", err.text);
  flow_data_release(&flow);
  image_close(&image);
  unlink(copy->path);
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

static void test_damaged_records(void **state) {
  static const struct {
    size_t off; // in the record
    uint32_t value;
    const char *message;
  } cases[] = {
      {offsetof(struct arcline_func, version), 77, "record 0 has version 77"},
      {offsetof(struct arcline_func, version), 2 << 16, "has version 0"},
      {offsetof(struct arcline_func, graph), 0x7fffffff,
       "graph is outside of the section"},
      {offsetof(struct arcline_func, graph_bytes), 0xffffffff,
       "graph is outside of the section"},
      {offsetof(struct arcline_func, graph_bytes), 12, "truncated"},
      {offsetof(struct arcline_func, strings), 0x80000000,
       "strings are outside of the section"},
      {offsetof(struct arcline_func, strings_bytes), 0x1000000,
       "strings are outside of the section"},
      {offsetof(struct arcline_func, strings_bytes), 0,
       "strings are not terminated"},
      {offsetof(struct arcline_func, strings_bytes), 2,
       "strings are not terminated"},
      {offsetof(struct arcline_func, n_counters), 1, "edge is truncated"},
      {offsetof(struct arcline_func, n_counters), 11, "too many counters"},
  };
  struct copy copy;

  (void)state;
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    copy_begin(&copy);
    memcpy(find(&copy, "func-1") + cases[i].off, &cases[i].value, 4);
    check_damage(&copy, cases[i].message);
  }
}

#define BODY(i, field)                                                         \
  (i) * sizeof(struct arcline_body) + offsetof(struct arcline_body, field)
static void test_damaged_bodies(void **state) {
  static const struct {
    size_t off;
    uint32_t value;
    const char *message;
  } cases[] = {
      {BODY(0, unit), 4, "body record 0 is corrupt: belongs to no function"},
      {BODY(1, unit), 0x7fffffff, "body record 1 is corrupt: has a copy of no"},
      {BODY(0, cells), 0, "cells are outside of the section"},
      {BODY(0, n_cells), 6, "cells are outside of the section"},
      {BODY(1, n_cells), UINT32_MAX, "cells are outside of the section"},
      {BODY(0, n_cells), 4, "cells overlap those of another record"},
      {BODY(0, n_cells), 2, "edges are outside of the plan"},
      {BODY(1, n_cells), 1, "plan is truncated, out of range"},
      {BODY(1, data), 0x7fffffff, "data is outside of the section"},
      {BODY(1, data_bytes), UINT32_MAX, "data is outside of the section"},
      {BODY(1, data_bytes), 4, "data is truncated"},
  };
  struct copy copy;

  (void)state;
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    copy_begin(&copy);
    uint8_t *section = find_section(&copy, ARCLINE_SECTION_BODIES);
    memcpy(section + cases[i].off, &cases[i].value, 4);
    check_damage(&copy, cases[i].message);
  }
}

/* Headers may declare that cells are not in the file, and their number. */
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
  check_damage(&copy, "536870912 bytes of it are not in the file");
}

/* Functions that have not run are not checked. */
static void test_damage_of_what_has_not_run(void **state) {
  struct copy copy;
  struct image image;
  struct flow_data flow = {0};
  struct err err = {0};

  (void)state;
  copy_begin(&copy);
  find(&copy, "plan")[strlen("<plan>") + 5] = 127; // nodes
  copy_end(&copy);
  assert_int_equal(image_open(copy.path, &image, &err), 0);
  assert_int_equal(read_image(&flow, &image, &err), 0);
  flow_data_count(&flow, 0, cells_vaddr(&image) + 8, 7); // of body 0
  assert_int_equal(flow_data_solve(&flow, &err), 0);
  assert_int_equal(flow.funcs[0].n_entries, 7);
  flow_data_count(&flow, 0, cells_vaddr(&image) + 24, 1); // of body 1
  assert_int_equal(flow_data_solve(&flow, &err), -1);
  flow_data_release(&flow);
  image_close(&image);
  unlink(copy.path);
}

static void test_damaged_plans_and_terms(void **state) {
  static const struct {
    const char *mark;
    size_t off;
    uint8_t value;
    const char *message;
  } cases[] = {
      {"plan", 5, 127, "bad header of the plan"},
      {"plan", 6, 127, "bad header of the plan"},
      {"plan", 7, 12, "plan is truncated, out of range or has too few"},
      {"plan", 9, 4, "plan is truncated, out of range or has too few"},
      {"plan", 14, 4, "plan is truncated, out of range or has too few"},
      {"plan", 15, 2, "body record 1 is corrupt: terms are truncated"},
      {"plan", 15, 5, "body record 1 is corrupt: edges are outside"},
      {"plan", 16, 100, "body record 1 is corrupt: edges are outside"},
      {"plan", 18, 100, "body record 1 is corrupt: edges are outside"},
      {"plan", 20, 5 << 2 | 1, "body record 1 is corrupt: terms are truncated"},
      {"plan", 23, 4, "body record 1 is corrupt: terms are truncated"},
      {"plan", 23, 1, "body record 1 is corrupt: terms are truncated"},
      {"plan", 1, 127, "body record 1 is corrupt: data is truncated"},
      {"plan", 2, 2, "body record 1 is corrupt: has a copy of no function"},
      {"plan", 4, 127, "body record 1 is corrupt: data is truncated"},
      {"body-0", 0, 3, "body record 0 is corrupt: belongs to no function"},
      {"body-0", 3, 2, "body record 0 is corrupt: has a copy of no function"},
      {"alias", 3, 120, "function record 1 is corrupt: aliases are truncated"},
      {"alias", 4, 120, "alias is outside of the strings"},
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
      {0, 120, "name is outside of the strings"},
      {1, 0, "bad header of the graph"},
      {1, 127, "bad header of the graph"},
      {2, 127, "bad header of the graph"},
      {3, 120, "aliases are truncated"},
      {4, 0x7e, "edge is truncated or out of range"},
      {5, 49, "do not determine all counts"}, // 0 -> 1 without a counter
      {9, 120, "call sites are truncated"},
      {10, 3, "call site is truncated or out of range"},
      {11, 120, "call site is truncated or out of range"},
  };
  struct copy copy;

  (void)state;
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    copy_begin(&copy);
    graph_of(&copy)[cases[i].off] = cases[i].value;
    check_damage(&copy, cases[i].message);
  }
}

/* Lines are after the list of files and the head of their entry. */
static void test_damaged_lines(void **state) {
  enum { FILES = 20, ENTRY = FILES + 38, LINES = ENTRY + 20 };
  static const struct {
    size_t off; // in the section
    uint8_t value;
    const char *message;
  } cases[] = {
      {0, 'x', "lines of a function are missing"},
      {8, 'x', "lines of a function are missing"},
      {16, 0xff, "__arcline_line is corrupt at offset 0"},
      {ENTRY - 1, 'x', "lines of a function are missing"},
      {ENTRY, 'x', "lines of a function are missing"},
      {ENTRY + 8, 'x', "lines of a function are missing"},
      {ENTRY + 16, 200, "__arcline_line is corrupt at offset 58"},
      {LINES, 120, "file name is outside of the list"},
      {LINES + 2, 0x7f, "call site is truncated or out of range"},
      {LINES + 6, 120, "lines of a node are truncated"},
      {LINES + 7, 0x7a, "line number is out of range"},
      {LINES + 14, 120, "file name is outside of the list"},
      {LINES + 16, 0x7b, "line number is out of range"},
      {LINES + 17, 120, "file name is outside of the list"},
      {LINES + 18, 0x80, "lines refer to a node that does not exist"},
      {LINES + 19, 3, "lines refer to a node that does not exist"},
      {LINES + 20, 8, "lines of a node are truncated"},
  };
  struct copy copy;

  (void)state;
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    copy_begin(&copy);
    find_section(&copy, ARCLINE_SECTION_LINES)[cases[i].off] = cases[i].value;
    check_damage(&copy, cases[i].message);
  }
}

/* A shortened name, without its whole name among the lines. */
static void test_missing_names(void **state) {
  struct copy copy;

  (void)state;
  copy_begin(&copy);
  find(&copy, "strings")[strlen("<strings>") + 1] = ARCLINE_NAME_SHORT;
  check_damage(&copy, "name of a function is missing");
}

/* Two functions of one id. */
static void test_shared_lines_are_refused(void **state) {
  struct copy copy;

  (void)state;
  copy_begin(&copy);
  // g has the graph of f, and its lines.
  uint8_t *first = find(&copy, "func-1"), *second = find(&copy, "func-2");
  uint32_t distance;
  memcpy(&distance, first + offsetof(struct arcline_func, graph), 4);
  distance -= (uint32_t)(second - first);
  memcpy(second + offsetof(struct arcline_func, graph), &distance, 4);
  memcpy(second + offsetof(struct arcline_func, graph_bytes),
         first + offsetof(struct arcline_func, graph_bytes), 4);
  memcpy(second + offsetof(struct arcline_func, n_counters),
         first + offsetof(struct arcline_func, n_counters), 4);
  memcpy(second, first, 8);
  check_damage(&copy, "lines belong to another record, too");
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
  uint32_t n_bytes = 35;
  memcpy(first + offsetof(struct arcline_func, graph_bytes), &n_bytes, 4);
  memcpy(second + offsetof(struct arcline_func, graph_bytes), &n_bytes, 4);
  check_damage(&copy, "graph overlaps another one");
}

/* Read a copy, which must give a result or a message. */
static void check_any(struct copy *copy) {
  struct image image;
  struct flow_data flow = {0};
  struct err err = {0};

  copy_end(copy);
  assert_int_equal(image_open(copy->path, &image, &err), 0);
  int rc = read_image(&flow, &image, &err);
  if (rc == 0) {
    assert_int_equal(flow.n_funcs, 2);
    for (size_t i = 0; i < N_CELLS; i++)
      flow_data_count(&flow, 0, cells_vaddr(&image) + 8 * i, UINT64_MAX - i);
    rc = flow_data_solve(&flow, &err);
  }
  assert_true(rc == 0 || err.text[0] != '\0');
  flow_data_release(&flow);
  image_close(&image);
  unlink(copy->path);
}

/* Whatever the value of one byte is, reading ends. */
static void test_any_byte(void **state) {
  static const struct {
    const char *name;
    size_t n_bytes;
  } sections[] = {
      {ARCLINE_SECTION_DATA, 62},
      {ARCLINE_SECTION_PLANS, 43},
      {ARCLINE_SECTION_LINES, 110},
      {ARCLINE_SECTION_FUNCS, 2 * sizeof(struct arcline_func)},
      {ARCLINE_SECTION_BODIES, 2 * sizeof(struct arcline_body)},
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
      cmocka_unit_test(test_damaged_records),
      cmocka_unit_test(test_damaged_bodies),
      cmocka_unit_test(test_cells_out_of_nothing),
      cmocka_unit_test(test_damage_of_what_has_not_run),
      cmocka_unit_test(test_damaged_plans_and_terms),
      cmocka_unit_test(test_damaged_graphs),
      cmocka_unit_test(test_damaged_lines),
      cmocka_unit_test(test_missing_names),
      cmocka_unit_test(test_shared_lines_are_refused),
      cmocka_unit_test(test_shared_graph_is_refused),
      cmocka_unit_test(test_any_byte),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
