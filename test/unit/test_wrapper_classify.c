/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** wrapper/classify.c: the actions of a clang command line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "wrapper/classify.h"

enum {
  COMPILES = 1,
  LINKS = 2,
  DEBUG = 4,
  SANITIZES = 8,
  NO_LIBC = 16,
  NAMES_LIBC = 32,
  NO_PASSES = 64,
  LIBC_FILE = 128,
  KERNEL = 256,
};

struct row {
  const char *line; // arguments, one blank between two
  int expected;
};

/* The words live until the next call. */
static struct job classify_line(const char *line) {
  static char text[256];
  char *args[32];
  size_t n = 0;

  assert_true(strlen(line) < sizeof(text));
  strcpy(text, line);
  for (char *arg = strtok(text, " "); arg; arg = strtok(NULL, " "))
    args[n++] = arg;
  return classify(args, n);
}

static void check_rows(const struct row *rows, size_t n_rows) {
  for (size_t i = 0; i < n_rows; i++) {
    const struct job job = classify_line(rows[i].line);
    const int got = job.compiles * COMPILES | job.links * LINKS |
                    job.has_debug * DEBUG | job.sanitizes * SANITIZES |
                    job.lacks_libc * NO_LIBC | job.names_libc * NAMES_LIBC |
                    job.has_no_passes * NO_PASSES |
                    job.has_libc_file * LIBC_FILE | job.is_kernel_code * KERNEL;
    if (got != rows[i].expected)
      fail_msg("%s: got %d, expected %d", rows[i].line, got, rows[i].expected);
  }
}

#define CHECK(rows) check_rows((rows), sizeof(rows) / sizeof(*(rows)))

static void test_stages(void **state) {
  (void)state;
  static const struct row rows[] = {
      {"a.c", COMPILES | LINKS},
      {"a.c b.o -o prog", COMPILES | LINKS},
      {"-c a.c", COMPILES},
      {"a.c -S", COMPILES},
      {"-emit-llvm -c a.c", COMPILES},
      {"-fsanitize=address,undefined -c a.c", COMPILES | SANITIZES},
      {"-fsanitize-recover=all -c a.c", COMPILES},
      {"a.o b.o -o prog", LINKS},
      {"-shared a.o -o lib.so", LINKS},
      {"a.cpp -MD -MF a.d -c", COMPILES},
      {"-E a.c", 0},
      {"-E -c a.c", 0},
      {"-M a.c", 0},
      {"-MM a.c", 0},
      {"-fsyntax-only a.c", 0},
      {"--precompile a.cppm", 0},
      {"--analyze a.c", 0},
      {"-r a.o b.o -o c.o", 0},
      {"-nostdlib -Wl,-r a.o", NO_LIBC},
      {"-nostdlib a.o", LINKS | NO_LIBC},
      {"-nostdlib a.o -lm -lc", LINKS | NO_LIBC | NAMES_LIBC},
      {"-nostdlib a.o -l c -lcrypt", LINKS | NO_LIBC | NAMES_LIBC},
      {"-nostdlib a.o -lcrypt", LINKS | NO_LIBC},
      {"-nostdlib a.o -Wl,-lc", LINKS | NO_LIBC | NAMES_LIBC},
      {"-nostdlib a.o -Xlinker -lc", LINKS | NO_LIBC | NAMES_LIBC},
      {"-nostdlib a.o lib/libc.a", LINKS | NO_LIBC | LIBC_FILE},
      {"-nostdlib a.o -l:libc.so.6", LINKS | NO_LIBC | LIBC_FILE},
      {"-nostdlib a.o libc/lib.a libcx.a", LINKS | NO_LIBC},
      {"-nostdlib libc.c", COMPILES | LINKS | NO_LIBC},
      {"-nostdlib++ a.o", LINKS},
      {"-ffreestanding -c a.c", COMPILES},
      {"-mno-red-zone -c a.c", COMPILES},
      {"-mno-red-zone -ffreestanding -c a.c", COMPILES | KERNEL},
      {"-ffreestanding -mgeneral-regs-only -c a.c", COMPILES | KERNEL},
      {"-ffreestanding -mno-red-zone -fhosted -c a.c", COMPILES},
      {"-mcmodel=kernel -c a.c", COMPILES | KERNEL},
      {"-Xlinker -r a.o", 0},
      {"-r a.c", COMPILES},
      {"--compile a.c", COMPILES},
      {"-Xclang -disable-llvm-passes -c a.c", COMPILES | NO_PASSES},
      {"-Xclang=-disable-llvm-optzns a.c", COMPILES | LINKS | NO_PASSES},
      {"-Xclang -o -Xclang -disable-llvm-passes -E a.c", NO_PASSES},
      {"-disable-llvm-passes -c a.c", COMPILES},
      {"-mllvm -disable-llvm-passes -c a.c", COMPILES},
  };
  CHECK(rows);
}

static void test_probes(void **state) {
  (void)state;
  static const struct row rows[] = {
      {"", 0},
      {"-v", 0},
      {"--version", 0},
      {"-dumpmachine", 0},
      {"-print-prog-name=ld", 0},
      {"--print-search-dirs", 0},
      {"--help", 0},
      {"-Wl,--version", 0},
      {"-cc1 -emit-obj a.c", 0},
      {"-v a.c", COMPILES | LINKS},
      {"-### a.c", COMPILES | LINKS},
      {"-### -c a.c", COMPILES},
      {"-###", 0},
  };
  CHECK(rows);
}

static void test_inputs(void **state) {
  (void)state;
  static const struct row rows[] = {
      {"a.S", LINKS},
      {"-c a.s", 0},
      {"-c a.c b.s", COMPILES},
      {"-x assembler -c a.c", 0},
      {"-x assembler-with-cpp -c a.c", 0},
      {"-xassembler -c a.c -x none b.c", COMPILES},
      {"-x c -c -", COMPILES},
      {"-x c a.unknown", COMPILES | LINKS},
      {"-x c a.c -x none b.o", COMPILES | LINKS},
      {"-xc++ a", COMPILES | LINKS},
      {"--language=c a", COMPILES | LINKS},
      {"a.h", 0},
      {"-x c++-header a", 0},
      {"a.ll", COMPILES | LINKS},
      {"-c a.bc", COMPILES},
      {"-c a.h.pch -o pch.o", COMPILES},
      {"-c a.h.gch", COMPILES},
      {"-include-pch a.pch -c b.s", 0},
      {"lib.d/archive", LINKS},
      {"dir.c/archive", LINKS},
      {"libx.so.1", LINKS},
      {"-lx", LINKS},
      {"-l x", LINKS},
      {"-Wl,--whole-archive,libx.a", LINKS},
      {"-c -- -odd.c", COMPILES},
      {"-c -- -S", 0},
  };
  CHECK(rows);
}

// The operand of an option is not an input, whatever its form is.
static void test_operands(void **state) {
  (void)state;
  static const struct row rows[] = {
      {"-o a.c", 0},
      {"-o a.c b.o", LINKS},
      {"-include a.c -c b.s", 0},
      {"-MF a.c -MT b.c -MQ c.c -c d.s", 0},
      {"-Xclang a.c -c b.s", 0},
      {"-mllvm a.c -c b.s", 0},
      {"-I a.c -isystem b.c -iquote c.c -c d.s", 0},
      {"-Xarch_host -E -c a.c", COMPILES},
      {"-Xlinker -E a.o", LINKS},
      {"-D g -U g -c a.c", COMPILES},
      {"-x", 0},
  };
  CHECK(rows);
}

static void test_debug_options(void **state) {
  (void)state;
  static const struct row rows[] = {
      {"-c a.c -g", COMPILES | DEBUG},
      {"-c a.c -g0", COMPILES | DEBUG},
      {"-c a.c -ggdb3", COMPILES | DEBUG},
      {"-c a.c -gdwarf-4", COMPILES | DEBUG},
      {"-c a.c -gline-tables-only", COMPILES | DEBUG},
      // These select the form of debug information, but do not request it.
      {"-c a.c -gz", COMPILES},
      {"-c a.c -gsplit-dwarf", COMPILES},
      {"-c a.c -gno-column-info", COMPILES},
      {"-c a.c -grecord-command-line", COMPILES},
      {"-c a.c -o -g", COMPILES},
  };
  CHECK(rows);
}

static void test_dashes(void **state) {
  (void)state;
  assert_int_equal(classify_line("-c a.c").i_dashes, 2);
  assert_int_equal(classify_line("-c -- a.c").i_dashes, 1);
  assert_int_equal(classify_line("-Xclang -- -c a.c").i_dashes, 4);
}

static void test_targets(void **state) {
  (void)state;
  assert_null(classify_line("-c a.c -D -m32").width);
  assert_null(classify_line("-c a.c -D --target=x").target);
  assert_string_equal(classify_line("-m64 -m32 a.c").width, "-m32");
  assert_string_equal(classify_line("-m32 -m64 a.c").width, "-m64");
  assert_string_equal(classify_line("--target=a -target b a.c").target, "b");
  assert_string_equal(classify_line("-target b --target=a a.c").target, "a");
}

static void test_sections(void **state) {
  static const struct {
    const char *line;
    bool drops_sections, has_script;
  } rows[] = {
      {"a.o", false, false},
      {"a.o -Wl,--gc-sections", true, false},
      {"a.o -Wl,-O1,-gc-sections,-z,now", true, false},
      {"a.o -Xlinker --gc-sections", true, false},
      {"a.o -Wl,--gc-sections -Wl,--no-gc-sections", false, false},
      {"a.o -Wl,--no-gc-sections,--gc-sections", true, false},
      {"a.o -Wl,--print-gc-sections", false, false},
      {"a.o -T x.ld", false, true},
      {"a.o -Tx.ld", false, true},
      {"a.o -Wl,-T,x.ld", false, true},
      {"a.o -Wl,-Tx.ld", false, true},
      {"a.o -Wl,--script=x.ld", false, true},
      {"a.o -Xlinker --script -Xlinker x.ld", false, true},
      {"a.o -Wl,--default-script=a-name-of-more-than-32-bytes.ld", false, true},
      {"a.o -Wl,--version-script=x.map", false, false},
      {"a.o -Ttext=0x400000", false, false},
      {"a.o -Ttext 0x400000 -Wl,-Tdata=1,-Ttext-segment=2", false, false},
  };

  (void)state;
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
    const struct job job = classify_line(rows[i].line);
    if (job.drops_sections != rows[i].drops_sections ||
        job.has_script != rows[i].has_script)
      fail_msg("%s: %d %d", rows[i].line, job.drops_sections, job.has_script);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stages),        cmocka_unit_test(test_probes),
      cmocka_unit_test(test_inputs),        cmocka_unit_test(test_operands),
      cmocka_unit_test(test_debug_options), cmocka_unit_test(test_dashes),
      cmocka_unit_test(test_targets),       cmocka_unit_test(test_sections),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
