/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The reader of live files: the contents of a whole one, and rejection of each
   kind of damage. */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "gmon/live_file.h"

enum {
  N_CELLS = 3,
  N_ARCS = 2,
  N_SITES = 2,
  N_BINS = 600,
  N_REGIONS = 8,
  FILE_BYTES = ARCLINE_LIVE_HEAD_BYTES + N_REGIONS * ARCLINE_LIVE_ALIGN,
};

/* Regions of the file, in order. */
enum { OBJECT, CELLS, ARCS, BINS, BASELINE, EARLY, CALLEES, MORE_CELLS };

static int should_end;

struct whole {
  uint8_t *bytes; /* FILE_BYTES */
  struct arcline_live_head *head;
  struct arcline_live_object *object;
  struct arcline_live_baseline *baseline;
};

static void *place(const struct whole *whole, size_t i) {
  return whole->bytes + ARCLINE_LIVE_HEAD_BYTES + i * ARCLINE_LIVE_ALIGN;
}

static void add(struct whole *whole, size_t i, enum arcline_live_kind kind,
                uint64_t n_bytes) {
  whole->head->regions[i] = (struct arcline_live_region){
      .kind = kind,
      .object = OBJECT,
      .offset = ARCLINE_LIVE_HEAD_BYTES + i * ARCLINE_LIVE_ALIGN,
      .room = ARCLINE_LIVE_ALIGN,
      .bytes = n_bytes,
  };
}

static void fill_head(struct arcline_live_head *head) {
  memcpy(head->magic, ARCLINE_LIVE_MAGIC, sizeof(head->magic));
  head->version = ARCLINE_LIVE_VERSION;
  head->head_bytes = ARCLINE_LIVE_HEAD_BYTES;
  head->byte_order = ARCLINE_LIVE_BYTE_ORDER;
  head->rate_hz = 100;
  strcpy(head->dimension, "seconds");
  strcpy(head->name, "gmon.out");
  head->n_regions = N_REGIONS;
}

static struct whole make(void) {
  struct whole whole = {.bytes = calloc(1, FILE_BYTES)};

  assert_non_null(whole.bytes);
  whole.head = (struct arcline_live_head *)whole.bytes;
  fill_head(whole.head);
  add(&whole, OBJECT, ARCLINE_LIVE_OBJECT, sizeof(struct arcline_live_object));
  add(&whole, CELLS, ARCLINE_LIVE_CELLS, N_CELLS * sizeof(uint64_t));
  add(&whole, ARCS, ARCLINE_LIVE_ARCS,
      N_ARCS * sizeof(struct arcline_live_arc));
  add(&whole, BINS, ARCLINE_LIVE_BINS,
      N_BINS * sizeof(uint64_t) + N_BINS / ARCLINE_LIVE_CHUNK_BINS + 1);
  add(&whole, BASELINE, ARCLINE_LIVE_BASELINE,
      sizeof(struct arcline_live_baseline) + N_CELLS * sizeof(uint64_t) +
          N_ARCS * sizeof(struct arcline_live_arc));
  add(&whole, EARLY, ARCLINE_LIVE_EARLY,
      N_CELLS * sizeof(uint64_t) + N_ARCS * sizeof(struct arcline_live_arc));
  add(&whole, CALLEES, ARCLINE_LIVE_CALLEES,
      N_SITES * sizeof(struct arcline_live_callees));
  add(&whole, MORE_CELLS, ARCLINE_LIVE_CELLS, N_CELLS * sizeof(uint64_t));
  whole.object = place(&whole, OBJECT);
  *whole.object = (struct arcline_live_object){
      .load = 2,
      .baseline = BASELINE + 1,
      .n_cells = N_CELLS,
      .n_sites = N_SITES,
      .bin_bytes = 2,
      .n_texts = 1,
      .texts = {{0x1000, 0x1000 + 2 * N_BINS}},
      .number = 1,
      .path = "/image",
  };
  whole.baseline = place(&whole, BASELINE);
  *whole.baseline = (struct arcline_live_baseline){
      .first_load = 2, .n_cells = N_CELLS, .n_arcs = N_ARCS};
  return whole;
}

/* Writes n_bytes of it to a file and opens that. */
static int open_part(const struct whole *whole, size_t n_bytes,
                     struct live_file *out, struct err *err) {
  char path[] = "/tmp/test_live_file.XXXXXX";
  const int fd = mkstemp(path);

  assert_true(fd >= 0);
  assert_int_equal(write(fd, whole->bytes, n_bytes), n_bytes);
  close(fd);
  const int rc = live_file_open(path, out, err);
  unlink(path);
  return rc;
}

static void test_whole(void **state) {
  struct whole whole = make();
  struct live_file file;
  struct err err = {0};

  (void)state;
  ((uint64_t *)place(&whole, MORE_CELLS))[2] = 17;
  assert_int_equal(open_part(&whole, FILE_BYTES, &file, &err), 0);
  assert_int_equal(file.n_objects, 1);
  const struct live_object *object = &file.objects[0];
  assert_int_equal(object->is_loaded, 1);
  assert_int_equal(object->n_copies, 2);
  assert_int_equal(object->copies[1][2], 17);
  assert_int_equal(object->n_tables, 1);
  assert_int_equal(object->tables[0].n, N_ARCS);
  assert_int_equal(object->early.n, N_ARCS);
  assert_non_null(object->bins[0]);
  assert_ptr_equal(object->touched[0], object->bins[0] + N_BINS);
  assert_non_null(object->callees);
  assert_int_equal(object->baseline->n_arcs, N_ARCS);
  live_file_close(&file);
  live_file_close(&file);
  free(whole.bytes);
}

/* A region that extends to the next one, three copies of cells, a text from
   address 0, a name with a suffix; and data after the last region. */
static void test_borders(void **state) {
  struct whole whole = make();
  struct live_file file;
  struct err err = {0};

  (void)state;
  whole.head->regions[CELLS].bytes = ARCLINE_LIVE_ALIGN;
  whole.head->regions[EARLY].kind = ARCLINE_LIVE_CELLS;
  whole.head->regions[N_REGIONS] = whole.head->regions[ARCS];
  whole.object->texts[0].low_vaddr = 0;
  whole.object->texts[0].high_vaddr = 2 * N_BINS;
  strcpy(whole.object->suffix, ".plugin.so");
  assert_int_equal(open_part(&whole, FILE_BYTES, &file, &err), 0);
  assert_int_equal(file.objects[0].n_copies, 3);
  assert_int_equal(file.objects[0].n_tables, 1);
  live_file_close(&file);
  free(whole.bytes);
}

static void test_object_alone(void **state) {
  struct whole whole = make();
  struct live_file file;
  struct err err = {0};

  (void)state;
  whole.head->n_regions = 1;
  whole.object->baseline = 0;
  assert_int_equal(open_part(&whole, FILE_BYTES, &file, &err), 0);
  assert_int_equal(file.n_objects, 1);
  assert_int_equal(file.objects[0].is_loaded, 1);
  assert_int_equal(file.objects[0].n_copies, 0);
  assert_null(file.objects[0].baseline);
  live_file_close(&file);
  free(whole.bytes);
}

static void test_two_objects(void **state) {
  struct whole whole = make();
  struct live_file file;
  struct err err = {0};

  (void)state;
  whole.object->baseline = 0;
  add(&whole, CELLS, ARCLINE_LIVE_OBJECT, sizeof(*whole.object));
  memcpy(place(&whole, CELLS), whole.object, sizeof(*whole.object));
  ((struct arcline_live_object *)place(&whole, CELLS))->number = 2;
  for (size_t i = CELLS; i < N_REGIONS; i++)
    whole.head->regions[i].object = CELLS;
  assert_int_equal(open_part(&whole, FILE_BYTES, &file, &err), 0);
  assert_int_equal(file.n_objects, 2);
  assert_int_equal(file.objects[0].n_tables, 0);
  assert_int_equal(file.objects[1].n_tables, 1);
  assert_int_equal(file.objects[1].n_copies, 1);
  live_file_close(&file);
  free(whole.bytes);
}

/* The baseline has all counts of the last load. */
static void test_unloaded(void **state) {
  struct whole whole = make();
  struct live_file file;
  struct err err = {0};

  (void)state;
  whole.baseline->first_load = 3;
  assert_int_equal(open_part(&whole, FILE_BYTES, &file, &err), 0);
  assert_int_equal(file.objects[0].is_loaded, 0);
  live_file_close(&file);
  free(whole.bytes);
}

/* A program that was killed while it set up a region, or an object. */
static void test_unfinished(void **state) {
  struct whole whole = make();
  struct live_file file;
  struct err err = {0};

  (void)state;
  whole.head->regions[MORE_CELLS] =
      (struct arcline_live_region){.offset = UINT64_MAX, .bytes = 1};
  assert_int_equal(open_part(&whole, FILE_BYTES, &file, &err), 0);
  assert_int_equal(file.objects[0].n_copies, 1);
  live_file_close(&file);
  memset(whole.object, 0, sizeof(*whole.object));
  assert_int_equal(open_part(&whole, FILE_BYTES, &file, &err), 0);
  assert_int_equal(file.n_objects, 0);
  live_file_close(&file);
  free(whole.bytes);
}

static void no_magic(struct whole *whole) { whole->head->magic[0] = 0; }
static void other_version(struct whole *whole) {
  whole->head->version = ARCLINE_LIVE_VERSION + 1;
}
static void other_order(struct whole *whole) {
  whole->head->byte_order = 0x0807060504030201;
}
static void no_rate(struct whole *whole) { whole->head->rate_hz = 0; }
static void path_for_name(struct whole *whole) {
  strcpy(whole->head->name, "../gmon.out");
}
static void endless_name(struct whole *whole) {
  memset(whole->head->name, 'x', sizeof(whole->head->name));
}
static void endless_dimension(struct whole *whole) {
  memset(whole->head->dimension, 'x', sizeof(whole->head->dimension));
}
static void unknown_kind(struct whole *whole) {
  whole->head->regions[ARCS].kind = 99;
}
static void in_head(struct whole *whole) {
  whole->head->regions[CELLS].offset = ARCLINE_LIVE_ALIGN;
}
static void unaligned(struct whole *whole) {
  whole->head->regions[CELLS].offset += 8;
}
static void far_away(struct whole *whole) {
  whole->head->regions[CELLS].offset = 0 - (uint64_t)ARCLINE_LIVE_ALIGN;
}
static void endless_region(struct whole *whole) {
  whole->head->regions[CELLS].bytes = UINT64_MAX;
}
static void overlap(struct whole *whole) {
  whole->head->regions[ARCS].offset = whole->head->regions[CELLS].offset;
}
static void small_cells(struct whole *whole) {
  whole->head->regions[CELLS].bytes -= 1;
}
static void small_object(struct whole *whole) {
  whole->head->regions[OBJECT].bytes -= 1;
}
static void small_bins(struct whole *whole) {
  whole->head->regions[BINS].bytes -= 1;
}
static void bins_of_nothing(struct whole *whole) {
  whole->head->regions[BINS].detail = 1;
}
static void small_early(struct whole *whole) {
  whole->head->regions[EARLY].bytes = N_CELLS * sizeof(uint64_t) - 1;
}
static void two_early(struct whole *whole) {
  whole->head->regions[MORE_CELLS].kind = ARCLINE_LIVE_EARLY;
}
static void small_callees(struct whole *whole) {
  whole->head->regions[CALLEES].bytes -= 1;
}
static void baseline_elsewhere(struct whole *whole) {
  whole->object->baseline = UINT64_MAX;
}
static void baseline_in_arcs(struct whole *whole) {
  whole->object->baseline = ARCS + 1;
}
static void many_baseline_arcs(struct whole *whole) {
  whole->baseline->n_arcs = UINT64_MAX / 8;
}
static void many_baseline_cells(struct whole *whole) {
  whole->baseline->n_cells = (uint64_t)1 << 61;
}
static void other_baseline_cells(struct whole *whole) {
  whole->baseline->n_cells = N_CELLS - 1;
}
static void many_cells(struct whole *whole) {
  whole->object->n_cells = (uint64_t)1 << 61;
}
static void many_sites(struct whole *whole) {
  whole->object->n_sites = (uint64_t)1 << 60;
}
static void long_build_id(struct whole *whole) {
  whole->object->n_build_id = ARCLINE_LIVE_BUILD_ID_BYTES + 1;
}

static void large_number(struct whole *whole) {
  whole->object->number = 0x4000;
}
static void many_texts(struct whole *whole) {
  whole->object->n_texts = ARCLINE_LIVE_MAX_TEXTS + 1;
}
static void backward_text(struct whole *whole) {
  whole->object->texts[0].high_vaddr = 0x0ffe;
}
static void text_of_the_kernel(struct whole *whole) {
  whole->object->texts[0].low_vaddr |= 0xffffffff00000000;
  whole->object->texts[0].high_vaddr |= 0xffffffff00000000;
}
static void odd_text(struct whole *whole) {
  whole->object->texts[0].low_vaddr++;
}
static void wide_bins(struct whole *whole) { whole->object->bin_bytes = 0; }
static void path_for_suffix(struct whole *whole) {
  strcpy(whole->object->suffix, "./../x");
}
static void endless_path(struct whole *whole) {
  memset(whole->object->path, 'x', sizeof(whole->object->path));
}
static void second_object(struct whole *whole) {
  whole->head->regions[MORE_CELLS].kind = ARCLINE_LIVE_OBJECT;
  whole->head->regions[MORE_CELLS].bytes = sizeof(*whole->object);
  memcpy(place(whole, MORE_CELLS), whole->object, sizeof(*whole->object));
}

static const struct {
  void (*damage)(struct whole *whole);
  const char *message; /* part of it */
} damages[] = {
    {no_magic, "not a live file"},
    {other_version, "live file has version 4, this arcline reads version 3"},
    {other_order, "byte order"},
    {no_rate, "header is corrupt"},
    {path_for_name, "header is corrupt"},
    {endless_name, "header is corrupt"},
    {endless_dimension, "header is corrupt"},
    {unknown_kind, "region 2 is corrupt: unknown kind"},
    {in_head, "region 1 is corrupt: bad offset or size"},
    {unaligned, "region 1 is corrupt: bad offset or size"},
    {far_away, "truncated"},
    {endless_region, "truncated"},
    {overlap, "two regions overlap"},
    {small_cells, "region 1 is corrupt: too small"},
    {small_object, "region 0 is corrupt: too small"},
    {small_bins, "region 3 is corrupt: too small"},
    {bins_of_nothing, "region 3 is corrupt: belongs to no text"},
    {small_early, "region 5 is corrupt: too small"},
    {two_early, "region 7 is corrupt: object has another region of this kind"},
    {small_callees, "region 6 is corrupt: too small"},
    {baseline_elsewhere, "region 0 is corrupt: baseline is missing"},
    {baseline_in_arcs, "region 0 is corrupt: baseline is missing"},
    {many_baseline_arcs, "region 4 is corrupt: bad sizes"},
    {many_baseline_cells, "region 4 is corrupt: bad sizes"},
    {other_baseline_cells, "region 4 is corrupt: bad sizes"},
    {many_cells, "region 0 is corrupt: size or number is too large"},
    {many_sites, "region 0 is corrupt: size or number is too large"},
    {long_build_id, "region 0 is corrupt: build ID is too long"},
    {large_number, "region 0 is corrupt: size or number is too large"},
    {many_texts, "region 0 is corrupt: bad list of texts"},
    {backward_text, "region 0 is corrupt: bad list of texts"},
    {text_of_the_kernel, "region 0 is corrupt: bad list of texts"},
    {odd_text, "region 0 is corrupt: bad list of texts"},
    {wide_bins, "region 0 is corrupt: bad list of texts"},
    {path_for_suffix, "region 0 is corrupt: bad name"},
    {endless_path, "region 0 is corrupt: bad name"},
    {second_object, "region 7 is corrupt: number is used by another object"},
};

static void test_damages(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
    struct whole whole = make();
    struct live_file file;
    struct err err = {0};
    damages[i].damage(&whole);
    assert_int_equal(open_part(&whole, FILE_BYTES, &file, &err), -1);
    if (!strstr(err.text, damages[i].message))
      fail_msg("\"%s\" lacks \"%s\"", err.text, damages[i].message);
    assert_int_equal(err.code, ERR_INPUT);
    assert_null(file.mapped.bytes);
    free(whole.bytes);
  }
}

static void test_cut_off(void **state) {
  struct whole whole = make();
  const struct arcline_live_region *last = &whole.head->regions[MORE_CELLS];
  const size_t end = last->offset + last->bytes;
  const size_t sizes[] = {8, ARCLINE_LIVE_HEAD_BYTES, end - 1};

  (void)state;
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
    struct live_file file;
    struct err err = {0};
    assert_int_equal(open_part(&whole, sizes[i], &file, &err), -1);
    assert_non_null(strstr(err.text, "truncated"));
  }
  {
    struct live_file file;
    struct err err = {0};
    assert_int_equal(open_part(&whole, end - 5, &file, &err), -1);
    assert_non_null(strstr(err.text, "extends 5 bytes past the end"));
  }
  struct live_file file;
  struct err err = {0};
  assert_int_equal(open_part(&whole, end, &file, &err), 0);
  live_file_close(&file);
  free(whole.bytes);
}

/* The process was killed while it created the file. */
static void test_not_created(void **state) {
  struct whole whole = make();
  const size_t sizes[] = {0, 1, 4096, ARCLINE_LIVE_HEAD_BYTES, FILE_BYTES};

  (void)state;
  memset(whole.head->magic, 0, sizeof(whole.head->magic));
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
    struct live_file file;
    struct err err = {0};
    assert_int_equal(open_part(&whole, sizes[i], &file, &err), 0);
    assert_int_equal(file.n_objects, 0);
    live_file_close(&file);
  }
  free(whole.bytes);
}

/* A program that is reset all the time: each baseline is in another region. */
static void *replace_baselines(void *path) {
  const int fd = open(path, O_RDWR);
  struct whole whole = {.bytes = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE,
                                      MAP_SHARED, fd, 0)};

  close(fd);
  whole.head = (struct arcline_live_head *)whole.bytes;
  whole.object = place(&whole, OBJECT);
  memcpy(place(&whole, MORE_CELLS), place(&whole, BASELINE),
         ARCLINE_LIVE_ALIGN);
  whole.head->regions[MORE_CELLS].bytes = whole.head->regions[BASELINE].bytes;
  for (size_t i = 0; !__atomic_load_n(&should_end, __ATOMIC_ACQUIRE); i++) {
    const size_t fresh = i % 2 ? BASELINE : MORE_CELLS;
    const size_t old = i % 2 ? MORE_CELLS : BASELINE;
    whole.head->regions[fresh].detail = i;
    __atomic_store_n(&whole.head->regions[fresh].kind, ARCLINE_LIVE_BASELINE,
                     __ATOMIC_RELEASE);
    __atomic_store_n(&whole.object->baseline, fresh + 1, __ATOMIC_RELEASE);
    __atomic_store_n(&whole.head->regions[old].kind, ARCLINE_LIVE_FREE,
                     __ATOMIC_RELEASE);
    usleep(2000);
  }
  munmap(whole.bytes, FILE_BYTES);
  return NULL;
}

static void test_while_it_changes(void **state) {
  char path[] = "/tmp/test_live_file.XXXXXX";
  const int fd = mkstemp(path);
  struct whole whole = make();
  pthread_t thread;

  (void)state;
  whole.head->regions[MORE_CELLS].kind = ARCLINE_LIVE_FREE;
  assert_int_equal(write(fd, whole.bytes, FILE_BYTES), FILE_BYTES);
  close(fd);
  assert_int_equal(pthread_create(&thread, NULL, replace_baselines, path), 0);
  for (int i = 0; i < 5000; i++) {
    struct live_file file;
    struct err err = {0};
    if (live_file_open(path, &file, &err) != 0)
      fail_msg("%s", err.text);
    live_file_close(&file);
  }
  __atomic_store_n(&should_end, 1, __ATOMIC_RELEASE);
  pthread_join(thread, NULL);
  unlink(path);
  free(whole.bytes);
}

static void test_no_file(void **state) {
  struct live_file file;
  struct err err = {0};

  (void)state;
  assert_int_equal(live_file_open("/nonexistent", &file, &err), -1);
  assert_non_null(strstr(err.text, "No such file"));
  assert_int_equal(live_file_open("/dev/null", &file, &err), -1);
  assert_non_null(strstr(err.text, "not a regular file"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_whole),
      cmocka_unit_test(test_borders),
      cmocka_unit_test(test_object_alone),
      cmocka_unit_test(test_two_objects),
      cmocka_unit_test(test_unloaded),
      cmocka_unit_test(test_unfinished),
      cmocka_unit_test(test_damages),
      cmocka_unit_test(test_cut_off),
      cmocka_unit_test(test_not_created),
      cmocka_unit_test(test_no_file),
      cmocka_unit_test(test_while_it_changes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
