/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Defines the part of the runtime of each object: the hooks that instrumented
   code calls, their thread-local variables, and the constructor and destructor
   that connect the object to the process part.

   Before the constructor has run, thread-local storage and pointers that need
   relocation must not be accessed: an ifunc resolver runs before both. */
#include "hooks/object.h"
#include "arcline/arcline.h"
#include "arcline/live_format.h"
#include "life/process.h"

#define HIDDEN_WEAK __attribute__((weak, visibility("hidden")))

extern uint64_t __start___arcline_cnts[] HIDDEN_WEAK;
extern uint64_t __stop___arcline_cnts[] HIDDEN_WEAK;
extern const struct arcline_func __start___arcline_func[] HIDDEN_WEAK;
extern const struct arcline_func __stop___arcline_func[] HIDDEN_WEAK;
extern const struct arcline_body __start___arcline_body[] HIDDEN_WEAK;
extern const struct arcline_body __stop___arcline_body[] HIDDEN_WEAK;
extern struct arcline_site __start___arcline_site[] HIDDEN_WEAK;
extern struct arcline_site __stop___arcline_site[] HIDDEN_WEAK;
extern const uint8_t __start___arcline_plan[] HIDDEN_WEAK;
extern const uint8_t __stop___arcline_plan[] HIDDEN_WEAK;
extern const uint8_t __start___arcline_data[] HIDDEN_WEAK;
extern const uint8_t __stop___arcline_data[] HIDDEN_WEAK;
extern const struct arcline_segment __start___arcline_segm[] HIDDEN_WEAK;
extern const struct arcline_segment __stop___arcline_segm[] HIDDEN_WEAK;
extern const char __start___arcline_opts[] HIDDEN_WEAK;
extern const char __stop___arcline_opts[] HIDDEN_WEAK;
// Never defined: the linker chooses its address, which is 0, or with gold the
// beginning of the object.
extern const char __arcline_undefined[] HIDDEN_WEAK;
extern const uint8_t __ehdr_start HIDDEN_WEAK;
extern const uint8_t _DYNAMIC[] HIDDEN_WEAK;

#if !RT_IS_SHARED
// Distances to the relocations of pointers that resolvers choose, in static
// executables; equal places elsewhere. By addresses, mold 2.37 would reserve
// dynamic relocations that it does not write.
__asm__(".pushsection .rodata\n"
        ".balign 8\n"
        ".weak __rela_iplt_start, __rela_iplt_end\n"
        ".hidden __rela_iplt_start, __rela_iplt_end\n"
        ".hidden __arcline_iplt\n"
        "__arcline_iplt:\n"
        ".quad __rela_iplt_start - .\n"
        ".quad __rela_iplt_end - .\n"
        ".popsection");
extern const intptr_t __arcline_iplt[2] __attribute__((visibility("hidden")));

static const void *resolved_place(int i) {
  return (const uint8_t *)&__arcline_iplt[i] + __arcline_iplt[i];
}
#else
static const void *resolved_place(int i) {
  (void)i;
  return NULL;
}
#endif

uint8_t __arcline_ready;
intptr_t __arcline_slot;
__thread intptr_t __arcline_bias;

intptr_t rt_bias_slow(void);
void rt_attach_thread(void);
void rt_indirect(struct arcline_site *site, const void *callee);
void rt_before_exec(uint32_t how, const void *file, char *const *environment);
void rt_before_fork(long number);
void rt_after_fork(void);
void __arcline_mcount(const void *return_pc, const void *self_pc);

#if RT_IS_SHARED
uintptr_t rt_arcs_place;
intptr_t rt_bias_distance(void);

RT_CPU_TLS_OFFSET("rt_bias_distance", ARCLINE_SYM_BIAS);
#else
extern __thread uint8_t __arcline_gs_set;
__thread struct rt_arcs *rt_thread_arcs;
#endif
// Among variables with values: the dynamic linker has written to their page, so
// that a library that does not serve takes no other.
#define IN_DATA __attribute__((section(".data")))
IN_DATA static const struct rt_process_ops *process_ops;
IN_DATA static struct rt_object *this_object;
IN_DATA static bool is_off; /* the program must not be profiled */
IN_DATA static bool has_early;
IN_DATA static uint64_t n_lost;
/* Threads that were not announced when they began. */
IN_DATA static uint64_t n_late_threads;

static bool has_segment(void) {
  return (uintptr_t)__start___arcline_segm != (uintptr_t)__stop___arcline_segm;
}

const struct rt_process_ops *rt_ops(void) { return process_ops; }

#if RT_IS_SHARED
static intptr_t find_slot(void) {
  rt_arcs_place = (uintptr_t)__stop___arcline_cnts;
  return rt_bias_distance();
}

/* The thread's word for the bias; a variable of the caller's if there is none.
 */
static intptr_t *own_bias(intptr_t *variable) {
  const intptr_t slot = rt_load(&__arcline_slot);

  return slot ? (intptr_t *)(rt_cpu_own_pointer() + (uintptr_t)slot) : variable;
}

/* Code that was compiled for executables calls it; GS stays 0. */
void rt_begin_thread(void) {}

void rt_attach_thread(void) {}

void rt_attach_thread_arcs(void) {
  struct rt_arcs *arcs;
  intptr_t bias = 0;

  process_ops->attach_thread(this_object, own_bias(&bias), &arcs);
}

static void attach_thread(void) { rt_attach_thread_arcs(); }

static void find_late_thread(void) {}

static void begin_first_thread(void) {}
#else
static intptr_t find_slot(void) {
  return (intptr_t)((uintptr_t)&__arcline_bias - rt_cpu_own_pointer());
}

static intptr_t *own_bias(intptr_t *variable) {
  (void)variable;
  return &__arcline_bias;
}

void rt_begin_thread(void) {
  if (__arcline_gs_set || !has_segment())
    return;
  if (rt_is_ready()) {
    if (!__arcline_bias)
      process_ops->attach_thread(this_object, &__arcline_bias, NULL);
  } else if (!is_off) {
    return;
  }
  __arcline_gs_set = 1;
}

void rt_attach_thread(void) {
  rt_begin_thread();
  if (__arcline_gs_set && !is_off)
    __atomic_fetch_add(&n_late_threads, 1, __ATOMIC_RELAXED);
}

static void find_late_thread(void) {
  if (!__arcline_gs_set && has_segment())
    rt_attach_thread();
}

void rt_attach_thread_arcs(void) {
  find_late_thread();
  process_ops->attach_thread(this_object, NULL, &rt_thread_arcs);
}

static void attach_thread(void) {
  process_ops->attach_thread(this_object, &__arcline_bias, &rt_thread_arcs);
}

static void begin_first_thread(void) {
  // Through GS, which is 0, this thread counts in the cells themselves.
  __arcline_gs_set = 1;
}
#endif

intptr_t rt_bias_slow(void) {
  if (!rt_is_ready())
    return 0;
  intptr_t found = 0;
  intptr_t *bias = own_bias(&found);
  if (bias == &found && process_ops->find(this_object, &found, NULL))
    return found;
  if (!*bias)
    process_ops->attach_thread(this_object, bias, NULL);
  return *bias;
}

struct rt_arcs *rt_find_arcs(void) {
  struct rt_arcs *arcs = rt_own_arcs();

#if RT_IS_SHARED
  if (!arcs && rt_is_ready())
    process_ops->find(this_object, NULL, &arcs);
#endif
  return arcs;
}

void rt_count_attached(uint64_t from, uint64_t self) {
  struct rt_arcs *arcs = rt_find_arcs();

  if (arcs && !rt_arcs_count(arcs, from, self))
    return;
  if (is_off)
    return;
  rt_store(&has_early, true); // before there are any
  if (rt_arcs_count_shared(rt_tail.early_arcs, RT_EARLY_ARCS, from, self))
    __atomic_fetch_add(&n_lost, 1, __ATOMIC_RELAXED);
}

__attribute__((cold)) void rt_count_slowly(uint64_t from, uint64_t self) {
  if (rt_is_ready() && !rt_find_arcs())
    rt_attach_thread_arcs();
  rt_count_attached(from, self);
}

void __arcline_mcount(const void *return_pc, const void *self_pc) {
  rt_count_arc((uintptr_t)return_pc, (uintptr_t)self_pc);
}

/* Makes self a site's callee if there is none yet. The mirror, if there is one,
   is written first and decides: the code must not compare with a callee that is
   lost when the process is killed. Returns the callee. */
static uint64_t claim_callee(uint64_t *callee, uint64_t *mirror,
                             uint64_t self) {
  uint64_t seen = __atomic_load_n(callee, __ATOMIC_RELAXED);

  if (seen)
    return seen;
  if (mirror && !rt_cas(mirror, &seen, self))
    self = seen;
  seen = 0;
  return rt_cas(callee, &seen, self) ? self : seen;
}

/* Returns whether self is the first callee, which needs no counting. */
static __attribute__((noinline)) bool claim_site(struct arcline_site *site,
                                                 uint64_t self) {
  struct arcline_live_callees *mirror = NULL;

  if (rt_load(&__arcline_ready) && this_object->live.callees)
    mirror = &this_object->live.callees[site - __start___arcline_site];
  if (claim_callee(&site->callee, mirror ? &mirror->callee : NULL, self) ==
      self)
    return true;
  // From the next time on, the code counts the second one without our help.
  claim_callee(&site->second, mirror ? &mirror->second : NULL, self);
  return false;
}

void rt_indirect(struct arcline_site *site, const void *callee) {
  const uint64_t self = (uintptr_t)callee;

  // A third callee is the common case: the code counts the others itself.
  if (!__atomic_load_n(&site->second, __ATOMIC_RELAXED) &&
      claim_site(site, self))
    return;
  // In a table, self 0 marks a slot that is being claimed; 1 is outside of
  // every object, too.
  rt_count_arc((uintptr_t)site, self ? self : 1);
}

void rt_before_exec(uint32_t how, const void *file, char *const *environment) {
  if (rt_load(&__arcline_ready))
    process_ops->before_exec(how, file, environment);
}

void rt_before_fork(long number) {
  if (rt_load(&__arcline_ready))
    process_ops->before_fork(number);
}

void rt_after_fork(void) {
  if (rt_load(&__arcline_ready))
    process_ops->after_fork();
}

/* Called rarely: they save registers, so that callers need not. */
RT_CPU_ENTRY_RESULT(ARCLINE_SYM_BIAS_SLOW, rt_bias_slow);
#if RT_CPU_HOOKS_ARE_ASSEMBLY
RT_CPU_ENTRY("rt_indirect_slowly", rt_indirect);
#else
RT_CPU_ENTRY(ARCLINE_SYM_INDIRECT, rt_indirect);
#endif
RT_CPU_ENTRY(ARCLINE_SYM_BEFORE_EXEC, rt_before_exec);
RT_CPU_ENTRY(ARCLINE_SYM_BEFORE_FORK, rt_before_fork);
RT_CPU_ENTRY(ARCLINE_SYM_AFTER_FORK, rt_after_fork);
#if RT_CPU_HAS_SEGMENT
RT_CPU_ENTRY(ARCLINE_SYM_ATTACH_THREAD, rt_attach_thread);
#endif

static void attach_again(void) {
  rt_store(&__arcline_slot, 0);
  rt_store(&__arcline_ready, 0);
  this_object = NULL;
  rt_attach();
}

void rt_attach(void) {
  const struct rt_image image = {
      .anchor = &__arcline_ready,
      .cells = __start___arcline_cnts,
      .cells_end = __stop___arcline_cnts,
      .funcs = __start___arcline_func,
      .funcs_end = __stop___arcline_func,
      .bodies = __start___arcline_body,
      .bodies_end = __stop___arcline_body,
      .sites = __start___arcline_site,
      .sites_end = __stop___arcline_site,
      .plans = __start___arcline_plan,
      .plans_end = __stop___arcline_plan,
      .data = __start___arcline_data,
      .data_end = __stop___arcline_data,
      .early = rt_tail.early_arcs,
      .has_early = &has_early,
      .n_lost = &n_lost,
      .n_late_threads = &n_late_threads,
      .has_segment = has_segment(),
      .keeps_arcs = RT_IS_SHARED,
      .slot = find_slot(),
      .options = &__start___arcline_opts[0] == &__stop___arcline_opts[0]
                     ? NULL
                     : __start___arcline_opts,
      .attach_again = attach_again,
      .attach_thread = attach_thread,
      .find_late_thread = find_late_thread,
      .header = &__ehdr_start == (const void *)__arcline_undefined
                    ? NULL
                    : &__ehdr_start,
      .dynamic = _DYNAMIC,
      .resolved = resolved_place(0),
      .resolved_end = resolved_place(1),
  };

  if (this_object || is_off)
    return;
  // Here, since the function is far from this one, in pages of its own.
  const struct rt_process_ops *ops = rt_process_part.serving;
  rt_process_part.serving = NULL;
  if (!ops)
    ops = rt_process_find();
  this_object = ops->attach(&image);
  if (this_object) {
    process_ops = ops;
    rt_store(&__arcline_ready, 1);
    rt_store(&__arcline_slot, this_object->slot);
    if (this_object->is_attached_at_start)
      attach_thread();
    begin_first_thread();
  } else {
    is_off = true;
  }
}

/* Not rt_attach() itself: gcc drops the priority of a function that was
   declared before.
 */
__attribute__((constructor(101))) static void attach_at_start(void) {
  rt_attach();
}

__attribute__((destructor(101))) static void detach(void) {
  if (this_object)
    process_ops->detach(this_object);
}
