/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* For programs that are linked with libarcline.a alone: nobody tells of threads
   that begin. Those that begin with a function of the pass's say so. */
#include <stdint.h>

extern uint8_t __arcline_threads;
__attribute__((visibility("hidden"))) uint8_t __arcline_threads;
