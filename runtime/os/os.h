/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Provides system calls without side effects, memory, strings and messages;
 * below all other files of the runtime. The runtime counts calls, blocks and
 * timer samples of the program that it is linked into and writes them to
 * gmon.out files; it never reads such files.
 *
 * Contexts that a function may run in, as named in all headers of the runtime:
 *
 *   hook          inside of instrumented code, also in signal handlers and in
 *                 handlers that interrupt another hook: no lock, no malloc, no
 *                 stdio; errno kept
 *   handler-safe  in a signal handler, but not inside of a hook
 *   startup, exit inside of constructors, destructors, fork and exit handlers
 */
#ifndef ARCLINE_RT_OS_H
#define ARCLINE_RT_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  RT_MAX_PATH = 4096,
  RT_MAX_SUFFIX = 256, /* of a file: "." and the soname of a library */
  /* Error numbers: not a regular file; a file that cannot be added to. */
  RT_EFTYPE = 4000,
  RT_EINCOMPATIBLE,
};

#define rt_likely(x) __builtin_expect(!!(x), 1)
#define rt_load(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define rt_store(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define rt_cas(p, old, new)                                                    \
  __atomic_compare_exchange_n((p), (old), (new), false, __ATOMIC_ACQ_REL,      \
                              __ATOMIC_ACQUIRE)

/** Returns the result or a negative errno; errno is kept. Runs: hook. */
long rt_sys(long number, long a, long b, long c, long d, long e);
/** Make each further rt_sys() fail with ENOSYS, without a system call; startup.
 */
void rt_block_syscalls(void);
bool rt_are_syscalls_blocked(void);
size_t rt_whole_pages(size_t bytes); /* rounded up; hook */
/** Zeroed memory or NULL. Runs: hook. */
void *rt_map(size_t bytes);
/** Like rt_map(), at or near an address if there is room. Runs: hook. */
void *rt_map_near(uintptr_t address, size_t bytes);
void rt_unmap(void *memory, size_t bytes);
enum { RT_HUGE_BYTES = 2 << 20 }; /* a large page of most processors */
/** Memory from rt_map(), zero if under 128 KB, will be used from start to end:
 * populate its pages now, with large ones, if the system can. Runs: hook. */
void rt_fill(void *memory, size_t bytes);
/** Memory will be read: populate its pages now, if the system can. The second
 * takes a whole mapping, of any size, without libc. Runs: hook. */
void rt_read_ahead(const void *memory, size_t bytes);
void rt_populate(const void *mapping, size_t bytes);
/** Map a piece of a file over mapped memory, shared. Returns 0 or a negative
 * errno. Runs: hook. */
int rt_map_file(int fd, uint64_t offset, void *memory, size_t bytes);
/** Zeroed memory that children share, or NULL. Runs: handler-safe. */
void *rt_map_shared(size_t bytes);
/** Like rt_map_shared(), if most of it will not be used. Runs: handler-safe. */
void *rt_map_shared_sparse(size_t bytes);
/** Map a part of it over mapped memory, too. Returns 0 or a negative errno;
 * then the memory is zeroed. Runs: hook. */
int rt_map_again(void *shared, void *memory, size_t bytes);
/** Request that memory reads as zero in a child of fork(). Returns false if the
 * caller has to zero it. */
bool rt_wipe_on_fork(void *memory, size_t bytes);
/** In fork()'s child, after rt_own_init(): does memory read as zero, for which
 * rt_wipe_on_fork() returned is_wiped? Emulators may return success and do
 * nothing. */
bool rt_was_wiped(bool is_wiped);
/** From now on children inherit memory: rt_wipe_on_fork() returns true and does
 * nothing. */
void rt_never_wipe(void);
/** As rt_map(), and rt_wipe_on_fork() of it. Runs: hook. */
void *rt_map_wiped(size_t bytes, bool *is_wiped);
/** Map, by one system call, the memory that rt_map() and rt_map_wiped() return
 * next; n_kept and n_wiped: bytes of both, of whole pages each piece. n_closed:
 * bytes that rt_map_closed() may need. Startup. */
void rt_start_memory(size_t n_kept, size_t n_wiped, size_t n_closed);
/** If less of it is left, map n times as much, in whole pages. If that fails,
 * pieces are mapped one by one. Startup. */
void rt_more_memory(size_t n_kept, size_t n_wiped, size_t n);
/** A mapping of that size that cannot be accessed, or NULL. Startup. */
void *rt_map_closed(size_t bytes);
void rt_start_memory_release(void); /* what is left of it; exit */
/** Record the process of this memory: pid. At start and in fork()'s child. */
void rt_own_init(uint32_t pid);
/** False in a child of vfork(), which runs in its parent's memory: each change
 * of the runtime's state changes the parent's. Runs: handler-safe. */
bool rt_is_own(void);
/** True in a child of fork() or a similar call in which rt_own_init() has not
 * been called yet. Runs: hook. */
bool rt_was_forked(void);
/** The id of the process; valid if rt_is_own() was true. Runs: handler-safe. */
uint32_t rt_pid(void);
void rt_zero(void *memory, size_t bytes);
/** Zero 8-byte words; writes only to those that are not zero. */
void rt_zero_words(uint64_t *words, size_t n);
/** Are all of n words zero? */
bool rt_are_zero(const uint64_t *words, size_t n);
void rt_copy(void *to, const void *from, size_t bytes);
size_t rt_length(const char *text);
/** The length of the folder in a path, with the last slash; the base name comes
 * after it. Runs: hook. */
size_t rt_folder_length(const char *path);
bool rt_equal(const void *a, const void *b, size_t bytes);
uint32_t rt_tid(void);
/** A clock of clock_gettime(), in ns; -1: there is none. */
int64_t rt_clock_ns(int clock);

/** The signals that rt_signals_block() found blocked and pending. */
struct rt_signals {
  uint64_t mask, pending;
};

/** The mask of all signals but those that a fault raises. Runs: hook. */
uint64_t rt_signals_but_faults(void);
/** Block all signals but those that a fault raises. */
void rt_signals_block(struct rt_signals *old);
/** Restore the mask; a SIGPIPE or SIGXFSZ that calls of the runtime raised is
 * discarded first. */
void rt_signals_restore(const struct rt_signals *old);

/** Text in a fixed buffer, always terminated. */
struct rt_str {
  char *text;
  size_t room, length;
  bool is_cut;
};

void rt_str_add(struct rt_str *str, const char *text);
void rt_str_add_n(struct rt_str *str, const char *text, size_t n);
void rt_str_add_number(struct rt_str *str, uint64_t number);
void rt_str_add_error(struct rt_str *str, int error);

void rt_message_init(void); /* record the file of fd 2; startup */
void rt_message_end(void);  /* print nothing any more; startup */
/** Append messages of this program to that file, each line once, as long as it
 * can be written to. Both texts are kept by pointer. Runs: startup. */
void rt_message_to(const char *path, const char *program);
bool rt_message_has_log(void); /* and can it be written to; handler-safe */
/** Write one line, "arcline: " and the given texts up to NULL, if fd 2 is still
 * the same file as at start; in the file "PROGRAM: " and the texts. Runs:
 * handler-safe. */
void rt_message(const char *first, ...) __attribute__((sentinel));

#endif
