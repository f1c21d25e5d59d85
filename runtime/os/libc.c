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
static bool is_libc(const struct rt_linked *object) {
  static const char *const names[] = {"__libc_start_main", "__cxa_atexit",
                                      "getauxval", "getppid",
                                      "dl_iterate_phdr"};

  for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
    if (!rt_linked_symbol(object->map, names[i]))
      return false;
  return true;
}

static bool find_libc(struct rt_linked *libc) {
  if (!rt_linked_first(libc))
    return false;
  while (rt_linked_next(libc))
    if (is_libc(libc))
      return true;
  return false;
}

/* Until glibc 2.34, threads are in a separate library. */
static void *find_of_threads(const struct link_map *libc, const char *name) {
  void *address = rt_linked_symbol(libc, name);
  struct rt_linked other;

  if (address || !rt_linked_first(&other))
    return address;
  while (!address && rt_linked_next(&other))
    if (rt_linked_symbol(other.map, "pthread_join"))
      address = rt_linked_symbol(other.map, name);
  return address;
}

/* A variable of libc may live in the executable, as a copy. */
static void *find_variable(const struct link_map *libc, const char *name) {
  struct rt_linked executable;
  void *address = NULL;

  if (rt_linked_first(&executable))
    address = rt_linked_symbol(executable.map, name);
  return address ? address : rt_linked_symbol(libc, name);
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

static void find(void) {
  struct rt_linked linked;

  if (!find_libc(&linked)) {
    found = rt_libc_linked;
    found.environment = rt_libc_environment();
    return;
  }
  const struct link_map *libc = linked.map;
  is_apart = is_in_another_namespace(&linked);
  found = (struct rt_libc){
      .auxv = (rt_auxv_fn *)rt_linked_symbol(libc, "getauxval"),
      .environment = find_variable(libc, "__environ"),
      .program = find_variable(libc, "program_invocation_name"),
      .at_exit = (rt_at_exit_fn *)rt_linked_symbol(libc, "__cxa_atexit"),
      .finalize = (void (*)(void *))rt_linked_symbol(libc, "__cxa_finalize"),
      .at_quick_exit =
          (rt_at_quick_exit_fn *)rt_linked_symbol(libc, "__cxa_at_quick_exit"),
      .at_quick_exit_iso =
          (rt_at_quick_exit_iso_fn *)rt_linked_symbol(libc, "at_quick_exit"),
      .register_atfork =
          (rt_register_atfork_fn *)rt_linked_symbol(libc, "__register_atfork"),
      .pthread_atfork =
          (rt_pthread_atfork_fn *)rt_linked_symbol(libc, "pthread_atfork"),
      .key_create =
          (rt_key_create_fn *)find_of_threads(libc, "pthread_key_create"),
      .key_delete =
          (rt_key_delete_fn *)find_of_threads(libc, "pthread_key_delete"),
      .key_set = (rt_key_set_fn *)find_of_threads(libc, "pthread_setspecific"),
      .iterate_programs =
          (rt_iterate_programs_fn *)rt_linked_symbol(libc, "dl_iterate_phdr"),
      .increase = (void (*)(void *))find_of_threads(libc, "sem_post")};
}

const struct rt_libc *rt_libc(void) {
  if (!is_found) {
    is_found = true;
    find();
  }
  return &found;
}

unsigned long rt_auxv(unsigned long type) {
  const struct rt_libc *libc = rt_libc();

  return libc->auxv ? libc->auxv(type) : rt_linked_auxv(type);
}

size_t rt_page_bytes(void) {
  const size_t bytes = rt_auxv(AT_PAGESZ);

  return bytes ? bytes : USUAL_PAGE;
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
