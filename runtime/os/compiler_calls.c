/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What clang calls memset() and memcpy() for by itself, where structures are
   cleared or copied: its calls get these names when the library is made
   (reserve_names.cmake), since a program's own would be counted, and is not to
   be called before the program has started.

   In a file that has no such call: the name that is called and the one that is
   defined would be two symbols of one object, and GNU ld, when it makes RISC-V
   code smaller, moves the second one twice. */
#include "os/os.h"

void *__arcline_memset(void *memory, int byte, size_t bytes);
void *__arcline_memcpy(void *to, const void *from, size_t bytes);

void *__arcline_memset(void *memory, int byte, size_t bytes) {
  uint8_t *out = memory;

  while (bytes--)
    *out++ = (uint8_t)byte;
  return memory;
}

void *__arcline_memcpy(void *to, const void *from, size_t bytes) {
  rt_copy(to, from, bytes);
  return to;
}
