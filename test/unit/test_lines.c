/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Debug lines of files without any: errors and absence. Files that have some
   are for test/lit/analyzer, which has compilers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "debug/line_files.h"
#include "debug/lines.h"

static void write_file(char *path, const void *bytes, size_t n_bytes) {
  int fd = mkstemp(path);

  assert_true(fd >= 0);
  assert_int_equal(write(fd, bytes, n_bytes), n_bytes);
  close(fd);
}

static void missing_file_is_an_error(void **state) {
  struct lines *lines;
  struct err err = {0};

  (void)state;
  assert_int_equal(lines_open("/nonexistent/file", 0, NULL, &lines, &err), -1);
  assert_null(lines);
  assert_int_equal(err.code, ERR_INPUT);
  assert_string_equal(
      err.text, "/nonexistent/file: cannot open: No such file or directory");
  lines_close(NULL);
}

static void text_is_not_elf(void **state) {
  char path[] = "/tmp/arcline-lines-XXXXXX";
  struct lines *lines;
  struct err err = {0};

  (void)state;
  write_file(path, "no program", 10);
  assert_int_equal(lines_open(path, LINES_GNU, NULL, &lines, &err), -1);
  assert_null(lines);
  assert_non_null(strstr(err.text, "not an ELF file"));
  unlink(path);
}

static void no_debug_information_is_absence(void **state) {
  const Elf64_Ehdr header = {
      .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
                  EV_CURRENT},
      .e_type = ET_EXEC,
      .e_machine = EM_X86_64,
      .e_version = EV_CURRENT,
      .e_ehsize = sizeof(header),
  };
  char path[] = "/tmp/arcline-lines-XXXXXX";
  struct lines *lines;
  struct lines_breaks breaks;
  struct line_pos pos = {.line = 7};
  struct err err = {0};

  (void)state;
  write_file(path, &header, sizeof(header));
  assert_int_equal(lines_open(path, 0, NULL, &lines, &err), 0);
  assert_false(lines_has_debug(lines));
  assert_false(lines_find(lines, 0x1000, &pos));
  assert_int_equal(pos.i_file, LINES_NO_FILE);
  assert_int_equal(pos.line, 0);
  assert_null(pos.func);
  assert_int_equal(lines_n_files(lines), 0);
  // The range itself is one stretch without an answer.
  assert_int_equal(lines_breaks_find(lines, 0x1000, 0x2000, &breaks, &err), 0);
  assert_int_equal(breaks.n_vaddrs, 1);
  assert_int_equal(breaks.vaddrs[0], 0x1000);
  lines_breaks_release(&breaks);
  assert_int_equal(lines_breaks_find(lines, 0x2000, 0x1000, &breaks, &err), 0);
  assert_int_equal(breaks.n_vaddrs, 0);
  lines_breaks_release(&breaks);
  lines_close(lines);
  unlink(path);
}

static void file_names_are_kept_once(void **state) {
  struct line_files files = {0};
  char name[32];

  (void)state;
  for (int round = 0; round < 2; round++)
    for (uint32_t i = 0; i < 1000; i++) {
      snprintf(name, sizeof(name), "/src/file%u.c", i);
      assert_int_equal(line_files_add(&files, strdup(name)), i);
    }
  assert_int_equal(files.n_names, 1000);
  assert_string_equal(files.names[999], "/src/file999.c");
  assert_int_equal(line_files_add(&files, NULL), UINT32_MAX);
  line_files_release(&files);
  assert_null(files.names);
  assert_null(files.slots);
  assert_int_equal(files.n_names, 0);
}

static void file_maps_begin_unknown(void **state) {
  (void)state;
  for (uint32_t n_files = 0; n_files < 4; n_files++) {
    const struct line_table table = {.n_files = n_files};
    uint32_t *const map = line_files_make_map(&table);

    assert_non_null(map);
    for (uint32_t i = 0; i < n_files + 2; i++)
      assert_int_equal(map[i], UINT32_MAX);
    free(map);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(file_maps_begin_unknown),
      cmocka_unit_test(missing_file_is_an_error),
      cmocka_unit_test(text_is_not_elf),
      cmocka_unit_test(no_debug_information_is_absence),
      cmocka_unit_test(file_names_are_kept_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
