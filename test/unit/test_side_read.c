/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The reader of side files: every kind of record, damage of every kind, and
   files cut and changed at every byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "gmon/gmon_file.h"
#include "gmon/side_read.h"

static const char complete[] =
    "arcline-side 1\n"
    "process 4711 my%20prog\n"
    "clock seconds 100\n"
    "cpu 1000000 20\n"
    "object 0 00ff10 0x555500000000 gmon.out /home/a%25b/prog\n"
    "object 1 - 0x0 - [vdso]\n"
    "text 0 0x1000 0xffffffffffffffff\n"
    "time 1 0x0 18446744073709551615\n"
    "arc 0 0x1004 1 0x2000 3 and words of later versions\n"
    "call 0 0x1008 7 _Z3foov\n"
    "target 0 _Z3foov 1 0x9d140\n"
    "resolved 0 0x1100 0x1180\n"
    "thread 4712 55\n"
    "thread-name 4712 pool%201\n"
    "kernel 1 0xa0 3\n"
    "frame 1 0 0 0x1004 later\n"
    "frame 2 1 1 0xa0\n"
    "stack 2 18446744073709551615\n"
    "looks 9\n"
    "began 17\n"
    "moment 4712 25 7 2 3\n"
    "later 1 2 %zz\n"
    "\n"
    "lost calls 0\n"
    "end\n";

enum { N_RECORDS = 21 };

/** A copy of exactly n bytes, so that a sanitizer detects reads beyond. */
static struct gmon_file copy_of(const char *text, size_t n) {
  const struct gmon_file file = {
      .path = "x", .bytes = malloc(n ? n : 1), .n_bytes = n};
  assert_non_null(file.bytes);
  memcpy(file.bytes, text, n);
  return file;
}

/** Read all records. Returns their number, or -1 with *err set. */
static int read_all(const char *text, size_t n, struct err *err) {
  struct gmon_file file = copy_of(text, n);
  struct side_reader reader;
  struct side_record record;
  int n_records = 0;

  *err = (struct err){0};
  side_reader_begin(&reader, &file, err);
  while (side_reader_next(&reader, &record))
    n_records++;
  const int rc = side_reader_end(&reader);
  gmon_file_release(&file);
  return rc ? -1 : n_records;
}

static void expect_process_and_objects(struct side_reader *reader) {
  struct side_record record;

  assert_true(side_reader_next(reader, &record));
  assert_int_equal(record.form->kind, SIDE_PROCESS);
  assert_int_equal(record.line, 2);
  assert_int_equal(record.process.pid, 4711);
  assert_string_equal(record.name, "my prog");
  assert_true(side_reader_next(reader, &record));
  assert_int_equal(record.form->kind, SIDE_CLOCK);
  assert_string_equal(record.name, "seconds");
  assert_int_equal(record.clock.rate_hz, 100);
  assert_true(side_reader_next(reader, &record));
  assert_int_equal(record.form->kind, SIDE_CPU);
  assert_int_equal(record.cpu.user_us, 1000000);
  assert_int_equal(record.cpu.system_us, 20);
  assert_true(side_reader_next(reader, &record));
  assert_int_equal(record.form->kind, SIDE_OBJECT);
  assert_int_equal(record.n_build_id, 3);
  assert_memory_equal(record.build_id, "\x00\xff\x10", 3);
  assert_int_equal(record.object.bias, 0x555500000000);
  assert_string_equal(record.file, "gmon.out");
  assert_string_equal(record.path, "/home/a%b/prog");
  assert_true(side_reader_next(reader, &record));
  assert_int_equal(record.object.i_object, 1);
  assert_int_equal(record.n_build_id, 0);
  assert_null(record.file);
  assert_string_equal(record.path, "[vdso]");
}

static void expect_calls(struct side_reader *reader) {
  struct side_record record;

  assert_true(side_reader_next(reader, &record));
  assert_int_equal(record.form->kind, SIDE_TEXT);
  assert_int_equal(record.text.low, 0x1000);
  assert_int_equal(record.text.high, UINT64_MAX);
  assert_true(side_reader_next(reader, &record));
  assert_int_equal(record.form->kind, SIDE_TIME);
  assert_int_equal(record.time.i_object, 1);
  assert_int_equal(record.time.n_samples, UINT64_MAX);
  assert_true(side_reader_next(reader, &record));
  assert_int_equal(record.form->kind, SIDE_ARC);
  assert_int_equal(record.arc.i_caller, 0);
  assert_int_equal(record.arc.from_vaddr, 0x1004);
  assert_int_equal(record.arc.i_callee, 1);
  assert_int_equal(record.arc.self_vaddr, 0x2000);
  assert_int_equal(record.arc.count, 3);
  assert_true(side_reader_next(reader, &record));
  assert_int_equal(record.form->kind, SIDE_CALL);
  assert_int_equal(record.call.from_vaddr, 0x1008);
  assert_int_equal(record.call.count, 7);
  assert_string_equal(record.name, "_Z3foov");
  assert_true(side_reader_next(reader, &record));
  assert_int_equal(record.form->kind, SIDE_TARGET);
  assert_int_equal(record.target.i_caller, 0);
  assert_string_equal(record.name, "_Z3foov");
  assert_int_equal(record.target.i_object, 1);
  assert_int_equal(record.target.offset, 0x9d140);
}

static void expect_samples_and_losses(struct side_reader *reader) {
  struct side_record record;

  assert_true(side_reader_next(reader, &record));
  assert_int_equal(record.form->kind, SIDE_RESOLVED);
  assert_int_equal(record.resolved.i_object, 0);
  assert_int_equal(record.resolved.resolver_vaddr, 0x1100);
  assert_int_equal(record.resolved.to_vaddr, 0x1180);
  assert_true(side_reader_next(reader, &record));
  assert_int_equal(record.form->kind, SIDE_THREAD);
  assert_int_equal(record.thread.tid, 4712);
  assert_int_equal(record.thread.n_samples, 55);
  assert_true(side_reader_next(reader, &record));
  assert_int_equal(record.form->kind, SIDE_THREAD_NAME);
  assert_int_equal(record.thread.tid, 4712);
  assert_string_equal(record.name, "pool 1");
  assert_true(side_reader_next(reader, &record));
  assert_int_equal(record.form->kind, SIDE_KERNEL);
  assert_int_equal(record.time.i_object, 1);
  assert_int_equal(record.time.offset, 0xa0);
  assert_int_equal(record.time.n_samples, 3);
  assert_true(side_reader_next(reader, &record));
  assert_int_equal(record.form->kind, SIDE_FRAME);
  assert_int_equal(record.frame.i_frame, 1);
  assert_int_equal(record.frame.i_caller, 0);
  assert_int_equal(record.frame.i_object, 0);
  assert_int_equal(record.frame.address, 0x1004);
  assert_true(side_reader_next(reader, &record));
  assert_int_equal(record.frame.i_frame, 2);
  assert_int_equal(record.frame.i_caller, 1);
  assert_int_equal(record.frame.i_object, 1);
  assert_true(side_reader_next(reader, &record));
  assert_int_equal(record.form->kind, SIDE_STACK);
  assert_int_equal(record.stack.i_frame, 2);
  assert_int_equal(record.stack.n_samples, UINT64_MAX);
  assert_true(side_reader_next(reader, &record));
  assert_int_equal(record.form->kind, SIDE_STACK_SIGNALS);
  assert_int_equal(record.count, 9);
  assert_true(side_reader_next(reader, &record));
  assert_int_equal(record.form->kind, SIDE_BEGAN);
  assert_int_equal(record.began.ns, 17);
  assert_true(side_reader_next(reader, &record));
  assert_int_equal(record.form->kind, SIDE_MOMENT);
  assert_int_equal(record.moment.tid, 4712);
  assert_int_equal(record.moment.width, 25);
  assert_int_equal(record.moment.period, 7);
  assert_int_equal(record.moment.i_frame, 2);
  assert_int_equal(record.moment.n_samples, 3);
  assert_true(side_reader_next(reader, &record));
  assert_int_equal(record.form->kind, SIDE_LOST);
  assert_int_equal(record.line, 24);
  assert_string_equal(record.name, "calls");
  assert_int_equal(record.count, 0);
}

static void test_records(void **state) {
  struct gmon_file file = copy_of(complete, sizeof(complete) - 1);
  struct side_reader reader;
  struct err err;

  (void)state;
  assert_true(side_is_side_file(&file));
  side_reader_begin(&reader, &file, &err);
  expect_process_and_objects(&reader);
  expect_calls(&reader);
  expect_samples_and_losses(&reader);
  struct side_record record;
  assert_false(side_reader_next(&reader, &record));
  assert_int_equal(side_reader_end(&reader), 0);
  gmon_file_release(&file);
}

/** A line that replaces all records, and the expected message. */
static const struct {
  const char *line;
  const char *message; // NULL: no error
} lines[] = {
    {"object 0 - 0x0 - [x]", NULL},
    {"object 1 - 0x0 - [x]", "x:2: object numbers are out of order"},
    {"object 0 - 0x0 - ", "x:2: missing name or path, or bad escape"},
    {"object 0 - 0x0 -", "x:2: missing name or path, or bad escape"},
    {"object 0  - 0x0 - [x]", "x:2: malformed build ID"},
    {"object 0 abc 0x0 - [x]", "x:2: malformed build ID"},
    {"object 0 AB 0x0 - [x]", "x:2: malformed build ID"},
    {"object 0 - 0 - [x]", "x:2: missing, malformed or too large address"},
    {"object 0 - 0x - [x]", "x:2: missing, malformed or too large address"},
    {"object", "x:2: missing, malformed or too large number"},
    {"object 0 - 0x0 a/b [x]", "x:2: name of a gmon file contains a slash"},
    {"object 0 - 0x0 a%2fb [x]", "x:2: name of a gmon file contains a slash"},
    {"object 0 - 0x0 a%2eb /x", NULL},
    {"process 1 a%2", "x:2: missing name or path, or bad escape in it"},
    {"process 1 a%", "x:2: missing name or path, or bad escape in it"},
    {"process 1 a%2G", "x:2: missing name or path, or bad escape in it"},
    {"process 1 a%00", "x:2: missing name or path, or bad escape in it"},
    {"process 1 a\tb", "x:2: missing name or path, or bad escape in it"},
    {"process 1 a\r", "x:2: missing name or path, or bad escape in it"},
    {"process 1 \xc3\xbc%c3%bc", NULL},
    {"process -1 a", "x:2: missing, malformed or too large number"},
    {"process 1a a", "x:2: missing, malformed or too large number"},
    {"lost calls 18446744073709551615", NULL},
    {"lost calls 18446744073709551616",
     "x:2: missing, malformed or too large number"},
    {"lost calls 99999999999999999999",
     "x:2: missing, malformed or too large number"},
    {"thread 1", "x:2: missing, malformed or too large number"},
    {"moment 1 64 0 0 1", "x:2: missing, malformed or too large number"},
    {"moment 1 40 16777215 0 1", "x:2: missing, malformed or too large number"},
    {"moment 1 23 0 1 1", "x:2: caller is not listed above"},
    {"thread-name 1", "x:2: missing name or path, or bad escape in it"},
    {"text 0 0x1 0x2", "x:2: object is not listed above"},
    {"time 7 0x0 1", "x:2: object is not listed above"},
    {"call 0 0x0 1 f", "x:2: object is not listed above"},
    {"object 0 - 0x0 - [x]\ntext 0 0x2 0x2", "x:3: empty address range"},
    {"object 0 - 0x0 - [x]\ntext 0 0x1 0x10000000000000000",
     "x:3: missing, malformed or too large address"},
    {"object 0 - 0x0 - [x]\narc 0 0x1 1 0x2 3",
     "x:3: object is not listed above"},
    {"frame 1 0 0 0x0", "x:2: object is not listed above"},
    {"object 0 - 0x0 - [x]\nframe 0 0 0 0x0",
     "x:3: frame numbers are out of order"},
    {"object 0 - 0x0 - [x]\nframe 2 0 0 0x0",
     "x:3: frame numbers are out of order"},
    {"object 0 - 0x0 - [x]\nframe 1 1 0 0x0",
     "x:3: caller is not listed above"},
    {"object 0 - 0x0 - [x]\nframe 1 0 0",
     "x:3: missing, malformed or too large address"},
    {"object 0 - 0x0 - [x]\nframe 1 0 0 0x0\nframe 1 0 0 0x0",
     "x:4: frame numbers are out of order"},
    {"object 0 - 0x0 - [x]\nframe 1 0 0 0x0\nframe 2 4294967297 0 0x0",
     "x:4: caller is not listed above"},
    {"stack 1 1", "x:2: frame is not listed above"},
    {"stack 0 1", "x:2: frame is not listed above"},
    {"object 0 - 0x0 - [x]\nframe 1 0 0 0x0\nstack 1 1", NULL},
    {"end", "x:2: unexpected text after the last line"},
    {"end ", NULL},
    {"", NULL},
};

static void test_lines(void **state) {
  char text[256];
  struct err err;

  (void)state;
  for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
    const int n = snprintf(text, sizeof(text), "arcline-side 1\n%s\nend\n",
                           lines[i].line);
    const int n_records = read_all(text, (size_t)n, &err);
    if (lines[i].message) {
      assert_int_equal(n_records, -1);
      assert_int_equal(err.code, ERR_INPUT);
      assert_memory_equal(err.text, lines[i].message, strlen(lines[i].message));
    } else {
      assert_int_not_equal(n_records, -1);
    }
  }
}

static const struct {
  const char *text;
  const char *message;
} files[] = {
    {"", "x: not a side file"},
    {"arcline-side", "x: not a side file"},
    {"arcline-side 1", "x: not a side file, or truncated"},
    {"arcline-side 1\n", "x: truncated after line 1: the last line, `end', is"},
    {"arcline-side 1\nend", "x: truncated after line 1"},
    {"arcline-side \nend\n", "x:1: malformed format version"},
    {"arcline-side 0\nend\n", "x:1: malformed format version"},
    {"arcline-side 2\nend\n", "x: side file has format version 2, this"},
    {"gmon", "x: not a side file"},
};

static void test_files(void **state) {
  struct err err;

  (void)state;
  for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
    assert_int_equal(read_all(files[i].text, strlen(files[i].text), &err), -1);
    assert_memory_equal(err.text, files[i].message, strlen(files[i].message));
  }
}

/** A file that lacks its end is never taken for a whole one. */
static void test_cut_everywhere(void **state) {
  struct err err;

  (void)state;
  const size_t n = sizeof(complete) - 1;
  for (size_t i = 0; i < n; i++)
    assert_int_equal(read_all(complete, i, &err), -1);
  assert_int_equal(read_all(complete, n, &err), N_RECORDS);
}

/** Any byte may have any value: no read beyond the file, and a message if it is
   rejected.
 */
static void test_bent_everywhere(void **state) {
  static const char bytes[] = "\0\n %09afx-\x7f\xff";
  char text[sizeof(complete)];
  struct err err;

  (void)state;
  for (size_t i = 0; i + 1 < sizeof(complete); i++)
    for (size_t j = 0; j < sizeof(bytes) - 1; j++) {
      memcpy(text, complete, sizeof(complete));
      text[i] = bytes[j];
      if (read_all(text, sizeof(complete) - 1, &err) < 0)
        assert_true(err.code == ERR_INPUT && err.text[0] == 'x');
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_records),
      cmocka_unit_test(test_lines),
      cmocka_unit_test(test_files),
      cmocka_unit_test(test_cut_everywhere),
      cmocka_unit_test(test_bent_everywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
