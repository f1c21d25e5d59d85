/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Branches in pieces of code, written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>

#include "image/disassemble.h"
#include "image/image.h"

enum { MAX_BRANCHES = 16 };

struct branches {
  struct branch found[MAX_BRANCHES];
  size_t n;
};

static int keep(void *context, const struct branch *branch) {
  struct branches *const branches = context;

  assert_true(branches->n < MAX_BRANCHES);
  branches->found[branches->n++] = *branch;
  return 0;
}

static int stop_here(void *context, const struct branch *branch) {
  (void)branch;
  ++*(int *)context;
  return 7;
}

static struct branches find(uint16_t machine, const uint8_t *bytes,
                            size_t n_bytes, uint64_t vaddr) {
  const struct image image = {.machine = machine};
  struct branches branches = {.n = 0};

  assert_int_equal(
      disassemble_branches(&image, bytes, n_bytes, vaddr, keep, &branches), 0);
  return branches;
}

static void assert_branch(const struct branch *branch, uint64_t from_vaddr,
                          uint64_t to_vaddr, bool is_call, bool is_slot) {
  assert_int_equal(branch->from_vaddr, from_vaddr);
  assert_int_equal(branch->to_vaddr, to_vaddr);
  assert_int_equal(branch->is_call, is_call);
  assert_int_equal(branch->is_slot, is_slot);
}

/** call -5; mov $0xe8, %eax; 67 call +0; bnd jmp -2; je +0x100; je +1; nop;
 * ud2; int3 */
static const uint8_t x86_code[] = {
    0xe8, 0xf6, 0xff, 0xff, 0xff, 0xb8, 0xe8, 0x00, 0x00, 0x00, 0x67,
    0xe8, 0x00, 0x00, 0x00, 0x00, 0xf2, 0xeb, 0xfe, 0x0f, 0x84, 0x00,
    0x01, 0x00, 0x00, 0x74, 0x01, 0x90, 0x0f, 0x0b, 0xcc,
};

static void direct_branches_of_x86(void **state) {
  const struct branches found =
      find(EM_X86_64, x86_code, sizeof(x86_code), 0x1000);

  (void)state;
  assert_int_equal(found.n, 5);
  assert_branch(&found.found[0], 0x1000, 0xffb, true, false);
  assert_branch(&found.found[1], 0x100a, 0x1010, true, false);
  assert_branch(&found.found[2], 0x1010, 0x1011, false, false);
  assert_branch(&found.found[3], 0x1013, 0x1119, false, false);
  assert_branch(&found.found[4], 0x1019, 0x101c, false, false);
}

static void addresses_of_i386_wrap(void **state) {
  static const uint8_t code[] = {0xe8, 0x00, 0xf0, 0xff, 0xff};
  const struct branches found = find(EM_386, code, sizeof(code), 0x100);

  (void)state;
  assert_int_equal(found.n, 1);
  assert_branch(&found.found[0], 0x100, 0xfffff105, true, false);
}

/** Through memory: relative to the next instruction, or absolute on i386. */
static void slots_of_x86(void **state) {
  static const uint8_t code[] = {0xff, 0x15, 0x10, 0x00, 0x00, 0x00,
                                 0xff, 0x25, 0xf0, 0xff, 0xff, 0xff,
                                 0xff, 0x10, 0xff, 0xd0};
  struct branches found = find(EM_X86_64, code, sizeof(code), 0x2000);

  (void)state;
  assert_int_equal(found.n, 2);
  assert_branch(&found.found[0], 0x2000, 0x2016, true, true);
  assert_branch(&found.found[1], 0x2006, 0x1ffc, false, true);
  found = find(EM_386, code, sizeof(code), 0x2000);
  assert_int_equal(found.n, 2);
  assert_branch(&found.found[0], 0x2000, 0x10, true, true);
  assert_branch(&found.found[1], 0x2006, 0xfffffff0, false, true);
}

/** A truncated instruction is not listed. */
static void code_that_is_cut_off(void **state) {
  (void)state;
  for (size_t n = 0; n <= sizeof(x86_code); n++)
    find(EM_X86_64, x86_code, n, 0);
  assert_int_equal(find(EM_X86_64, x86_code, 4, 0).n, 0);
  assert_int_equal(find(EM_X86_64, x86_code, 5, 0).n, 1);
  assert_int_equal(find(EM_AARCH64, x86_code, 3, 0).n, 0);
}

static void branches_of_aarch64(void **state) {
  // bl .+8; b .-4; b.eq .; bl .-0x8000000
  static const uint8_t code[] = {0x02, 0x00, 0x00, 0x94, 0xff, 0xff,
                                 0xff, 0x17, 0x00, 0x00, 0x00, 0x54,
                                 0x00, 0x00, 0x00, 0x96};
  const struct branches found =
      find(EM_AARCH64, code, sizeof(code), 0x10000000);

  (void)state;
  assert_int_equal(found.n, 3);
  assert_branch(&found.found[0], 0x10000000, 0x10000008, true, false);
  assert_branch(&found.found[1], 0x10000004, 0x10000000, false, false);
  assert_branch(&found.found[2], 0x1000000c, 0x800000c, true, false);
}

static void caller_may_stop(void **state) {
  const struct image image = {.machine = EM_X86_64};
  int n = 0;

  (void)state;
  assert_int_equal(disassemble_branches(&image, x86_code, sizeof(x86_code), 0,
                                        stop_here, &n),
                   7);
  assert_int_equal(n, 1);
}

static void calls_before_a_place(void **state) {
  // call .+0x105; call *%rax
  static const uint8_t x64[] = {0x90, 0xe8, 0x00, 0x01, 0x00, 0x00, 0xff, 0xd0};
  // bl .+0x10; b .+0x10
  static const uint8_t a64[] = {0x04, 0x00, 0x00, 0x94, 0x04, 0x00, 0x00, 0x14};
  struct image image = {.machine = EM_X86_64};
  uint64_t to = 0;

  (void)state;
  assert_true(disassemble_call_before(&image, x64, 6, 0x1000, &to));
  assert_int_equal(to, 0x1106);
  assert_false(disassemble_call_before(&image, x64, 5, 0x1000, &to));
  assert_false(disassemble_call_before(&image, x64, 4, 0x1000, &to));
  assert_false(disassemble_call_before(&image, x64, 8, 0x1000, &to));
  assert_false(disassemble_call_before(&image, NULL, 0, 0x1000, &to));
  image.machine = EM_AARCH64;
  assert_true(disassemble_call_before(&image, a64, 4, 0x1000, &to));
  assert_int_equal(to, 0x1010);
  assert_false(disassemble_call_before(&image, a64, 8, 0x1000, &to));
}

static void stubs(void **state) {
  // endbr64; bnd jmp *0x100(%rip)
  static const uint8_t x64[] = {0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff,
                                0x25, 0x00, 0x01, 0x00, 0x00};
  // jmp *0xc(%ebx)
  static const uint8_t i386[] = {0xff, 0xa3, 0x0c, 0x00, 0x00, 0x00};
  // bti c; adrp x16, .-0x1000; ldr x17, [x16, #0x18]
  static const uint8_t a64[] = {0x5f, 0x24, 0x03, 0xd5, 0xf0, 0xff,
                                0xff, 0xf0, 0x11, 0x0e, 0x40, 0xf9};
  struct image image = {.machine = EM_X86_64};
  uint64_t slot = 0;

  (void)state;
  assert_true(disassemble_stub(&image, x64, sizeof(x64), 0x1000, 0, &slot));
  assert_int_equal(slot, 0x110b);
  assert_false(disassemble_stub(&image, x64, 8, 0x1000, 0, &slot));
  assert_false(
      disassemble_stub(&image, x86_code, sizeof(x86_code), 0x1000, 0, &slot));
  image.machine = EM_386;
  assert_true(
      disassemble_stub(&image, i386, sizeof(i386), 0x1000, 0x4000, &slot));
  assert_int_equal(slot, 0x400c);
  image.machine = EM_AARCH64;
  assert_true(disassemble_stub(&image, a64, sizeof(a64), 0x5008, 0, &slot));
  assert_int_equal(slot, 0x4018);
  assert_false(disassemble_stub(&image, a64, 8, 0x5008, 0, &slot));
}

static void machines(void **state) {
  (void)state;
  assert_true(disassemble_is_known(&(struct image){.machine = EM_X86_64}));
  assert_true(disassemble_is_known(&(struct image){.machine = EM_386}));
  assert_true(disassemble_is_known(&(struct image){.machine = EM_AARCH64}));
  assert_false(disassemble_is_known(&(struct image){.machine = EM_PPC}));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(direct_branches_of_x86),
      cmocka_unit_test(addresses_of_i386_wrap),
      cmocka_unit_test(slots_of_x86),
      cmocka_unit_test(code_that_is_cut_off),
      cmocka_unit_test(branches_of_aarch64),
      cmocka_unit_test(caller_may_stop),
      cmocka_unit_test(calls_before_a_place),
      cmocka_unit_test(stubs),
      cmocka_unit_test(machines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
