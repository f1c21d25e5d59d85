/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sums of profiles and of side files: correct, independent of the order of
   files, and damage is detected. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "memory_sink.h"
#include "sum/gmon_sum.h"
#include "sum/side_sum.h"

enum { N_FILES = 7, N_KEYS = 40, N_BINS = 100, N_TREES = 60 };

static void *allocate(size_t n_bytes) { return malloc(n_bytes ? n_bytes : 1); }

static void deallocate(void *memory, size_t n_bytes) {
  (void)n_bytes;
  free(memory);
}

static const struct sum_memory memory_of_libc = {allocate, deallocate};
static const struct sum_side_options side_options = {
    .memory = {allocate, deallocate}};

static uint64_t seed = 12345;

static uint64_t next_random(uint64_t n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (seed >> 33) % n;
}

// --- Files ---

struct bytes {
  uint8_t *at;
  size_t n;
};

static void add(struct bytes *bytes, const void *from, size_t n) {
  uint8_t *const grown = realloc(bytes->at, bytes->n + n + 1);

  assert_non_null(grown);
  bytes->at = grown;
  memcpy(bytes->at + bytes->n, from, n);
  bytes->n += n;
}

static void add_number(struct bytes *bytes, uint64_t number, size_t n) {
  add(bytes, &number, n);
}

/* Its longest run of zeros is passed as known: often a histogram. */
static struct sum_file file_of(const struct bytes *bytes) {
  struct sum_file file = {.bytes = bytes->at, .n_bytes = bytes->n};

  for (size_t i = 0, n; i < bytes->n; i += n + 1) {
    for (n = 0; i + n < bytes->n && !bytes->at[i + n];)
      n++;
    if (n > file.n_zeros) {
      file.zeros = bytes->at + i;
      file.n_zeros = n;
    }
  }
  return file;
}

static struct bytes finish(struct memory_sink *memory) {
  memory_sink_flush(&memory->sink);
  return (struct bytes){memory->bytes, memory->n_bytes};
}

static void assert_equal(const struct bytes *a, const struct bytes *b) {
  assert_int_equal(a->n, b->n);
  assert_memory_equal(a->at, b->at, a->n);
}

static struct bytes sorted(const struct bytes *bytes) {
  static struct memory_sink memory;
  const struct sum_file file = file_of(bytes);
  struct sum_flaw flaw;

  memory_sink_init(&memory);
  assert_int_equal(sum_sort(&file, &memory_of_libc, &memory.sink, &flaw), 0);
  return finish(&memory);
}

typedef int add_up(const struct sum_file files[2], struct write_sink *sink,
                   struct sum_flaw *flaw);

static int add_sides(const struct sum_file files[2], struct write_sink *sink,
                     struct sum_flaw *flaw) {
  return sum_side(files, &side_options, sink, flaw);
}

static struct bytes sum_of(add_up *how, const struct bytes *a,
                           const struct bytes *b) {
  static struct memory_sink memory;
  const struct sum_file files[2] = {file_of(a), file_of(b)};
  struct sum_flaw flaw;

  memory_sink_init(&memory);
  assert_int_equal(how(files, &memory.sink, &flaw), 0);
  return finish(&memory);
}

/* Adds up the files in random order, any two at a time. */
static struct bytes sum_tree(add_up *how, const struct bytes *files) {
  struct bytes left[N_FILES];
  static const struct bytes none;

  for (size_t i = 0; i < N_FILES; i++)
    left[i] = sum_of(how, &files[i], &none);
  for (size_t n = N_FILES; n > 1; n--) {
    const size_t i = next_random(n);
    struct bytes a = left[i];
    left[i] = left[n - 1];
    const size_t j = next_random(n - 1);
    struct bytes b = left[j];
    left[j] = sum_of(how, &a, &b);
    free(a.at);
    free(b.at);
  }
  return left[0];
}

static void assert_order_is_of_no_matter(add_up *how,
                                         const struct bytes *files) {
  struct bytes first = sum_tree(how, files);

  for (size_t i = 0; i < N_TREES; i++) {
    struct bytes other = sum_tree(how, files);
    assert_equal(&first, &other);
    free(other.at);
  }
  free(first.at);
}

// --- Profiles ---

static void add_header(struct bytes *bytes, const char *build_id) {
  add(bytes, "gmon\1\0\0\0ARC1", 12);
  add(bytes, build_id, 8);
}

static void add_histogram(struct bytes *bytes, uint64_t low,
                          const uint16_t *bins) {
  add_number(bytes, 0, 1);
  add_number(bytes, low, 8);
  add_number(bytes, low + 2 * N_BINS, 8);
  add_number(bytes, N_BINS, 4);
  add_number(bytes, 100, 4);
  add(bytes, "seconds\0\0\0\0\0\0\0\0s", 16);
  add(bytes, bins, N_BINS * sizeof(*bins));
}

static void add_arc(struct bytes *bytes, uint64_t from, uint64_t self,
                    uint32_t count) {
  add_number(bytes, 1, 1);
  add_number(bytes, from, 8);
  add_number(bytes, self, 8);
  add_number(bytes, count, 4);
}

static void add_pairs(struct bytes *bytes, size_t n, uint64_t pairs[][2]) {
  add_number(bytes, 2, 1);
  add_number(bytes, n, 4);
  add(bytes, pairs, n * sizeof(*pairs));
}

/* The values that a file, or all of them, should have. */
struct truth {
  uint64_t bins[2][N_BINS], arcs[N_KEYS], pairs[N_KEYS];
  bool has_pair[N_KEYS], has_histogram[2];
};

/* A file with records in any order, some of them twice. */
static struct bytes make_file(struct truth *truth) {
  struct bytes bytes = {0};

  add_header(&bytes, "ABCDEFGH");
  for (size_t n = next_random(30) + 1; n; n--) {
    const size_t which = next_random(3);
    if (which == 0) {
      uint16_t bins[N_BINS];
      const size_t i = next_random(2);
      const bool is_empty = next_random(2);
      for (size_t j = 0; j < N_BINS; j++) {
        bins[j] = is_empty || next_random(3) ? 0 : (uint16_t)next_random(65536);
        truth->bins[i][j] += bins[j];
      }
      truth->has_histogram[i] = true;
      add_histogram(&bytes, 0x1000 * (i + 1), bins);
    } else if (which == 1) {
      const size_t i = next_random(N_KEYS);
      const uint32_t count = 1 + (uint32_t)next_random(UINT32_MAX);
      truth->arcs[i] += count;
      add_arc(&bytes, 0x100 * (i % 5), 0x1000 + i, count);
    } else {
      uint64_t pairs[5][2];
      for (size_t j = 0; j < 5; j++) {
        const size_t i = next_random(N_KEYS);
        pairs[j][0] = 0x2000 + 8 * i;
        pairs[j][1] = next_random(2) ? 0 : next_random((uint64_t)1 << 31) << 9;
        truth->pairs[i] += pairs[j][1];
        truth->has_pair[i] = true;
      }
      add_pairs(&bytes, 5, pairs);
    }
  }
  return bytes;
}

/* Check the values of a sum, and its form on the way. */
static void assert_says(const struct bytes *bytes, const struct truth *truth) {
  struct truth found = {0};
  size_t at = 20;
  uint8_t tag = 0;
  uint64_t before = 0;

  while (at < bytes->n) {
    const uint8_t *const record = bytes->at + at;
    uint64_t numbers[2];
    assert_true(*record >= tag);
    tag = *record;
    memcpy(numbers, record + 1, sizeof(numbers));
    if (tag == 0) {
      const size_t i = numbers[0] / 0x1000 - 1;
      found.has_histogram[i] = true;
      for (size_t j = 0; j < N_BINS; j++) {
        uint16_t bin;
        memcpy(&bin, record + 41 + 2 * j, sizeof(bin));
        found.bins[i][j] += bin;
      }
      at += 41 + 2 * N_BINS;
    } else if (tag == 1) {
      uint32_t count;
      memcpy(&count, record + 17, sizeof(count));
      found.arcs[numbers[1] - 0x1000] += count;
      at += 21;
    } else {
      uint32_t n;
      memcpy(&n, record + 1, sizeof(n));
      for (size_t j = 0; j < n; j++) {
        memcpy(numbers, record + 5 + 16 * j, sizeof(numbers));
        assert_true(numbers[0] > before);
        before = numbers[0];
        found.pairs[(numbers[0] - 0x2000) / 8] += numbers[1];
        found.has_pair[(numbers[0] - 0x2000) / 8] = true;
      }
      at += 5 + 16 * n;
      assert_int_equal(at, bytes->n);
    }
  }
  assert_memory_equal(&found, truth, sizeof(found));
}

static void sums_of_profiles_are_right_in_any_order(void **state) {
  (void)state;
  for (size_t round = 0; round < 20; round++) {
    struct bytes files[N_FILES];
    struct truth truth = {0};
    for (size_t i = 0; i < N_FILES; i++) {
      struct bytes file = make_file(&truth);
      files[i] = sorted(&file);
      struct bytes again = sorted(&files[i]);
      assert_equal(&files[i], &again);
      free(again.at);
      free(file.at);
    }
    struct bytes sum = sum_tree(sum_gmon, files);
    assert_says(&sum, &truth);
    free(sum.at);
    assert_order_is_of_no_matter(sum_gmon, files);
    for (size_t i = 0; i < N_FILES; i++)
      free(files[i].at);
  }
}

static void nothing_and_a_file_are_the_file(void **state) {
  struct bytes nothing = {0}, file = {0};

  (void)state;
  add_header(&file, "ABCDEFGH");
  add_arc(&file, 1, 2, 3);
  struct bytes sum = sum_of(sum_gmon, &nothing, &file);
  assert_equal(&sum, &file);
  free(sum.at);
  free(file.at);
}

static void counts_stay_at_the_largest(void **state) {
  uint64_t pairs[][2] = {{0x2000, UINT64_MAX - 5}, {0x2008, 7}};
  struct bytes file = {0};

  (void)state;
  add_header(&file, "ABCDEFGH");
  add_pairs(&file, 2, pairs);
  struct bytes sum = sum_of(sum_gmon, &file, &file);
  assert_memory_equal(sum.at + 20 + 5 + 8, "\377\377\377\377\377\377\377\377",
                      8);
  assert_int_equal(sum.at[20 + 5 + 16 + 8], 14);
  free(sum.at);
  free(file.at);
}

static enum sum_reason flaw_of(const struct bytes *a, const struct bytes *b,
                               size_t *i_file, uint64_t *offset) {
  static struct memory_sink memory;
  const struct sum_file files[2] = {file_of(a), file_of(b)};
  struct sum_flaw flaw;

  memory_sink_init(&memory);
  const int rc = sum_gmon(files, &memory.sink, &flaw);
  assert_int_equal(rc, flaw.reason ? -1 : 0);
  free(memory.bytes);
  *i_file = flaw.i_file;
  *offset = flaw.offset;
  return flaw.reason;
}

static void what_cannot_be_added_is_refused(void **state) {
  static const uint16_t bins[N_BINS];
  struct bytes good = {0}, bad = {0};
  uint64_t offset;
  size_t i_file;

  (void)state;
  add_header(&good, "ABCDEFGH");
  add_histogram(&good, 0x1000, bins);
  add_arc(&good, 1, 2, 3);
  add_header(&bad, "ABCDEFGX");
  assert_int_equal(flaw_of(&good, &bad, &i_file, &offset), SUM_OTHER_IMAGE);
  assert_int_equal(i_file, 1);
  bad.n = 0;
  add_header(&bad, "ABCDEFGH");
  add_histogram(&bad, 0x1002, bins);
  assert_int_equal(flaw_of(&good, &bad, &i_file, &offset), SUM_OVERLAP);
  bad.n = 0;
  add_header(&bad, "ABCDEFGH");
  add_histogram(&bad, 0x1000, bins);
  bad.at[20 + 21] = 99; // samples per second
  assert_int_equal(flaw_of(&good, &bad, &i_file, &offset), SUM_OTHER_UNIT);
  assert_int_equal(i_file, 1);
  assert_int_equal(offset, 20);
  bad.n = 0;
  add_header(&bad, "ABCDEFGH");
  add_arc(&bad, 1, 2, 3);
  add_arc(&bad, 0, 2, 3);
  assert_int_equal(flaw_of(&good, &bad, &i_file, &offset), SUM_NOT_SORTED);
  assert_int_equal(offset, 41);
  assert_int_equal(flaw_of(&bad, &good, &i_file, &offset), SUM_NOT_SORTED);
  assert_int_equal(i_file, 0);
  bad.n = 0;
  add_header(&bad, "ABCDEFGH");
  uint64_t pairs[][2] = {{0x2000, 1}, {0x2000, 1}};
  add_pairs(&bad, 2, pairs);
  assert_int_equal(flaw_of(&good, &bad, &i_file, &offset), SUM_NOT_SORTED);
  assert_int_equal(flaw_of(&bad, &bad, &i_file, &offset), SUM_NOT_SORTED);
  bad.n = 0;
  add_header(&bad, "ABCDEFGH");
  add_number(&bad, 3, 1);
  assert_int_equal(flaw_of(&good, &bad, &i_file, &offset), SUM_UNKNOWN);
  assert_int_equal(offset, 20);
  // However much of a file is missing.
  for (size_t n = 1; n < good.n; n++) {
    // A separate copy, so that a sanitizer detects reads beyond.
    struct bytes cut = {malloc(n), n};
    memcpy(cut.at, good.at, n);
    const enum sum_reason reason = flaw_of(&good, &cut, &i_file, &offset);
    assert_int_equal(reason, n < 20                        ? SUM_NOT_GMON
                             : n == 20 || n == good.n - 21 ? SUM_FINE
                                                           : SUM_CUT_OFF);
    free(cut.at);
  }
  free(good.at);
  free(bad.at);
}

static void errors_of_the_sink_are_told(void **state) {
  static struct memory_sink memory;
  static const uint16_t bins[N_BINS];
  struct bytes file = {0};
  struct sum_flaw flaw;

  (void)state;
  add_header(&file, "ABCDEFGH");
  for (size_t i = 0; i < 1000; i++)
    add_arc(&file, i, 1, 1);
  struct bytes whole = {0};
  add(&whole, file.at, file.n);
  const struct sum_file files[2] = {file_of(&file), {0}};
  memory_sink_init(&memory);
  memory.fails_at = 2;
  memory.error = -EIO;
  assert_int_equal(sum_gmon(files, &memory.sink, &flaw), -1);
  assert_int_equal(flaw.reason, SUM_CANNOT_WRITE);
  assert_int_equal(memory.sink.error, -EIO);
  free(memory.bytes);
  free(whole.at);
  free(file.at);
  (void)bins;
}

// --- Side files ---

static void add_text(struct bytes *bytes, const char *text) {
  add(bytes, text, strlen(text));
}

/* A process of the program with some of the libraries, numbered in the order of
   loading.
 */
static struct bytes make_side(uint64_t *n_calls, uint64_t *n_samples) {
  static const char *const libraries[] = {"liba.so", "libb.so", "libc.so"};
  struct bytes bytes = {0};
  char line[256];
  size_t order[3] = {0, 1, 2};
  size_t n_libraries = 1 + next_random(3);

  for (size_t i = 0; i < 3; i++) {
    const size_t j = next_random(3), swap = order[i];
    order[i] = order[j];
    order[j] = swap;
  }
  snprintf(line, sizeof(line),
           "arcline-side 1\nprocess %d prog\nclock seconds 100\ncpu 10 20\n"
           "object 0 01 0x5000 gmon.out /bin/prog\ntext 0 0x10 0x20\n",
           (int)next_random(1000));
  add_text(&bytes, line);
  for (size_t i = 0; i < n_libraries; i++) {
    snprintf(line, sizeof(line), "object %zu %s 0x%x %s /lib/%s\n", i + 1,
             order[i] ? "aa0b" : "-", (int)next_random(100),
             order[i] == 1 ? "gmon.out.libb.so" : "-", libraries[order[i]]);
    line[strcspn(line, "\n") + 1] = '\0';
    add_text(&bytes, line);
  }
  add_text(&bytes, "thread 77 5\nthread-name 77 a\nwhatever 1 2 3\nlooks 2\n"
                   "stack-signals 1\nlost calls 2\n");
  uint32_t n_frames = 0;
  for (size_t n = next_random(20) + 1; n; n--) {
    const uint64_t count = 1 + next_random(1000);
    switch (next_random(3)) {
    case 0:
      snprintf(line, sizeof(line), "call 0 0x%x %d name%d\n",
               (int)next_random(3), (int)count, (int)next_random(3));
      *n_calls += count;
      break;
    case 1:
      snprintf(line, sizeof(line), "time %d 0x%x %d\n",
               1 + (int)next_random(n_libraries), (int)next_random(3),
               (int)count);
      break;
    default:
      snprintf(line, sizeof(line), "frame %d %d %d 0x%x\nstack %d %d\n",
               n_frames + 1, (int)next_random(n_frames + 1),
               (int)next_random(n_libraries + 1), (int)next_random(3),
               n_frames + 1, (int)count);
      n_frames++;
      *n_samples += count;
      break;
    }
    add_text(&bytes, line);
  }
  add_text(&bytes, "end\n");
  return bytes;
}

static uint64_t sum_of_lines(const struct bytes *bytes, const char *word,
                             int i_number) {
  uint64_t sum = 0;
  char *text = strndup((const char *)bytes->at, bytes->n);

  for (char *at = text; at && *at; at = strchr(at, '\n'), at += at != NULL)
    if (strncmp(at, word, strlen(word)) == 0 && at[strlen(word)] == ' ') {
      char *number = at;
      for (int i = 0; i < i_number; i++)
        number = strchr(number, ' ') + 1;
      sum += strtoull(number, NULL, 10);
    }
  free(text);
  return sum;
}

static void sums_of_sides_are_right_in_any_order(void **state) {
  (void)state;
  for (size_t round = 0; round < 20; round++) {
    struct bytes files[N_FILES];
    uint64_t n_calls = 0, n_samples = 0;
    for (size_t i = 0; i < N_FILES; i++)
      files[i] = make_side(&n_calls, &n_samples);
    struct bytes sum = sum_tree(add_sides, files);
    assert_int_equal(sum_of_lines(&sum, "call", 3), n_calls);
    assert_int_equal(sum_of_lines(&sum, "stack", 2), n_samples);
    assert_int_equal(sum_of_lines(&sum, "cpu", 2), 20 * N_FILES);
    assert_int_equal(sum_of_lines(&sum, "stack-signals", 1), 3 * N_FILES);
    assert_int_equal(sum_of_lines(&sum, "processes", 1), N_FILES);
    assert_int_equal(sum_of_lines(&sum, "thread", 2), 0);
    assert_int_equal(sum_of_lines(&sum, "thread-name", 1), 0);
    free(sum.at);
    assert_order_is_of_no_matter(add_sides, files);
    for (size_t i = 0; i < N_FILES; i++)
      free(files[i].at);
  }
}

static struct bytes side_of(const char *body) {
  struct bytes bytes = {0};

  add_text(&bytes, "arcline-side 1\nprocess 1 prog\nclock seconds 100\n");
  add_text(&bytes, body);
  add_text(&bytes, "end\n");
  return bytes;
}

static void stacks_become_one_tree(void **state) {
  struct bytes a = side_of("object 0 01 0x0 f /p\n"
                           "frame 1 0 0 0x10\nframe 2 1 0 0x20\n"
                           "stack 2 5\n");
  struct bytes b = side_of("object 0 01 0x99 f /p\n"
                           "frame 1 0 0 0x8\nframe 2 0 0 0x10\n"
                           "frame 3 2 0 0x20\nframe 4 1 0 0x20\n"
                           "stack 3 7\nstack 4 1\nstack 2 2\n");
  struct bytes sum = sum_of(add_sides, &a, &b);

  (void)state;
  add(&sum, "", 1);
  assert_string_equal((const char *)sum.at,
                      "arcline-side 1\nprocess 0 prog\nprocesses 2\n"
                      "clock seconds 100\nobject 0 01 0x0 f /p\n"
                      "frame 1 0 0 0x8\nframe 2 0 0 0x10\n"
                      "frame 3 1 0 0x20\nframe 4 2 0 0x20\n"
                      "stack 2 2\nstack 3 1\nstack 4 12\nend\n");
  free(sum.at);
  free(a.at);
  free(b.at);
}

static void side_files_that_do_not_fit_are_refused(void **state) {
  static const struct {
    const char *body;
    enum sum_reason reason;
  } cases[] = {
      {"object 0 02 0x0 f /p\n", SUM_OTHER_IMAGE},
      {"object 0 01 0x0 f /p\ntime 1 0x0 1\n", SUM_MALFORMED},
      {"object 1 01 0x0 f /p\n", SUM_MALFORMED},
      {"object 0 01 0x0 f /p\nframe 2 0 0 0x0\n", SUM_MALFORMED},
      {"object 0 01 0x0 f /p\nframe 1 1 0 0x0\n", SUM_MALFORMED},
      {"object 0 01 0x0 f /p\nstack 1 1\n", SUM_MALFORMED},
      {"object 0 01 0x0 f /p\ncall 0 0x0 99999999999999999999 n\n",
       SUM_MALFORMED},
      {"object 0 01 0x0 f /p\nlooks\n", SUM_MALFORMED},
      {"clock cycles 100\n", SUM_OTHER_UNIT},
  };
  static struct memory_sink memory;
  struct bytes good = side_of("object 0 01 0x0 f /p\nstack-signals 1\n");
  struct sum_flaw flaw;

  (void)state;
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
    struct bytes bad = side_of(cases[i].body);
    const struct sum_file files[2] = {file_of(&good), file_of(&bad)};
    memory_sink_init(&memory);
    assert_int_equal(add_sides(files, &memory.sink, &flaw), -1);
    assert_int_equal(flaw.reason, cases[i].reason);
    assert_int_equal(flaw.i_file, 1);
    free(memory.bytes);
    free(bad.at);
  }
  for (size_t n = 1; n < good.n; n++) {
    struct bytes cut = {malloc(n), n};
    memcpy(cut.at, good.at, n);
    const struct sum_file files[2] = {file_of(&cut), file_of(&good)};
    memory_sink_init(&memory);
    assert_int_equal(add_sides(files, &memory.sink, &flaw), -1);
    assert_int_equal(flaw.reason, n < 15 ? SUM_NOT_GMON : SUM_CUT_OFF);
    free(memory.bytes);
    free(cut.at);
  }
  free(good.at);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_of_profiles_are_right_in_any_order),
      cmocka_unit_test(nothing_and_a_file_are_the_file),
      cmocka_unit_test(counts_stay_at_the_largest),
      cmocka_unit_test(what_cannot_be_added_is_refused),
      cmocka_unit_test(errors_of_the_sink_are_told),
      cmocka_unit_test(sums_of_sides_are_right_in_any_order),
      cmocka_unit_test(stacks_become_one_tree),
      cmocka_unit_test(side_files_that_do_not_fit_are_refused),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
