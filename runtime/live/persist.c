/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The live file; include/arcline/live_format.h. Memory that counts is mapped
   from anonymous memory first, then overlaid with a piece of the file; so any
   failure leaves memory that is as good as without the file. Blocks of the disk
   are allocated before a piece is mapped: a full disk must not become a SIGBUS.

   Children of a process that writes to a pool have the same in memory that
   their relatives see (live/family.h), with two differences: there are no
   objects, which a relative has itself, and the detail of tables of arcs is
   their load, that of baselines their order. */
#include <errno.h>
#include <sys/syscall.h>

#include "live/family.h"
#include "live/persist.h"
#include "live/regions.h"
#include "objects/link_map.h"
#include "os/os.h"

static struct rt_live *live;  /* NULL: no file */
static struct rt_live *spare; /* for a child in the family's memory */

static void complain(struct rt_live *file, int error) {
  char text[64];
  struct rt_str str = {.text = text, .room = sizeof(text)};

  if (__atomic_exchange_n(&file->has_failed, true, __ATOMIC_ACQ_REL))
    return;
  rt_str_add_error(&str, error);
  rt_message(file->file.path, ": cannot write: ", text,
             "; counts from now on are lost if the program is killed", NULL);
}

void rt_persist_miss(void) {
  if (live)
    __atomic_fetch_add(&live->head->n_missing, 1, __ATOMIC_ACQ_REL);
}

bool rt_persist_back(enum arcline_live_kind kind,
                     const struct rt_object *object, void *memory, size_t bytes,
                     uint64_t detail) {
  struct rt_live *file = live;
  const bool is_object = kind == ARCLINE_LIVE_OBJECT;
  struct arcline_live_region *entry = NULL;
  struct rt_signals signals;
  int rc = -ENOSPC;

  if (!file)
    return false;
  struct arcline_live_head *head = file->head;
  const bool is_shared = file->shared_bytes != 0;
  if (is_shared && rt_region_find(file, memory) != ARCLINE_LIVE_MAX_REGIONS)
    return true;
  if (!is_shared)
    rt_signals_block(&signals); // SIGXFSZ
  if (is_object || is_shared || object->live.record)
    entry = rt_region_claim(head, bytes);
  if (entry)
    rc = rt_region_overlay(file, entry, memory, bytes);
  if (!rc) {
    const size_t number = (size_t)(entry - head->regions);
    file->pieces[number].bytes = bytes;
    rt_store(&file->pieces[number].at, memory);
    rt_region_describe(entry, kind,
                       is_object   ? (uint32_t)number
                       : is_shared ? object->number
                                   : object->live.region,
                       bytes, detail);
    if (is_shared && kind == ARCLINE_LIVE_CELLS &&
        bytes <= RT_FAMILY_KEPT_BYTES)
      rt_populate(memory, bytes); // the pages that the last owner had
  } else {
    if (entry && entry->room)
      rt_store(&entry->kind, (uint32_t)ARCLINE_LIVE_FREE);
    rt_persist_miss();
    if (!is_shared)
      complain(file, rc);
  }
  if (!is_shared)
    rt_signals_restore(&signals);
  return rc == 0;
}

void rt_persist_forget(const void *memory) {
  struct rt_live *file = live;
  const size_t i = file && memory ? rt_region_find(file, memory)
                                  : (size_t)ARCLINE_LIVE_MAX_REGIONS;

  if (i == ARCLINE_LIVE_MAX_REGIONS)
    return;
  // First, so that no fork() replaces what is not ours any more.
  rt_store(&file->pieces[i].at, NULL);
  rt_store(&file->head->regions[i].kind, (uint32_t)ARCLINE_LIVE_FREE);
}

static bool back_arcs(const struct rt_object *object, void *memory,
                      size_t bytes) {
  return rt_persist_back(ARCLINE_LIVE_ARCS, object, memory, bytes,
                         object->loads.n);
}

const struct rt_backing rt_persist_backing = {.back = back_arcs,
                                              .forget = rt_persist_forget};

static void set_texts(const struct rt_object *object,
                      struct arcline_live_object *record) {
  for (size_t i = 0; i < object->n_texts; i++) {
    record->texts[i].low_vaddr = object->texts[i].low_vaddr;
    record->texts[i].high_vaddr = object->texts[i].high_vaddr;
  }
  record->n_texts = (uint32_t)object->n_texts;
}

void rt_persist_describe(struct rt_object *object) {
  struct rt_live *file = live;
  const bool is_wanted = file && !file->shared_bytes;
  struct arcline_live_object *record =
      is_wanted ? rt_map(sizeof(*record)) : NULL;

  if (!record)
    return;
  if (!rt_persist_back(ARCLINE_LIVE_OBJECT, object, record, sizeof(*record),
                       0)) {
    rt_unmap(record, sizeof(*record));
    return;
  }
  rt_object_path(object, record->path);
  record->number = (uint16_t)object->number;
  rt_copy(record->suffix, object->suffix, sizeof(record->suffix));
  rt_copy(record->build_id, object->build_id, sizeof(record->build_id));
  record->n_build_id = (uint16_t)object->n_build_id;
  set_texts(object, record);
  record->bin_bytes = object->bin_bytes;
  record->n_cells = object->n_cells;
  object->live.region = (uint32_t)rt_region_find(file, record);
  object->live.record = record;
}

/* Copies what was counted before there was anything to count in. */
static void copy_early(struct rt_object *object) {
  const struct rt_image *image = &object->image;
  const size_t n_bytes = object->n_cells * sizeof(uint64_t);
  const size_t n_total = n_bytes + RT_EARLY_ARCS * sizeof(*image->early);

  if (!object->live.early) {
    object->live.early = rt_map(n_total);
    if (object->live.early)
      rt_persist_back(ARCLINE_LIVE_EARLY, object, object->live.early, n_total,
                      0);
  }
  if (!object->live.early)
    return;
  rt_copy(object->live.early, image->cells, n_bytes);
  rt_copy(object->live.early + n_bytes, image->early, n_total - n_bytes);
}

static void copy_callees(struct rt_object *object) {
  const struct rt_image *image = &object->image;
  const size_t n = (size_t)(image->sites_end - image->sites);

  if (object->live.n_callees != n && object->live.callees) {
    rt_persist_forget(object->live.callees);
    rt_unmap(object->live.callees,
             object->live.n_callees * sizeof(*object->live.callees));
    object->live.callees = NULL;
  }
  if (!n)
    return;
  if (!object->live.callees) {
    const size_t bytes = n * sizeof(*object->live.callees);
    object->live.callees = rt_map(bytes);
    if (!object->live.callees)
      return;
    rt_persist_back(ARCLINE_LIVE_CALLEES, object, object->live.callees, bytes,
                    0);
    object->live.n_callees = n;
  }
  for (size_t i = 0; i < n; i++) {
    object->live.callees[i].callee = image->sites[i].callee;
    object->live.callees[i].second = image->sites[i].second;
  }
}

void rt_persist_attach(struct rt_object *object) {
  struct arcline_live_object *record = object->live.record;

  object->loads.n++;
  if (live && live->shared_bytes && object->live.callees) // of another load
    rt_zero(object->live.callees,
            object->live.n_callees * sizeof(*object->live.callees));
  if (!live || !record)
    return;
  // The baseline has taken the place of the load that came before, so nothing
  // of this counts yet.
  record->load_bias = object->load_bias;
  record->position = object->position;
  record->cells_vaddr =
      (uint64_t)(uintptr_t)object->image.cells - object->load_bias;
  record->n_sites = (uint64_t)(object->image.sites_end - object->image.sites);
  copy_early(object);
  copy_callees(object);
  rt_store(&record->load, object->loads.n);
}

void rt_persist_unload(struct rt_object *object) {
  const size_t bytes = sizeof(object->loads.biases);

  if (!live || !object->live.record)
    return;
  if (!object->live.loads) {
    object->live.loads = rt_map(bytes);
    if (object->live.loads)
      rt_persist_back(ARCLINE_LIVE_LOADS, object, object->live.loads, bytes, 0);
  }
  if (object->live.loads)
    rt_copy(object->live.loads, object->loads.biases, bytes);
}

void rt_persist_main(const struct rt_object *object) {
  if (live && !live->shared_bytes)
    live->head->main = object->number;
}

void rt_persist_keep(const struct rt_object *object,
                     const struct arcline_live_baseline *baseline) {
  struct rt_live *file = live;

  if (!file || (!file->shared_bytes && !object->live.record))
    return;
  const size_t i = rt_region_find(file, baseline);
  if (i == ARCLINE_LIVE_MAX_REGIONS)
    return;
  if (file->shared_bytes)
    rt_store(&file->head->regions[i].detail, ++file->n_kept);
  else
    rt_store(&object->live.record->baseline, i + 1);
}

/* Enters the process of the file and the name of its profile. */
static void name_profile(const struct rt_settings *settings,
                         struct rt_live *file) {
  struct arcline_live_head *const head = file->head;
  const unsigned n_before = file->file.n_before;
  char path[RT_MAX_PATH];
  struct rt_str str = {.text = path, .room = sizeof(path)};
  struct rt_str name = {.text = head->name, .room = sizeof(head->name)};

  head->pid = (uint32_t)rt_sys(SYS_getpid, 0, 0, 0, 0, 0);
  rt_settings_name(settings, &(const struct rt_name){.suffix = "", .kind = ""},
                   &str);
  rt_zero(head->name, sizeof(head->name));
  rt_str_add(&name, path + rt_folder_length(path));
  if (settings->is_pool) { // recovered files are beside it, to be added up
    rt_str_add(&name, ".");
    rt_str_add_number(&name, head->pid);
  }
  if (n_before && (settings->is_pool || settings->has_own_files)) {
    rt_str_add(&name, "."); // as in names of profiles, see add_pid()
    rt_str_add_number(&name, n_before + 1);
  }
}

/* Writes all but the head's magic. */
static void fill_head(const struct rt_settings *settings,
                      const struct rt_clock *clock, struct rt_live *file) {
  struct arcline_live_head *const head = file->head;
  struct rt_str dimension = {.text = head->dimension,
                             .room = sizeof(head->dimension)};
  struct rt_str program = {.text = head->program,
                           .room = sizeof(head->program)};

  head->version = ARCLINE_LIVE_VERSION;
  head->head_bytes = ARCLINE_LIVE_HEAD_BYTES;
  head->byte_order = ARCLINE_LIVE_BYTE_ORDER;
  head->rate_hz = clock->rate;
  head->sampling_hz = clock->has_samples ? clock->rate : 0;
  rt_str_add(&dimension, clock->dimension);
  head->abbreviation = clock->abbreviation;
  head->end = ARCLINE_LIVE_HEAD_BYTES;
  name_profile(settings, file);
  rt_str_add(&program, settings->program);
}

void rt_persist_start(const struct rt_settings *settings,
                      const struct rt_clock *clock) {
  struct rt_live *file = settings->is_persistent ? rt_map(sizeof(*file)) : NULL;
  struct rt_signals signals;

  if (!file)
    return;
  rt_signals_block(&signals); // SIGXFSZ
  const int fd = rt_live_file_create(settings, &file->file);
  int rc = fd < 0 ? fd : 0;
  file->head = rt_map(ARCLINE_LIVE_HEAD_BYTES);
  if (!rc && !file->head)
    rc = -ENOMEM;
  if (!rc)
    rc = rt_live_file_allocate(fd, 0, file->head, ARCLINE_LIVE_HEAD_BYTES);
  if (!rc)
    rc = rt_map_file(fd, 0, file->head, ARCLINE_LIVE_HEAD_BYTES);
  if (fd >= 0)
    rt_sys(SYS_close, fd, 0, 0, 0, 0);
  if (!rc) {
    uint64_t magic;
    fill_head(settings, clock, file);
    rt_copy(&magic, ARCLINE_LIVE_MAGIC, sizeof(magic));
    rt_store((uint64_t *)(void *)file->head->magic, magic);
    live = file;
  } else {
    complain(file, rc);
    if (fd >= 0)
      rt_live_file_remove(&file->file);
    rt_unmap(file->head, ARCLINE_LIVE_HEAD_BYTES);
    rt_unmap(file, sizeof(*file));
  }
  rt_signals_restore(&signals);
}

void rt_persist_finish(void) {
  if (live && live->shared_bytes)
    rt_family_finish(RT_FAMILY_ALL);
  else if (live)
    rt_live_file_remove(&live->file);
}

void rt_persist_finish_object(const struct rt_object *object) {
  if (live && live->shared_bytes)
    rt_family_finish(object ? (uint32_t)object->number : 0);
}

bool rt_persist_is_on(void) { return live != NULL; }

bool rt_persist_is_shared(void) { return live && live->shared_bytes; }

/* Descriptions of objects are the child's as well. A baseline is for counts
   that it does not have. */
static void take_over(struct rt_live *file, size_t i, bool is_inherited) {
  struct arcline_live_region *entry = &file->head->regions[i];
  const bool is_description = entry->kind == ARCLINE_LIVE_OBJECT ||
                              entry->kind == ARCLINE_LIVE_CALLEES ||
                              entry->kind == ARCLINE_LIVE_LOADS;

  if (file->pieces[i].at)
    rt_region_replace(&file->pieces[i], is_inherited || is_description);
  if (entry->kind == ARCLINE_LIVE_OBJECT && !is_inherited)
    ((struct arcline_live_object *)file->pieces[i].at)->baseline = 0;
  if (file->pieces[i].at &&
      (entry->kind != ARCLINE_LIVE_BASELINE || is_inherited))
    return;
  file->pieces[i].at = NULL;
  entry->kind = ARCLINE_LIVE_FREE;
  entry->room = 0;
}

/* Writes a file like the parent's. Returns 0 or a negative errno. */
static int renew(const struct rt_settings *settings, struct rt_live *file) {
  const size_t n = rt_regions_in_use(file);
  int rc = 0;
  const int fd = rt_live_file_create(settings, &file->file);

  if (fd < 0)
    return fd;
  name_profile(settings, file);
  file->head->n_missing = 0;
  for (size_t i = 0; i < n && !rc; i++)
    if (file->pieces[i].at)
      rc = rt_live_file_move_in(fd, file->head->regions[i].offset,
                                file->pieces[i].at, file->pieces[i].bytes);
  if (!rc)
    rc = rt_live_file_move_in(fd, 0, file->head, ARCLINE_LIVE_HEAD_BYTES);
  rt_sys(SYS_close, fd, 0, 0, 0, 0);
  if (rc)
    rt_live_file_remove(&file->file);
  return rc;
}

/* The parent's pieces that were replaced in this child. */
static struct {
  struct rt_piece *pieces;
  size_t n;
} replaced;

/* Gives the relatives' memory back; a child takes other. */
static void leave_shared(struct rt_live *file) {
  replaced.pieces = file->pieces;
  replaced.n = rt_regions_in_use(file);
  for (size_t i = 0; i < replaced.n; i++)
    if (file->pieces[i].at)
      rt_region_replace(&file->pieces[i], false);
  for (struct rt_object *it = rt_objects(); it; it = it->next)
    it->live.callees = NULL; // the parent's
}

bool rt_persist_was_replaced(const void *memory) {
  for (size_t i = 0; i < replaced.n; i++)
    if (replaced.pieces[i].at == memory)
      return true;
  return false;
}

void rt_persist_end_child(void) {
  for (size_t i = 0; i < replaced.n; i++)
    replaced.pieces[i].at = NULL;
  replaced.n = 0;
}

void rt_persist_prepare(void) {
  if (!spare)
    spare = rt_map(sizeof(*spare));
}

void rt_persist_share(struct arcline_live_head *head, size_t n_bytes) {
  struct rt_live *file = spare;

  head->end = ARCLINE_LIVE_HEAD_BYTES;
  head->pid = rt_pid();
  file->head = head;
  file->shared_bytes = n_bytes;
  file->n_kept = 0;
  live = file;
}

/* Their address may be any, so nothing is mapped. */
static void share_callees(struct rt_object *object) {
  const size_t n = (size_t)(object->image.sites_end - object->image.sites);
  const size_t n_bytes = n * sizeof(*object->live.callees);
  struct arcline_live_region *entry =
      n ? rt_region_claim(live->head, n_bytes) : NULL;

  object->live.callees =
      entry ? rt_region_place_shared(live, entry, n_bytes) : NULL;
  if (object->live.callees) {
    object->live.n_callees = n;
    rt_region_describe(entry, ARCLINE_LIVE_CALLEES, object->number, n_bytes,
                       object->loads.n);
  } else if (n) {
    rt_persist_miss();
  }
}

void rt_persist_share_object(struct rt_object *object) {
  // Callees of before are known to the relatives.
  share_callees(object);
  for (size_t i = 0; i < object->n_texts; i++) {
    struct rt_text *text = &object->texts[i];
    if (text->bins && rt_persist_back(ARCLINE_LIVE_BINS, object, text->bins,
                                      rt_object_bins_bytes(object, i), i))
      text->is_wiped = false;
  }
}

void rt_persist_in_child(bool is_inherited) {
  const struct rt_settings *settings = rt_settings();
  const struct rt_piece head = {.at = live ? live->head : NULL,
                                .bytes = ARCLINE_LIVE_HEAD_BYTES};
  struct rt_live *file = live;

  live = NULL;
  if (!file)
    return;
  if (file->shared_bytes) {
    leave_shared(file);
    return;
  }
  rt_region_replace(&head, true);
  const size_t n = rt_regions_in_use(file);
  for (size_t i = 0; i < n; i++)
    take_over(file, i, is_inherited);
  const int rc =
      settings->fork_mode == RT_FORK_OFF ? -ENOENT : renew(settings, file);
  if (!rc) {
    live = file;
    return;
  }
  if (settings->fork_mode != RT_FORK_OFF)
    complain(file, rc);
  rt_unmap(file->head, ARCLINE_LIVE_HEAD_BYTES);
  rt_unmap(file, sizeof(*file));
}
