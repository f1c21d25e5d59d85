/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <elf.h>

#include "os/libc.h"
#include "os/linked.h"

enum { USUAL_PAGE = 4096 };

static struct rt_libc found;
static bool is_found;
static bool is_apart; /* libc is another one than the object's own */

/* The libc is the object that starts programs. A library that is preloaded to
   replace some functions of libc lacks some of these. */
static bool is_libc(const struct rt_exports *exports) {
  static const char *const names[] = {"__libc_start_main", "__cxa_atexit",
                                      "getauxval", "getppid",
                                      "dl_iterate_phdr"};

  for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
    if (!rt_exports_find(exports, names[i]))
      return false;
  return true;
}

/* Of an object before libc. */
static void find_exits(const struct rt_exports *exports) {
  if (!found.exit)
    found.exit = (rt_exit_fn *)rt_exports_find(exports, "_exit");
  if (!found.exit_iso)
    found.exit_iso = (rt_exit_fn *)rt_exports_find(exports, "_Exit");
}

static bool find_libc(struct rt_linked *libc, struct rt_exports *exports) {
  if (!rt_linked_first(libc))
    return false;
  while (rt_linked_next(libc)) {
    rt_linked_exports(libc->map, exports);
    if (is_libc(exports))
      return true;
    find_exits(exports);
  }
  return false;
}

/* Until glibc 2.34, threads are in a separate library. */
static void *find_of_threads(const struct rt_exports *libc, const char *name) {
  void *address = rt_exports_find(libc, name);
  struct rt_linked other;

  if (address || !rt_linked_first(&other))
    return address;
  while (!address && rt_linked_next(&other)) {
    struct rt_exports exports;
    rt_linked_exports(other.map, &exports);
    if (rt_exports_find(&exports, "pthread_join"))
      address = rt_exports_find(&exports, name);
  }
  return address;
}

/* Whether this copy of the runtime was loaded by dlmopen(), together with a
   libc of its own, which does not end the program. */
static bool is_in_another_namespace(const struct rt_linked *libc) {
  struct rt_linked own;
  bool is_there = rt_linked_first(&own);

  while (is_there && !rt_linked_is_own(&own))
    is_there = rt_linked_next(&own);
  return !is_there || own.space != libc->space;
}

/* A variable of libc may live in the executable, as a copy. */
static void find_variables(const struct rt_exports *libc) {
  static const char environment[] = "__environ";
  static const char program[] = "program_invocation_name";
  struct rt_linked executable;

  if (rt_linked_first(&executable)) {
    struct rt_exports own;
    rt_linked_exports(executable.map, &own);
    found.environment = rt_exports_find(&own, environment);
    found.program = rt_exports_find(&own, program);
  }
  if (!found.environment)
    found.environment = rt_exports_find(libc, environment);
  if (!found.program)
    found.program = rt_exports_find(libc, program);
}

static void find_registrations(const struct rt_exports *libc) {
  found.at_exit = (rt_at_exit_fn *)rt_exports_find(libc, "__cxa_atexit");
  found.at_thread_exit =
      (rt_at_exit_fn *)rt_exports_find(libc, "__cxa_thread_atexit_impl");
  found.finalize = (void (*)(void *))rt_exports_find(libc, "__cxa_finalize");
  found.at_quick_exit =
      (rt_at_quick_exit_fn *)rt_exports_find(libc, "__cxa_at_quick_exit");
  if (!found.at_quick_exit)
    found.at_quick_exit_iso =
        (rt_at_quick_exit_iso_fn *)rt_exports_find(libc, "at_quick_exit");
  found.register_atfork =
      (rt_register_atfork_fn *)rt_exports_find(libc, "__register_atfork");
  if (!found.register_atfork)
    found.pthread_atfork =
        (rt_pthread_atfork_fn *)rt_exports_find(libc, "pthread_atfork");
}

static void find(void) {
  struct rt_exports libc;
  struct rt_linked linked;

  if (!find_libc(&linked, &libc)) {
    found = rt_libc_linked;
    found.environment = rt_libc_environment();
    return;
  }
  is_apart = is_in_another_namespace(&linked);
  found.auxv = (rt_auxv_fn *)rt_exports_find(&libc, "getauxval");
  find_variables(&libc);
  find_registrations(&libc);
  found.key_create =
      (rt_key_create_fn *)find_of_threads(&libc, "pthread_key_create");
  found.key_delete =
      (rt_key_delete_fn *)find_of_threads(&libc, "pthread_key_delete");
  found.key_set =
      (rt_key_set_fn *)find_of_threads(&libc, "pthread_setspecific");
  found.iterate_programs =
      (rt_iterate_programs_fn *)rt_exports_find(&libc, "dl_iterate_phdr");
  found.increase = (void (*)(void *))find_of_threads(&libc, "sem_post");
}

const struct rt_libc *rt_libc(void) {
  if (!is_found) {
    is_found = true;
    find();
  }
  return &found;
}

rt_exit_fn *rt_next_exit(bool is_iso) {
  return is_iso ? rt_libc()->exit_iso : rt_libc()->exit;
}

unsigned long rt_auxv(unsigned long type) {
  const struct rt_libc *libc = rt_libc();

  return libc->auxv ? libc->auxv(type) : rt_linked_auxv(type);
}

size_t rt_page_bytes(void) {
  static size_t known; /* so that a child needs no page of libc for it */
  size_t bytes = __atomic_load_n(&known, __ATOMIC_RELAXED);

  if (!bytes) {
    bytes = rt_auxv(AT_PAGESZ);
    bytes = bytes ? bytes : USUAL_PAGE;
    __atomic_store_n(&known, bytes, __ATOMIC_RELAXED);
  }
  return bytes;
}

const char *rt_variable(const char *name) {
  char ***const environment = rt_libc()->environment;
  const size_t n = rt_length(name);

  for (char **at = environment ? *environment : NULL; at && *at; at++) {
    const char *value = *at;
    size_t i = 0;
    while (i < n && value[i] == name[i])
      i++;
    if (i == n && value[n] == '=')
      return value + n + 1;
  }
  return NULL;
}

/* The function with the type that libc requires: one more argument does no
   harm. */
static void call(void *function) { ((void (*)(void))function)(); }

void rt_at_exit(void (*function)(void), void *object) {
  if (rt_libc()->at_exit)
    rt_libc()->at_exit(call, (void *)function, object);
}

void rt_at_quick_exit(void (*function)(void), void *object) {
  const struct rt_libc *libc = rt_libc();

  if (libc->at_quick_exit)
    libc->at_quick_exit((void (*)(void *))function, object);
  else if (libc->at_quick_exit_iso)
    libc->at_quick_exit_iso(function);
}

void rt_at_fork(void (*before)(void), void (*in_parent)(void),
                void (*in_child)(void), void *object) {
  const struct rt_libc *libc = rt_libc();

  if (libc->register_atfork)
    libc->register_atfork(before, in_parent, in_child, object);
  else if (libc->pthread_atfork)
    libc->pthread_atfork(before, in_parent, in_child);
}

void rt_leave_libc(void *object) {
  if (is_apart && rt_libc()->finalize)
    rt_libc()->finalize(object);
}
