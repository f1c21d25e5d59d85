/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Detects threads that were not announced when they began, in programs that are
   linked with libarcline.a alone. The pass marks functions that threads may
   begin with. */
#include <stdint.h>

extern uint8_t __arcline_threads;
__attribute__((visibility("hidden"))) uint8_t __arcline_threads;
