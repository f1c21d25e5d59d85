/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of code: of this very program, by symbols and without; and of made-up
   images. */
#include "base/err.h"
#include "image/code_extents.h"
#include "image/code_names.h"
#include "image/image.h"
#include "made_image.h"

#include <link.h>
#include <sys/stat.h>

static struct err err;

/** The function that is searched for: large enough for a middle. */
__attribute__((noinline)) static int find_me(int n) {
  int sum = n;
  for (int i = 0; i < n; i++)
    sum = sum * 31 + (sum >> 3);
  return sum;
}

static int note_bias(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  *(uint64_t *)context = info->dlpi_addr;
  return 1; // the executable comes first
}

static uint64_t vaddr_of_find_me(void) {
  uint64_t bias = 0;
  dl_iterate_phdr(note_bias, &bias);
  return (uint64_t)(uintptr_t)&find_me - bias;
}

static void test_symbols_name_code(void **state) {
  struct code_names *names;
  struct code_function function;
  const uint64_t vaddr = vaddr_of_find_me();
  (void)state;
  assert_int_not_equal(find_me(3), 0);
  assert_int_equal(code_names_open("/proc/self/exe", NULL, 0, &names, &err), 0);
  for (uint64_t at = vaddr; at < vaddr + 4; at++) {
    assert_true(code_names_at(names, at, &function));
    assert_string_equal(function.name, "find_me");
    assert_int_equal(function.low, vaddr);
    assert_true(function.high > vaddr + 4);
    assert_false(function.is_stub);
  }
  assert_true(code_names_at(names, function.high - 1, &function));
  assert_string_equal(function.name, "find_me");
  assert_false(code_names_at(names, UINT64_MAX, &function));
  assert_false(code_names_vaddr(names, UINT64_MAX, &(uint64_t){0}));
  code_names_close(names);
}

/* Functions without a size, as assembly has them: one with an unwind entry and
   a label inside, one with neither right after it. */
__asm__(".text\n.type sizeless, %function\n.type label_inside, %function\n"
        ".type sizeless_after, %function\n"
        "sizeless: .cfi_startproc\nnop\nlabel_inside: nop\nret\n"
        ".cfi_endproc\n"
        "sizeless_after: nop\nret\n");
void sizeless(void);
void label_inside(void);
void sizeless_after(void);

static void test_unwind_entries_bound_symbols_without_a_size(void **state) {
  struct code_names *names;
  struct code_function function;
  uint64_t bias = 0;
  (void)state;
  dl_iterate_phdr(note_bias, &bias);
  const uint64_t low = (uint64_t)(uintptr_t)&sizeless - bias;
  const uint64_t high = (uint64_t)(uintptr_t)&sizeless_after - bias;
  assert_int_equal(code_names_open("/proc/self/exe", NULL, 0, &names, &err), 0);
  for (uint64_t vaddr = low; vaddr < high; vaddr++) {
    assert_true(code_names_at(names, vaddr, &function));
    assert_string_equal(function.name, "sizeless");
    assert_int_equal(function.low, low);
    assert_int_equal(function.high, high);
  }
  assert_true(code_names_at(names, high, &function));
  assert_string_equal(function.name, "sizeless_after");
  assert_int_equal(function.low, high);
  code_names_close(names);
}

#ifdef __x86_64__
/** Low and high vaddr of the executable's code. */
static int find_code(struct dl_phdr_info *info, size_t size, void *context) {
  uint64_t *const range = context;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD &&
        info->dlpi_phdr[i].p_flags & PF_X) {
      range[0] = info->dlpi_phdr[i].p_vaddr;
      range[1] = range[0] + info->dlpi_phdr[i].p_memsz;
    }
  return 1;
}

/** Stubs of functions in libelf, which the reader of images calls. */
static void test_stubs_have_the_names_of_what_they_call(void **state) {
  static const char *const expected[] = {"elf_begin@plt", "elf_end@plt",
                                         "gelf_getshdr@plt"};
  size_t n_found[3] = {0};
  struct code_names *names;
  struct code_function function, again;
  uint64_t range[2] = {0}, last_high = 0;
  (void)state;
  dl_iterate_phdr(find_code, range);
  assert_int_equal(code_names_open("/proc/self/exe", NULL, 0, &names, &err), 0);
  for (uint64_t at = range[0]; at < range[1]; at++) {
    if (!code_names_at(names, at, &function))
      continue;
    if (!function.is_stub || function.low < last_high) {
      at = function.high - 1;
      continue;
    }
    last_high = function.high;
    assert_true(code_names_at(names, function.high - 1, &again));
    assert_int_equal(again.low, function.low);
    assert_int_equal(again.high, function.high);
    char *const text = code_names_text(names, &function);
    for (size_t i = 0; i < 3; i++)
      n_found[i] += strcmp(text, expected[i]) == 0;
    free(text);
    at = function.high - 1;
  }
  for (size_t i = 0; i < 3; i++)
    assert_int_equal(n_found[i], 1);
  code_names_close(names);
}
#endif

/** Unwind entries and symbols agree on the end of a function. */
static void test_extents_are_those_of_functions(void **state) {
  struct image image;
  struct code_extents extents;
  struct code_names *names;
  struct code_function function;
  const uint64_t vaddr = vaddr_of_find_me();
  (void)state;
  assert_int_equal(image_open("/proc/self/exe", &image, &err), 0);
  assert_int_equal(code_extents_load(&image, &extents, &err), 0);
  const size_t n = code_extents_count_up_to(&extents, vaddr + 1);
  assert_true(n > 0);
  assert_int_equal(extents.extents[n - 1].low, vaddr);
  assert_int_equal(code_names_open("/proc/self/exe", NULL, 0, &names, &err), 0);
  assert_true(code_names_at(names, vaddr, &function));
  assert_int_equal(extents.extents[n - 1].high, function.high);
  for (size_t i = 1; i < extents.n_extents; i++)
    assert_true(extents.extents[i - 1].low < extents.extents[i].low);
  assert_int_equal(code_extents_count_up_to(&extents, 0), 0);
  code_names_close(names);
  code_extents_release(&extents);
  image_close(&image);
}

static void assert_text(const struct code_names *names, uint64_t vaddr,
                        const char *expected) {
  struct code_function function;
  assert_true(code_names_at(names, vaddr, &function));
  char *const text = code_names_text(names, &function);
  assert_non_null(text);
  assert_string_equal(text, expected);
  free(text);
}

static void test_versions_are_left_out(void **state) {
  static const struct made_symbol symbols[] = {
      {"first@@V_2", 0x1100, 0},
      {"@odd", 0x1200, MADE_LOCAL},
      {"offered", 0x1300, MADE_OFFERED},
  };
  struct code_names *names;
  uint64_t vaddr;
  (void)state;
  made_image("made.so", "12345678", 8, symbols, 3);
  assert_int_equal(
      code_names_open("made.so", (const uint8_t *)"12345678", 8, &names, &err),
      0);
  assert_text(names, 0x1100, "first");
  assert_text(names, 0x11ff, "first");
  assert_text(names, 0x1200, "@odd");
  assert_text(names, MADE_TEXT_HIGH - 1, "offered");
  assert_text(names, MADE_TEXT_LOW + 5, "made.so+0x1000");
  assert_true(code_names_offered(names, "offered", &vaddr));
  assert_int_equal(vaddr, 0x1300);
  assert_false(code_names_offered(names, "@odd", &vaddr));
  code_names_close(names);
}

/** Symbols without a size: code belongs to the last one before it, from the
 * last known end to the next beginning. */
static void test_gaps_are_of_the_symbol_before(void **state) {
  static const struct made_symbol symbols[] = {
      {"first", 0x1100, 0}, {"f", 0x1200, MADE_LOCAL}, {"last", 0x1300, 0}};
  struct code_names *names;
  struct code_function function;
  (void)state;
  made_image("made.so", "12345678", 8, symbols, 3);
  assert_int_equal(mkdir("folder", 0700), 0);
  assert_int_equal(rename("made.so", "folder/made.so"), 0);
  assert_int_equal(code_names_open("folder/made.so", NULL, 0, &names, &err), 0);
  assert_text(names, MADE_TEXT_LOW, "made.so+0x1000");
  assert_true(code_names_at(names, 0x1108, &function));
  assert_string_equal(function.name, "first");
  assert_int_equal(function.low, 0x1100);
  assert_int_equal(function.high, 0x1200);
  assert_true(code_names_at(names, 0x1208, &function));
  assert_string_equal(function.name, "f");
  assert_int_equal(function.low, 0x1200);
  assert_int_equal(function.high, 0x1300);
  assert_text(names, 0x1208, "f");
  assert_true(code_names_at(names, 0x1300, &function));
  assert_string_equal(function.name, "last");
  assert_int_equal(function.high, MADE_TEXT_HIGH);
  assert_false(code_names_at(names, MADE_TEXT_HIGH, &function));
  assert_false(code_names_at(names, MADE_TEXT_LOW - 1, &function));
  code_names_close(names);
}

static void test_without_symbols_code_has_places(void **state) {
  struct code_names *names;
  (void)state;
  made_image("made.so", "12345678", 8, NULL, 0);
  assert_int_equal(code_names_open("made.so", NULL, 0, &names, &err), 0);
  assert_int_equal(err.code, ERR_NONE);
  assert_text(names, MADE_TEXT_LOW + 5, "made.so+0x1000");
  code_names_close(names);
}

static void test_another_build_is_refused(void **state) {
  struct code_names *names;
  (void)state;
  made_image("made.so", "12345678", 8, NULL, 0);
  assert_int_equal(
      code_names_open("made.so", (const uint8_t *)"12345679", 8, &names, &err),
      -1);
  assert_null(names);
  assert_non_null(strstr(err.text, "build ID differs"));
  assert_int_equal(code_names_open("none.so", NULL, 0, &names, &err), -1);
  code_names_close(names);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_symbols_name_code),
      cmocka_unit_test(test_unwind_entries_bound_symbols_without_a_size),
#ifdef __x86_64__
      cmocka_unit_test(test_stubs_have_the_names_of_what_they_call),
#endif
      cmocka_unit_test(test_extents_are_those_of_functions),
      cmocka_unit_test_setup_teardown(test_versions_are_left_out, scratch_enter,
                                      scratch_leave),
      cmocka_unit_test_setup_teardown(test_gaps_are_of_the_symbol_before,
                                      scratch_enter, scratch_leave),
      cmocka_unit_test_setup_teardown(test_without_symbols_code_has_places,
                                      scratch_enter, scratch_leave),
      cmocka_unit_test_setup_teardown(test_another_build_is_refused,
                                      scratch_enter, scratch_leave),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
