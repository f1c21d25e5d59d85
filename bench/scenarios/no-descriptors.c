/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Uses up all descriptors that its soft limit allows. */
#include <fcntl.h>
#include <sys/resource.h>

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

int main(void) {
  const struct rlimit few = {16, 100};

  for (int i = 0; i < 1000; i++)
    leaf();
  if (setrlimit(RLIMIT_NOFILE, &few))
    return 2;
  while (open("/dev/null", O_RDONLY) >= 0)
    continue;
  return 0;
}
