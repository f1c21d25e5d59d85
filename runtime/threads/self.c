/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "threads/self.h"

struct rt_thread rt_self_gone;

struct rt_thread *rt_thread_known(void) {
  struct rt_thread *mine = rt_self();

  return mine == &rt_self_gone ? NULL : mine;
}

bool rt_thread_find(const struct rt_object *object, intptr_t *bias,
                    struct rt_arcs **arcs) {
  const uintptr_t cells = (uintptr_t)rt_load(&object->image.cells);
  const struct rt_thread *mine = rt_thread_known();
  const struct rt_counters *counters =
      mine ? rt_self_lookup(mine, object->number) : NULL;

  // As in rt_thread_attach(): the cells are those of this load.
  if (!counters || rt_load(&object->state) != RT_ATTACHED)
    return false;
  const uintptr_t copy = (uintptr_t)rt_load(&counters->cells);
  struct rt_arcs *const table = rt_load(&counters->arcs);
  if ((bias && !copy && !counters->is_sharing) || (arcs && !table))
    return false;
  if (bias)
    *bias = copy ? (intptr_t)(copy - cells) : 0;
  if (arcs)
    *arcs = table;
  return true;
}

#if RT_IS_SHARED
#include "counting/words.h"
#include "cpu/cpu.h"

static struct rt_words *records;

/* A later thread may have the same thread pointer. So the word has the id of a
   thread that is about to end, not an address. */
static intptr_t mark_of(uint32_t tid) { return (intptr_t)tid << 1 | 1; }

static bool is_mark(intptr_t word) { return word & 1; }

/* Is the word that of an earlier thread, whose end was not detected? In a child
   of fork() the thread has another id, which its record gets later. */
static bool is_stale(intptr_t word) {
  const struct rt_thread *record = (const void *)word;

  if (is_mark(word))
    return word != mark_of(rt_tid());
  return rt_load(&record->owner) & RT_OWNER_LATE && !record->is_forking &&
         rt_thread_tid(record) != rt_tid();
}

static struct rt_thread *record_in(const intptr_t *word) {
  const intptr_t value = word ? rt_load(word) : 0;

  if (!value || is_stale(value))
    return NULL;
  return is_mark(value) ? &rt_self_gone : (struct rt_thread *)value;
}

struct rt_thread *rt_self(void) {
  return record_in(rt_words_find(rt_load(&records), rt_cpu_own_pointer()));
}

struct rt_thread *rt_self_replace(struct rt_thread *before,
                                  struct rt_thread *after) {
  intptr_t *word = rt_words_get(&records, rt_cpu_own_pointer());

  if (!word)
    return before;
  intptr_t value = rt_load(word);
  if (record_in(word) != before || !rt_cas(word, &value, (intptr_t)after))
    return record_in(word);
  rt_store(&after->self, word);
  return after;
}

void rt_self_leave(void) {
  intptr_t *word = rt_words_find(rt_load(&records), rt_cpu_own_pointer());

  if (word)
    rt_store(word, mark_of(rt_tid()));
}

void rt_self_forget(struct rt_thread *record) {
  intptr_t *word = rt_load(&record->self);
  intptr_t value = (intptr_t)record;

  rt_store(&record->self, NULL);
  if (word)
    rt_cas(word, &value, 0);
}

void rt_self_release(void) { rt_words_release(&records); }
#else
static __thread struct rt_thread *this_thread;

struct rt_thread *rt_self(void) {
  return this_thread;
}

struct rt_thread *rt_self_replace(struct rt_thread *before,
                                  struct rt_thread *after) {
  return rt_cas(&this_thread, &before, after) ? after : before;
}

void rt_self_leave(void) { rt_store(&this_thread, &rt_self_gone); }

void rt_self_forget(struct rt_thread *record) { (void)record; }

void rt_self_release(void) {}
#endif
