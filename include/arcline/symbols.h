/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Declares the symbols that instrumented code uses. All have hidden visibility:
 * each linked object (executable or shared library) has its own.
 *
 *   __thread intptr_t __arcline_bias  distance in bytes from the cell section
 *                                     to this thread's copy; 0 = none yet
 *                                     (initial-exec)
 *   intptr_t __arcline_slot           in code for shared libraries, which does
 *                                     not refer to __arcline_bias: the distance
 *                                     from the thread pointer to a word that is
 *                                     each thread's bias, like that; 0 as long
 *                                     as there is none, and for good where the
 *                                     library gets none
 *   uint8_t __arcline_ready           non-zero once thread-local storage may be
 *                                     touched
 *   __thread uint8_t __arcline_gs_set non-zero once GS is the bias of this
 *                                     thread, if code counts through it
 *                                     (initial-exec)
 *   void __arcline_attach_thread(void)
 *                                     called when __arcline_gs_set is 0
 *   uint8_t __arcline_threads         a reference to it makes the linker add
 *                                     the code that announces new threads
 *   intptr_t __arcline_bias_slow(void)
 *                                     called when __arcline_slot, or
 *                                     __arcline_ready where that may be, or the
 *                                     bias is 0; returns the bias to use for
 *                                     this activation, possibly 0
 *   void __arcline_indirect(struct arcline_site *site, const void *callee)
 *                                     called before an indirect call whose
 *                                     callee is neither site->callee nor
 *                                     site->second
 *   void __arcline_resolver(void)     called first thing in each resolver of an
 *                                     ifunc: in static executables, resolvers
 *                                     run before there is thread-local storage;
 *                                     this provides some that is zeroed
 *   void __arcline_mcount(const void *return_pc, const void *self_pc)
 *                                     counts the arc from the call that returns
 *                                     to return_pc to the function at self_pc
 *   void __arcline_before_exec(uint32_t how, const void *file,
 *                              char *const *environment)
 *                                     called before each function of the exec
 *                                     family and daemon(), which end the
 *                                     process unless they fail; how is of enum
 *                                     arcline_exec
 *   void __arcline_before_fork(long number)
 *                                     called before _Fork(), clone() and
 *                                     syscall(), where they may make a process
 *                                     without running handlers of fork();
 *                                     number is the system call's, or -1
 *   void __arcline_after_fork(void)   called after those of them that return
 *                                     in the child
 *
 * __arcline_bias_slow, __arcline_attach_thread, __arcline_indirect and the
 * last three are called by LLVM's convention preserve_most: on x86-64 they
 * preserve all general registers but r11 (and rax, if they return something),
 * on AArch64 x9 to x15 in addition to those of the ABI.
 */
#ifndef ARCLINE_SYMBOLS_H
#define ARCLINE_SYMBOLS_H

#define ARCLINE_SYM_READY "__arcline_ready"
#define ARCLINE_SYM_BIAS "__arcline_bias"
#define ARCLINE_SYM_SLOT "__arcline_slot"
#define ARCLINE_SYM_BIAS_SLOW "__arcline_bias_slow"
#define ARCLINE_SYM_MCOUNT "__arcline_mcount"
#define ARCLINE_SYM_INDIRECT "__arcline_indirect"
#define ARCLINE_SYM_RESOLVER "__arcline_resolver"
#define ARCLINE_SYM_GS_SET "__arcline_gs_set"
#define ARCLINE_SYM_ATTACH_THREAD "__arcline_attach_thread"
#define ARCLINE_SYM_THREADS "__arcline_threads"
#define ARCLINE_SYM_BEFORE_EXEC "__arcline_before_exec"
#define ARCLINE_SYM_BEFORE_FORK "__arcline_before_fork"
#define ARCLINE_SYM_AFTER_FORK "__arcline_after_fork"

/** The file that is executed, and the environment that it gets. */
enum arcline_exec {
  ARCLINE_EXEC_UNKNOWN = 0,      /* only that function can find it; file is 0 */
  ARCLINE_EXEC_PATH = 1,         /* file is its path */
  ARCLINE_EXEC_SEARCHED = 2,     /* file is its name, to be searched for */
  ARCLINE_EXEC_OPEN = 3,         /* file is the number of a descriptor */
  ARCLINE_EXEC_IN_GIVEN = 1 << 2 /* or: in environment, not the process's own */
};

#endif
