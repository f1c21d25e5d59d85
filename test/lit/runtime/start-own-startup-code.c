/* A program with its own start-up code: it links and runs. Its constructors are
   not called, so that it writes no profile. */
// REQUIRES: x86_64
// RUN: %arcline-cc -O1 -nostartfiles %s -o %t && %t
__attribute__((noinline)) static int leaf(int number) { return number + 1; }

__attribute__((used)) static void run(void) {
  const long status = leaf(-1);

  __asm__ volatile("syscall" : : "a"(231L), "D"(status)); // exit_group
}

__asm__(".globl _start\n_start: xor %ebp, %ebp\ncall run\nhlt\n");
