/* Code that was made at run time has no unwind tables: with a frame pointer or
   without, its caller is found, even if it was made after the start. */
// REQUIRES: x86_64
// RUN: %arcline-cc -O2 %s -o %t
// RUN: %python %S/Inputs/stacks.py chains %t -- \
// RUN:   [anonymous] '_start>libc.so.6>main>(plain|framed)>\[anonymous\]'
#include <string.h>
#include <sys/mman.h>

enum { N_ROUNDS = 8, PAGE_BYTES = 4096 };

/* mov $0x8000000, %ecx; 1: dec %ecx; jnz 1b; ret */
static const unsigned char leaf[] = {0xb9, 0,    0,    0,    8,
                                     0xff, 0xc9, 0x75, 0xfc, 0xc3};
/* The same with a frame. */
static const unsigned char frame[] = {0x55, 0x48, 0x89, 0xe5, 0xb9,
                                      0,    0,    0,    8,    0xff,
                                      0xc9, 0x75, 0xfc, 0x5d, 0xc3};

static volatile int sink;

static void (*make(const unsigned char *code, size_t n))(void) {
  char *memory = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  memcpy(memory, code, n);
  mprotect(memory, PAGE_BYTES, PROT_READ | PROT_EXEC);
  return (void (*)(void))memory;
}

__attribute__((noinline)) static void plain(void) {
  make(leaf, sizeof(leaf))();
  sink++;
}

__attribute__((noinline)) static void framed(void) {
  make(frame, sizeof(frame))();
  sink--;
}

int main(void) {
  for (int i = 0; i < N_ROUNDS; i++) {
    plain();
    framed();
  }
  return 0;
}
