/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Finds the functions of libc that the runtime calls. They are called by
 * address: mocks by `--wrap`, functions of the same name in the program and
 * interposers are not called, and an instrumented library has no additional
 * undefined symbols. In static executables they are linked by libc_linked.c. */
#ifndef ARCLINE_RT_LIBC_H
#define ARCLINE_RT_LIBC_H

#include <pthread.h>

#include "os/os.h"

typedef int rt_at_exit_fn(void (*)(void *), void *, void *object);
typedef int rt_at_quick_exit_fn(void (*)(void *), void *object);
typedef int rt_at_quick_exit_iso_fn(void (*)(void));
typedef int rt_register_atfork_fn(void (*)(void), void (*)(void),
                                  void (*)(void), void *object);
typedef int rt_pthread_atfork_fn(void (*)(void), void (*)(void),
                                 void (*)(void));
typedef int rt_key_create_fn(pthread_key_t *, void (*)(void *));
typedef int rt_key_delete_fn(pthread_key_t);
typedef int rt_key_set_fn(pthread_key_t, const void *);
typedef unsigned long rt_auxv_fn(unsigned long);
typedef void rt_exit_fn(int status);
struct dl_phdr_info;
typedef int
rt_iterate_programs_fn(int (*)(struct dl_phdr_info *, size_t, void *), void *);

/** Addresses; NULL: libc has no such function. An object is the handle by which
 * libc removes its registrations when it is unloaded. */
struct rt_libc {
  rt_auxv_fn *auxv;
  char ***environment;
  const char *const *program; /* the name that it was started by; or NULL */
  rt_at_exit_fn *at_exit;
  rt_at_exit_fn *at_thread_exit; /* of the calling thread, by exit() as well */
  void (*finalize)(
      void *object); /* calls the functions that the object has registered */
  rt_at_quick_exit_fn *at_quick_exit;
  rt_at_quick_exit_iso_fn *at_quick_exit_iso; /* if that one is private */
  rt_register_atfork_fn *register_atfork;
  rt_pthread_atfork_fn *pthread_atfork; /* if there is no such function */
  rt_key_create_fn *key_create;
  rt_key_delete_fn *key_delete;
  rt_key_set_fn *key_set;
  rt_iterate_programs_fn *iterate_programs; /* dl_iterate_phdr(); at startup */
  void (*increase)(void *);                 /* a word in memory; sem_post() */
  /* _exit() and _Exit() of the first library that replaces libc's, as preloaded
     ones do that watch the program; or NULL. */
  rt_exit_fn *exit, *exit_iso;
};

/** The functions that the linker found; libc_linked.c, or start/no_libc.c. */
extern const struct rt_libc rt_libc_linked;
char ***rt_libc_environment(void);

/** The functions of libc. The first call runs: startup; later ones: hook. */
const struct rt_libc *rt_libc(void);
/** The function that _Exit() (is_iso) or _exit() has to call, or NULL: the
 * system call. Runs: as above. */
rt_exit_fn *rt_next_exit(bool is_iso);
/** An entry of the auxiliary vector, or 0. Runs: as above. */
unsigned long rt_auxv(unsigned long type);
/** The size of a page. Runs: as above. */
size_t rt_page_bytes(void);
/** A variable of the environment, or NULL. Runs: startup, then handler-safe. */
const char *rt_variable(const char *name);
/** Register a function; ignored if libc has no such list. Runs: startup. */
void rt_at_exit(void (*function)(void), void *object);
void rt_at_quick_exit(void (*function)(void), void *object);
void rt_at_fork(void (*before)(void), void (*in_parent)(void),
                void (*in_child)(void), void *object);
/** The object is unloaded: remove its registrations, if its own libc is not the
 * one that has them. Calls the functions registered for exit. Runs: exit. */
void rt_leave_libc(void *object);

#endif
