/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Stores whether the thread has GS set. In a file of its own: in a shared
   object only code that was compiled for executables refers to it. */
#include <stdint.h>

extern __thread uint8_t __arcline_gs_set;
__attribute__((visibility("hidden"))) __thread uint8_t __arcline_gs_set;
