/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Changes its working folder before it ends, with umask 077. */
#include <sys/stat.h>
#include <unistd.h>

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

int main(void) {
  for (int i = 0; i < 1000; i++)
    leaf();
  umask(077);
  return mkdir("there", 0700) || chdir("there");
}
