/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Links the functions that os/libc.c finds through the dynamic linker, for
   static executables. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "os/libc.h"

rt_at_exit_fn __cxa_atexit;

const struct rt_libc rt_libc_linked = {.auxv = getauxval,
                                       .at_exit = __cxa_atexit,
                                       .at_quick_exit_iso = at_quick_exit,
                                       .pthread_atfork = pthread_atfork,
                                       .key_create = pthread_key_create,
                                       .key_delete = pthread_key_delete,
                                       .key_set = pthread_setspecific};

/* No constant above: GNU ld has no relocation for it in executables that are
   not position-independent, on AArch64. */
char ***rt_libc_environment(void) { return &environ; }
