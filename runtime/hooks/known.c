/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* In a file of its own: in a shared object nobody needs it but code that was
   compiled for executables. */
#include <stdint.h>

extern __thread uint8_t __arcline_known;
__attribute__((visibility("hidden"))) __thread uint8_t __arcline_known;
