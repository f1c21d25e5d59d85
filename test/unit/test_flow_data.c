/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reading flow graphs out of an ELF file, and their counts. */
#include "made_data.h"

static void solve(struct flow_data *flow) {
  struct err err = {0};

  if (flow_data_solve(flow, &err) != 0)
    fail_msg("%s", err.text);
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
  static const uint32_t lines[] = {10, 11, 12, 13, 5, 6, 12, 9};
  assert_int_equal(flow.n_lines, 8);
  for (size_t i = 0; i < 8; i++)
    assert_int_equal(flow.lines[i].line, lines[i]);
  assert_int_equal(flow.nodes[0].n_lines, 2);
  assert_int_equal(flow.nodes[2].first_line, 3);
  assert_int_equal(flow.nodes[2].first_code_line, 3);
  assert_int_equal(flow.nodes[2].n_code_lines, 3);
  assert_int_equal(flow.nodes[1].n_lines, 1);
  assert_int_equal(flow.nodes[1].first_code_line, 6);
  assert_int_equal(flow.nodes[1].n_code_lines, 2);
  assert_int_equal(flow.lines[7].i_file, f->pos.i_file);
  assert_int_equal(flow.lines[3].i_file, f->pos.i_file);
  assert_string_equal(flow.files.names[flow.lines[5].i_file], "/src/inc/h.h");
  assert_int_equal(flow.n_choices, 1);
  assert_int_equal(flow.choices[0].pos.line, 11);
  assert_int_equal(flow.choices[0].pos.i_file, f->pos.i_file);
  assert_int_equal(flow.choices[0].column, 7);
  assert_int_equal(flow.choices[0].n_ways, 2);
  assert_int_equal(flow.choices[0].first_edge, f->first_edge + 1);
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
  // Addresses that are not cells: between two, before and after all.
  assert_false(flow_data_count(&flow, 0, base + 4, 1));
  assert_false(flow_data_count(&flow, 0, base - 8, 1));
  assert_false(flow_data_count(&flow, 0, base + 40, 1));
  assert_false(flow_data_count(&flow, 0, 0, 1));
  solve(&flow);
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
  solve(&flow);
  assert_int_equal(flow.nodes[1].count, 3 + 2 * 100);
  assert_int_equal(flow.funcs[0].n_entries, 10 + 100 + 900);
  assert_int_equal(flow.funcs[1].n_entries, 9 + 1000);
  flow_data_count(&flow, 0, base + 8, 1);
  solve(&flow); // again, from the beginning
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
  assert_int_equal(read_image(&flow, &other, &err), 0);
  const uint64_t base = cells_vaddr(&image);
  assert_int_equal(flow.n_images, 2);
  assert_int_equal(flow.images[1].first_func, 2);
  assert_int_equal(flow.n_funcs, 4);
  assert_int_equal(flow.funcs[0].pos.i_file, flow.funcs[2].pos.i_file);
  flow_data_count(&flow, 0, base + 8, 3);
  flow_data_count(&flow, 1, base + 8, 4);
  flow_data_count(&flow, 1, base + 16, 5);
  solve(&flow);
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
  solve(&flow);
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
  assert_int_equal(read_image(&flow, &image, &err), 0);
  assert_int_equal(flow.n_funcs, 0);
  assert_false(flow_data_count(&flow, 0, 0x1000, 1));
  flow_data_release(&flow);
  image_close(&image);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_what_is_read),
      cmocka_unit_test(test_counts),
      cmocka_unit_test(test_copies_add_up),
      cmocka_unit_test(test_images_are_told_apart),
      cmocka_unit_test(test_negative_count_is_0),
      cmocka_unit_test(test_image_without_data),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
