/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** wrapper/target.c: machines of triples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "wrapper/target.h"

static void test_own_machine(void **state) {
  (void)state;
  assert_string_equal(target_machine(NULL, NULL), target_own_machine());
  assert_string_equal(target_machine(NULL, "-m64"), target_own_machine());
  assert_null(target_machine(NULL, "-m32"));
}

static void test_triples(void **state) {
  (void)state;
  static const struct {
    const char *triple, *width, *machine;
  } rows[] = {
      {"x86_64-linux-gnu", NULL, "x86_64"},
      {"x86_64-pc-linux-musl", "-m64", "x86_64"},
      {"amd64-linux-gnu", NULL, "x86_64"},
      {"i686-linux-gnu", "-m64", "x86_64"},
      {"aarch64-linux-gnu", NULL, "aarch64"},
      {"arm64-unknown-linux-gnu", NULL, "aarch64"},
      {"riscv64-linux-gnu", NULL, "riscv64"},
      {"riscv64gc-unknown-linux-gnu", NULL, "riscv64"},
      {"i686-linux-gnu", NULL, NULL},
      {"x86_64-linux-gnu", "-m32", NULL},
      {"x86_64-linux-gnu", "-mx32", NULL},
      {"x86_64-linux-gnu", "-m16", NULL},
      {"x86_64-linux-gnux32", NULL, NULL},
      {"aarch64-linux-gnu_ilp32", NULL, NULL},
      {"aarch64_be-linux-gnu", NULL, NULL},
      {"arm-linux-gnueabihf", NULL, NULL},
      {"riscv32-linux-gnu", NULL, NULL},
      {"x86_64-w64-mingw32", NULL, NULL},
      {"x86_64", NULL, NULL},
      {"bpf", NULL, NULL},
      {"", NULL, NULL},
  };

  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
    const char *const machine = target_machine(rows[i].triple, rows[i].width);
    if (!rows[i].machine)
      assert_null(machine);
    else
      assert_string_equal(machine, rows[i].machine);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_own_machine),
      cmocka_unit_test(test_triples),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
