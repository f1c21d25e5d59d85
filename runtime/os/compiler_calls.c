/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Replaces memset() and memcpy() in calls that compilers generate to clear or
   copy structures: they get these names when the library is made
   (reserve_names.cmake), since a program's own function would be counted, and
   must not be called before the program has started.

   The file must not contain such a call: the name that is called and the one
   that is defined would be two symbols of one object, of which GNU ld moves the
   second one twice when it relaxes RISC-V code. */
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
