/* A program that brings its own start: it links and runs. Nobody calls its
   constructors, so there is no profile. */
// REQUIRES: x86_64
// RUN: %arcline-cc -O1 -nostartfiles %s -o %t && %t
__attribute__((noinline)) static int leaf(int number) { return number + 1; }

__attribute__((used)) static void run(void) {
  const long status = leaf(-1);

  __asm__ volatile("syscall" : : "a"(231L), "D"(status)); // exit_group
}

__asm__(".globl _start\n_start: xor %ebp, %ebp\ncall run\nhlt\n");
