/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Selects the copy of the process part that serves. A note in each object leads
   to its own; unlike a symbol it is there whatever a library exports, and seen
   from libraries that do not see one another. */
#include <elf.h>

#include "life/process.h"
#include "os/linked.h"

/* Of the layout of structs that objects and the process part share. */
#define VERSION 16
#define OWNER "Arcline"

enum { OWNER_BYTES = sizeof(OWNER) };

#define TEXT_OF(macro) QUOTED(macro)
#define QUOTED(text) #text

__asm__(".pushsection .note.arcline, \"a\", %note\n"
        ".balign 4\n"
        ".long 8, 4, " TEXT_OF(VERSION) "\n"
                                        ".asciz \"" OWNER "\"\n"
                                        ".long rt_process_part - .\n"
                                        ".popsection\n");

struct note {
  ElfW(Nhdr) head;
  char owner[OWNER_BYTES];
  int32_t part; /* distance of rt_process_part */
};

_Static_assert(OWNER_BYTES == 8 && sizeof(struct note) == 24, "as assembled");

static struct rt_process_part *part_of(const struct note *note) {
  return (struct rt_process_part *)((uintptr_t)&note->part +
                                    (uintptr_t)(intptr_t)note->part);
}

static struct rt_process_part *find_in_notes(const uint8_t *notes,
                                             size_t n_left) {
  while (n_left >= sizeof(struct note)) {
    const struct note *note = (const void *)notes;
    const size_t total = sizeof(note->head) +
                         (((size_t)note->head.n_namesz + 3) & ~(size_t)3) +
                         (((size_t)note->head.n_descsz + 3) & ~(size_t)3);
    if (note->head.n_type == VERSION && note->head.n_namesz == OWNER_BYTES &&
        note->head.n_descsz == sizeof(note->part) &&
        rt_equal(note->owner, OWNER, OWNER_BYTES))
      return part_of(note);
    if (total > n_left)
      break;
    notes += total;
    n_left -= total;
  }
  return NULL;
}

/* Returns NULL if the object has none, or if it is being unloaded. */
static struct rt_process_part *find_in(const struct rt_linked *linked) {
  struct rt_process_part *found = NULL;
  struct rt_program program;

  if (rt_linked_is_own(linked))
    found = &rt_process_part;
  else if (!rt_linked_program(linked, &program))
    return NULL;
  for (size_t i = 0; !found && i < program.n; i++)
    if (program.headers[i].p_type == PT_NOTE)
      found = find_in_notes(
          (const uint8_t *)(program.bias + program.headers[i].p_vaddr),
          program.headers[i].p_memsz);
  return found && rt_load(&found->state) != RT_PART_IS_GONE ? found : NULL;
}

/* The executable's, which stays to the end; or the one that serves already; or
   the first one that there is. */
static struct rt_process_part *choose(void) {
  struct rt_process_part *first = NULL;
  struct rt_linked linked;

  for (bool is_there = rt_linked_first(&linked); is_there;
       is_there = rt_linked_next(&linked)) {
    struct rt_process_part *found = find_in(&linked);
    if (found &&
        (linked.position == 1 || rt_load(&found->state) == RT_PART_SERVES))
      return found;
    first = first ? first : found;
  }
  return first ? first : &rt_process_part;
}

/* The others that are loaded now begin next, before the one that serves can be
   unloaded. Without this, each of them would read the list, with code and
   constants in pages that it needs for nothing else. */
static void inform_others(struct rt_process_part *serving) {
  struct rt_linked linked;

  for (bool is_there = rt_linked_first(&linked); is_there;
       is_there = rt_linked_next(&linked)) {
    struct rt_process_part *found = find_in(&linked);
    if (!found || found == &rt_process_part)
      continue;
    found->serving = serving->ops;
    serving->n_waiting += linked.position != 1; // the executable has room
  }
}

const struct rt_process_ops *rt_process_find(void) {
  struct rt_process_part *serving = choose();

  if (rt_load(&serving->state) == RT_PART_IS_IDLE)
    inform_others(serving);
  return serving->ops;
}
