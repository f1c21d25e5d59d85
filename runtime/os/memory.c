/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Maps memory, and detects children of fork() by pages that the kernel wipes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cpu/cpu.h"
#include "os/libc.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

/* Below this size, the call costs as much as it saves, or more: its pages cost
   nearly what faults do, and of files those map several pages at once. */
enum { FILL_BYTES = 128 << 10 };

void *rt_map_near(uintptr_t address, size_t bytes) {
  const long result =
      rt_sys(SYS_mmap, (long)address, (long)bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
  return result < 0 && result > -4096 ? NULL : (void *)result;
}

enum { MAX_ROOMS = 12 };

/* Memory that is mapped and not in use yet. Another thread may cut from it
   while a room is added. */
struct room {
  char *at;
  char *end;
};

struct rooms {
  struct room items[MAX_ROOMS];
  uint32_t n;
};

static struct rooms kept, wiped /* by fork() */;
static struct room closed;
static size_t page_bytes; /* if there are such rooms */

size_t rt_whole_pages(size_t bytes) {
  const size_t page = rt_page_bytes();

  return (bytes + page - 1) / page * page;
}

/* For hooks, which must not call libc. */
static void *cut(struct room *room, size_t bytes) {
  char *at = rt_load(&room->at);
  const size_t n = (bytes + page_bytes - 1) & ~(page_bytes - 1);

  while (at && n >= bytes && n <= (size_t)(room->end - at))
    if (rt_cas(&room->at, &at, at + n))
      return at;
  return NULL;
}

static void *cut_any(struct rooms *rooms, size_t bytes) {
  void *memory = NULL;

  for (uint32_t i = rt_load(&rooms->n); i-- && !memory;)
    memory = cut(&rooms->items[i], bytes);
  return memory;
}

static void add_room(struct rooms *rooms, char *at, size_t bytes) {
  rooms->items[rooms->n] = (struct room){at, at + bytes};
  rt_store(&rooms->n, rooms->n + 1);
}

static size_t n_left(const struct rooms *rooms) {
  size_t n = 0;

  for (uint32_t i = 0; i < rooms->n; i++) {
    const size_t n_here =
        (size_t)(rooms->items[i].end - rt_load(&rooms->items[i].at));
    n = n_here > n ? n_here : n;
  }
  return n;
}

void *rt_map(size_t bytes) {
  void *const memory = cut_any(&kept, bytes);

  return memory ? memory : rt_map_near(0, bytes);
}

int rt_map_file(int fd, uint64_t offset, void *memory, size_t bytes) {
  if (rt_are_syscalls_blocked())
    return -ENOSYS;
  const long result = rt_cpu_syscall(SYS_mmap, (long)memory, (long)bytes,
                                     PROT_READ | PROT_WRITE,
                                     MAP_SHARED | MAP_FIXED, fd, (long)offset);
  return result < 0 && result > -4096 ? (int)result : 0;
}

static void *map_shared(size_t bytes, long access) {
  const long result = rt_sys(SYS_mmap, 0, (long)bytes, access,
                             MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1);

  return result < 0 && result > -4096 ? NULL : (void *)result;
}

void *rt_map_shared(size_t bytes) {
  return map_shared(bytes, PROT_READ | PROT_WRITE);
}

void *rt_map_shared_sparse(size_t bytes) {
  void *const memory = map_shared(bytes, PROT_NONE);

  if (!memory)
    return NULL;
  // After mlockall(MCL_FUTURE), pages are populated at once.
  rt_sys(SYS_munlock, (long)memory, (long)bytes, 0, 0, 0);
  rt_sys(SYS_madvise, (long)memory, (long)bytes, MADV_DONTDUMP, 0, 0);
  rt_sys(SYS_madvise, (long)memory, (long)bytes, MADV_NOHUGEPAGE, 0, 0);
  if (rt_sys(SYS_mprotect, (long)memory, (long)bytes, PROT_READ | PROT_WRITE, 0,
             0) == 0)
    return memory;
  rt_unmap(memory, bytes);
  return NULL;
}

int rt_map_again(void *shared, void *memory, size_t bytes) {
  const long result = rt_sys(SYS_mremap, (long)shared, 0, (long)bytes,
                             MREMAP_MAYMOVE | MREMAP_FIXED, (long)memory);

  if (result >= 0 || result <= -4096)
    return 0;
  // The old mapping may be gone.
  rt_sys(SYS_mmap, (long)memory, (long)bytes, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1);
  rt_sys(SYS_madvise, (long)memory, (long)bytes, MADV_WIPEONFORK, 0, 0);
  return (int)result;
}

void rt_unmap(void *memory, size_t bytes) {
  if (memory)
    rt_sys(SYS_munmap, (long)memory, (long)bytes, 0, 0, 0);
}

static bool is_never_wiped;
static bool is_wiping_faked; /* madvise() succeeded without effect */

bool rt_was_wiped(bool is_wiped) { return is_wiped && !is_wiping_faked; }

void rt_never_wipe(void) { is_never_wiped = true; }

static bool wipe_on_fork(void *memory, size_t bytes) {
  return !is_wiping_faked && rt_sys(SYS_madvise, (long)memory, (long)bytes,
                                    MADV_WIPEONFORK, 0, 0) == 0;
}

/* Advises the kernel about all pages of a range, including partial ones. A
   failure costs time only. */
static void advise(const void *memory, size_t bytes, int advice) {
  const uintptr_t before = (uintptr_t)memory % rt_page_bytes();

  rt_sys(SYS_madvise, (long)((uintptr_t)memory - before),
         (long)(bytes + before), advice, 0, 0);
}

/* A page that is read before it is written would take two faults. */
static void touch(char *zeros, size_t bytes) {
  const size_t page = rt_page_bytes();

  for (size_t i = 0; i < bytes; i += page - (uintptr_t)(zeros + i) % page)
    *(volatile char *)&zeros[i] = 0;
}

void rt_fill(void *memory, size_t bytes) {
  if (bytes >= RT_HUGE_BYTES)
    advise(memory, bytes, MADV_HUGEPAGE);
  if (bytes >= FILL_BYTES)
    advise(memory, bytes, MADV_POPULATE_WRITE);
  else
    touch(memory, bytes);
}

void rt_populate(const void *mapping, size_t bytes) {
  rt_sys(SYS_madvise, (long)mapping, (long)bytes, MADV_POPULATE_READ, 0, 0);
}

void rt_read_ahead(const void *memory, size_t bytes) {
  if (bytes >= FILL_BYTES)
    advise(memory, bytes, MADV_POPULATE_READ);
}

bool rt_wipe_on_fork(void *memory, size_t bytes) {
  return is_never_wiped || wipe_on_fork(memory, bytes);
}

void *rt_map_wiped(size_t bytes, bool *is_wiped) {
  void *memory = cut_any(&wiped, bytes);

  *is_wiped = memory != NULL;
  if (memory)
    return memory;
  memory = rt_map(bytes);
  *is_wiped = memory && rt_wipe_on_fork(memory, bytes);
  return memory;
}

/* A child that was made by fork() or the like, even without running the
   handlers of pthread_atfork(), finds 0 in the page. A child that shares the
   memory finds the parent's process id, which is not its own. */
static struct {
  uint32_t *page;
  uint32_t pid; /* without such pages */
} own;

void rt_own_init(uint32_t pid) {
  // Written at once: a page that is read first takes two faults.
  const uint32_t before =
      own.page ? __atomic_exchange_n(own.page, pid, __ATOMIC_ACQ_REL) : 0;

  if (before && own.pid != pid && before == own.pid) {
    is_wiping_faked = true;
    rt_unmap(own.page, sizeof(*own.page));
    own.page = NULL;
  }
  own.pid = pid;
  if (!own.page) {
    uint32_t *page = rt_map(sizeof(*page));
    if (page && !wipe_on_fork(page, sizeof(*page))) {
      rt_unmap(page, sizeof(*page));
      page = NULL;
    }
    own.page = page;
  }
  if (own.page)
    rt_store(own.page, pid);
}

/* The page that identifies the process of this memory is between the two
   rooms, and then those that will be closed: their neighbours are mappings with
   other access. */
void rt_start_memory(size_t n_kept, size_t n_wiped, size_t n_closed) {
  const size_t page = rt_page_bytes();
  const size_t before = n_wiped;
  char *const memory = rt_map_near(0, before + page + n_closed + n_kept);

  if (!memory)
    return;
  page_bytes = page;
  const size_t unchanged = is_never_wiped ? before : 0;
  const bool is_done =
      wipe_on_fork(memory + unchanged, before - unchanged + page);
  if (is_done)
    own.page = (uint32_t *)(memory + before);
  if (is_done || is_never_wiped)
    add_room(&wiped, memory, before);
  char *const after = memory + before + page + n_closed;
  closed = (struct room){after - n_closed, after};
  add_room(&kept, after, n_kept);
}

void rt_more_memory(size_t n_kept, size_t n_wiped, size_t n) {
  if (!page_bytes || kept.n == MAX_ROOMS || wiped.n == MAX_ROOMS ||
      (n_left(&kept) >= n_kept && n_left(&wiped) >= n_wiped))
    return;
  n_kept *= n;
  n_wiped *= n;
  char *const memory = rt_map_near(0, n_wiped + n_kept);
  if (!memory)
    return;
  if (rt_wipe_on_fork(memory, n_wiped))
    add_room(&wiped, memory, n_wiped);
  else
    rt_unmap(memory, n_wiped);
  add_room(&kept, memory + n_wiped, n_kept);
}

void *rt_map_closed(size_t bytes) {
  void *memory = cut(&closed, bytes);

  if (!memory)
    memory = rt_map_near(0, bytes);
  if (memory &&
      rt_sys(SYS_mprotect, (long)memory, (long)bytes, PROT_NONE, 0, 0)) {
    rt_unmap(memory, bytes);
    return NULL;
  }
  return memory;
}

static void unmap_room(struct room *room) {
  rt_unmap(room->at, (size_t)(room->end - room->at));
  *room = (struct room){NULL, NULL};
}

void rt_start_memory_release(void) {
  unmap_room(&closed);
  for (uint32_t i = 0; i < MAX_ROOMS; i++) {
    unmap_room(&kept.items[i]);
    unmap_room(&wiped.items[i]);
  }
  kept.n = wiped.n = 0;
  rt_unmap(own.page, sizeof(*own.page));
  own.page = NULL;
}

bool rt_was_forked(void) { return own.page && !rt_load(own.page); }

/* Does the calling thread belong to the process of that id? */
static bool is_thread_of(uint32_t pid) {
  const uint32_t tid = rt_tid();

  return tid == pid || !rt_sys(SYS_tgkill, (long)pid, (long)tid, 0, 0, 0);
}

bool rt_is_own(void) {
  const long pid = rt_sys(SYS_getpid, 0, 0, 0, 0, 0);
  const uint32_t owner = own.page ? rt_load(own.page) : own.pid;

  // A filter may reject getpid() alone.
  return !owner || owner == (uint32_t)pid || (pid < 0 && is_thread_of(owner));
}

uint32_t rt_pid(void) {
  const uint32_t pid = own.page ? rt_load(own.page) : 0;

  return pid ? pid : (uint32_t)rt_sys(SYS_getpid, 0, 0, 0, 0, 0);
}
