/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Constructors, destructors, atexit(). */
#include <stdlib.h>

__attribute__((noinline)) static void early(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void late(void) { __asm__ volatile("# late"); }

static void preinit(void) {
  early();
  __asm__ volatile("");
}

__attribute__((section(".preinit_array"),
               used)) static void (*const first)(void) = preinit;

__attribute__((constructor(101))) static void constructor_101(void) {
  early();
  __asm__ volatile("");
}

__attribute__((constructor)) static void constructor(void) {
  early();
  __asm__ volatile("");
}

__attribute__((destructor(101))) static void destructor_101(void) {
  late();
  __asm__ volatile("");
}

__attribute__((destructor)) static void destructor(void) {
  late();
  __asm__ volatile("");
}

static void at_exit(void) {
  late();
  __asm__ volatile("");
}

int main(void) { return atexit(at_exit); }
