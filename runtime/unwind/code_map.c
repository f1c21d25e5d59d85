/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Keeps two lists: one is read while the other is made. Readers are counted, so
   that a list is not made while it is read; readers are in handlers, which end
   soon. */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <link.h>

#include "objects/maps.h"
#include "os/libc.h"
#include "os/linked.h"
#include "os/os.h"
#include "os/safe_read.h"
#include "unwind/code_map.h"

enum { N_LISTS = 2, MAX_RANGES = 2048, MAX_PAUSE = 1 << 14 };

/* Of most programs at their start. */
enum { N_FEW = 8 };

static struct {
  struct {
    struct rt_code_range ranges[N_LISTS][MAX_RANGES];
    struct rt_maps maps;
  } * memory;
  struct rt_code lists[N_LISTS];
  struct rt_code_range few[N_FEW]; /* beside other variables, so that a process
                                      that begins touches no page for them */
  uint32_t n_readers[N_LISTS];
  uint32_t current;
  bool is_refreshing;
  struct {
    uint32_t n_pause;    /* so many requests are ignored after one */
    uint32_t n_requests; /* requests since the last one that was served */
  } doubts[RT_CODE_N_DOUBTS];
} known;

static void use_memory(struct rt_code *code) {
  code->ranges = known.memory->ranges[code - known.lists];
  code->n_room = MAX_RANGES;
}

/* Adjacent ranges with the same tables are joined. */
static void add(struct rt_code *code, const struct rt_map_line *map,
                uint64_t index) {
  struct rt_code_range *last = code->n ? &code->ranges[code->n - 1] : NULL;

  if (last && last->end == map->start && last->index == index)
    last->end = map->end;
  else if (code->n < code->n_room)
    code->ranges[code->n++] = (struct rt_code_range){
        .start = map->start, .end = map->end, .index = index};
}

static void read_all(struct rt_code *code) {
  struct rt_maps *maps = &known.memory->maps;
  struct rt_map_line map;

  use_memory(code);
  code->n = 0;
  rt_maps_open(maps);
  while (rt_maps_next(maps, &map)) {
    const uint64_t index = rt_maps_segment(maps, &map, PT_GNU_EH_FRAME);
    // All of an image: emulators do not map its code as executable.
    if (map.is_executable || index)
      add(code, &map, index);
  }
  rt_maps_close(maps);
}

static bool is_same(const struct rt_code *a, const struct rt_code *b) {
  return a->n == b->n &&
         rt_equal(a->ranges, b->ranges, a->n * sizeof(*a->ranges));
}

/* Returns whether the map has changed. Only one thread at a time. */
static bool look(void) {
  const struct rt_code *old = &known.lists[known.current];
  const uint32_t i_next = (known.current + 1) % N_LISTS;
  struct rt_code *next = &known.lists[i_next];

  if (__atomic_load_n(&known.n_readers[i_next], __ATOMIC_SEQ_CST))
    return false;
  read_all(next);
  if (is_same(old, next))
    return false;
  next->generation = old->generation + 1;
  __atomic_store_n(&known.current, i_next, __ATOMIC_SEQ_CST);
  return true;
}

/* --- At the start --- */

/* All of an image is one range: no other code is mapped in between. */
static bool find_range(const struct rt_program *program,
                       struct rt_code_range *out) {
  const uint64_t page = rt_page_bytes();

  *out = (struct rt_code_range){.start = UINT64_MAX};
  for (size_t i = 0; i < program->n; i++) {
    const ElfW(Phdr) *header = &program->headers[i];
    const uint64_t start = program->bias + header->p_vaddr;
    if (header->p_type == PT_GNU_EH_FRAME)
      out->index = start;
    if (header->p_type != PT_LOAD)
      continue;
    out->start =
        start / page * page < out->start ? start / page * page : out->start;
    if (rt_whole_pages(start + header->p_memsz) > out->end)
      out->end = rt_whole_pages(start + header->p_memsz);
  }
  return out->start < out->end;
}

static void insert(struct rt_code *code, const struct rt_code_range *range) {
  uint32_t i = code->n;

  if (code->n == N_FEW && code->n_room == N_FEW) {
    use_memory(code);
    rt_copy(code->ranges, known.few, sizeof(known.few));
  }
  if (code->n == code->n_room)
    return;
  for (; i && code->ranges[i - 1].start > range->start; i--)
    code->ranges[i] = code->ranges[i - 1];
  code->ranges[i] = *range;
  code->n++;
}

/* The objects are listed one by one, the executable first. */
struct loading {
  struct rt_code *code;
  bool is_start;
  bool has_executable;
  const ElfW(Dyn) * dynamic; /* of the executable; NULL: it has none */
  const char *strings;
};

static void read_executable(const struct rt_program *program,
                            struct loading *out) {
  out->has_executable = true;
  for (size_t i = 0; i < program->n; i++)
    if (program->headers[i].p_type == PT_DYNAMIC)
      out->dynamic =
          (const void *)(program->bias + program->headers[i].p_vaddr);
  for (const ElfW(Dyn) *it = out->dynamic; it && it->d_tag != DT_NULL; it++)
    if (it->d_tag == DT_STRTAB)
      out->strings = rt_dynamic_pointer(program->bias, it->d_un.d_ptr);
}

/* Does the executable need it by name? Such an object is never unloaded;
   constructors that ran before may have opened others. */
static bool is_needed(const struct loading *loading, const char *path) {
  const char *const name = path + rt_folder_length(path);
  const size_t bytes = rt_length(name) + 1;

  for (const ElfW(Dyn) *it = loading->dynamic;
       it && loading->strings && it->d_tag != DT_NULL; it++) {
    if (it->d_tag != DT_NEEDED)
      continue;
    const char *const needed = loading->strings + it->d_un.d_val;
    if (rt_length(needed) + 1 == bytes && rt_equal(needed, name, bytes))
      return true;
  }
  return false;
}

static void keep_tables(const struct rt_program *program, uint64_t index) {
  for (size_t i = 0; index && i < program->n; i++) {
    const ElfW(Phdr) *header = &program->headers[i];
    const uint64_t start = program->bias + header->p_vaddr;
    if (header->p_type == PT_LOAD && header->p_flags & PF_R && index >= start &&
        index < start + header->p_filesz)
      rt_safe_read_add_lasting(start, start + header->p_filesz);
  }
}

static void insert_program(struct loading *loading,
                           const struct rt_program *program, const char *path) {
  const bool is_executable = !loading->has_executable;
  struct rt_code_range range;

  if (is_executable)
    read_executable(program, loading);
  if (!find_range(program, &range))
    return;
  insert(loading->code, &range);
  if (loading->is_start && (is_executable || is_needed(loading, path)))
    keep_tables(program, range.index);
}

static int insert_loaded(struct dl_phdr_info *info, size_t bytes,
                         void *context) {
  const struct rt_program program = {.headers = info->dlpi_phdr,
                                     .n = info->dlpi_phnum,
                                     .bias = info->dlpi_addr};

  (void)bytes;
  insert_program(context, &program, info->dlpi_name);
  return 0;
}

/* Lists the objects that the dynamic linker has loaded; of a static executable,
   itself. So the first samples, of several threads at once, find them: only one
   thread at a time reads /proc, and stacks of the others end as unknown. And a
   process that drops its rights may not read /proc any more. */
static void list_loaded(struct loading *loading) {
  struct rt_program executable;

  if (rt_libc()->iterate_programs)
    rt_libc()->iterate_programs(insert_loaded, loading);
  else if (rt_program_of(NULL, &executable))
    insert_program(loading, &executable, "");
}

size_t rt_code_bytes(void) { return rt_whole_pages(sizeof(*known.memory)); }

int rt_code_init(bool is_start) {
  known.memory = rt_map(sizeof(*known.memory));
  if (!known.memory)
    return -ENOMEM;
  struct rt_code *const code = &known.lists[known.current];
  *code = (struct rt_code){.n_room = N_FEW, .ranges = known.few};
  list_loaded(&(struct loading){.code = code, .is_start = is_start});
  return 0;
}

void rt_code_release(void) {
  rt_unmap(known.memory, sizeof(*known.memory));
  known.memory = NULL;
}

void rt_code_in_child(void) {
  known.is_refreshing = false;
  for (int i = 0; i < N_LISTS; i++)
    known.n_readers[i] = 0;
}

struct rt_code *rt_code_enter(void) {
  for (;;) {
    const uint32_t i = __atomic_load_n(&known.current, __ATOMIC_SEQ_CST);
    struct rt_code *code = &known.lists[i];
    __atomic_fetch_add(&known.n_readers[i], 1, __ATOMIC_SEQ_CST);
    if (i == __atomic_load_n(&known.current, __ATOMIC_SEQ_CST))
      return code;
    rt_code_leave(code);
  }
}

void rt_code_leave(struct rt_code *code) {
  __atomic_fetch_sub(&known.n_readers[code - known.lists], 1, __ATOMIC_SEQ_CST);
}

const struct rt_code_range *rt_code_find(const struct rt_code *code,
                                         uint64_t pc) {
  size_t low = 0, high = code->n;

  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (code->ranges[middle].end <= pc)
      low = middle + 1;
    else
      high = middle;
  }
  return low < code->n && code->ranges[low].start <= pc ? &code->ranges[low]
                                                        : NULL;
}

bool rt_code_refresh(enum rt_code_doubt doubt) {
  uint32_t *n_pause = &known.doubts[doubt].n_pause;
  uint32_t *n_requests = &known.doubts[doubt].n_requests;
  bool expected = false;

  if (__atomic_fetch_add(n_requests, 1, __ATOMIC_RELAXED) < rt_load(n_pause) ||
      !rt_cas(&known.is_refreshing, &expected, true))
    return false;
  rt_store(n_requests, 0);
  const bool is_new = look();
  const uint32_t n_next = 2 * *n_pause + 1;
  rt_store(n_pause, is_new ? 0 : n_next < MAX_PAUSE ? n_next : MAX_PAUSE);
  rt_store(&known.is_refreshing, false);
  return is_new;
}
