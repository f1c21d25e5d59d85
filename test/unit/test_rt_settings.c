/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The environment table and the names of files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "settings/settings.h"

static struct rt_settings settings;
static char texts[RT_TEXTS_BYTES];

/* Parsing stores texts there from now on. */
static int set_up(void **state) {
  (void)state;
  rt_settings_read(NULL, texts, &settings);
  return 0;
}

static const char *name_with(const char *out, const char *prefix,
                             const char *suffix) {
  static char name[RT_MAX_PATH];
  struct rt_str str = {.text = name, .room = sizeof(name)};

  char text[256];

  memset(&settings, 0, sizeof(settings));
  snprintf(text, sizeof(text), "out=%s", out);
  if (*out)
    rt_settings_parse(text, &settings);
  settings.prefix = *prefix ? prefix : NULL;
  strcpy(settings.program, "prog");
  rt_settings_name(&settings,
                   &(const struct rt_name){
                       .suffix = suffix, .module = "lib.0123", .kind = ".x"},
                   &str);
  return name;
}

static void default_name_is_gmon_out(void **state) {
  (void)state;
  assert_string_equal(name_with("", "", ""), "gmon.out.x");
  assert_string_equal(name_with("", "", ".lib.so"), "gmon.out.lib.so.x");
}

static void prefix_gets_pid(void **state) {
  char expected[64];

  (void)state;
  snprintf(expected, sizeof(expected), "p/%%p.%d.lib.so.x", (int)getpid());
  assert_string_equal(name_with("", "p/%p", ".lib.so"), expected);
}

static void pattern_is_expanded_and_wins(void **state) {
  char expected[64];

  (void)state;
  snprintf(expected, sizeof(expected), "prog-%d%%%%q%%s.x", (int)getpid());
  assert_string_equal(name_with("%e-%p%%%q%s", "prefix", ""), expected);
  assert_string_equal(name_with("end%", "", ""), "end%.x");
}

/* The pattern has the object's name then, and counts are added to files. */
static void pattern_with_the_object_has_no_suffix(void **state) {
  (void)state;
  assert_string_equal(name_with("d/%m", "", ".so"), "d/lib.0123.x");
  assert_true(settings.is_pool);
  assert_string_equal(name_with("%%m", "", ".so"), "%m.so.x");
  assert_false(settings.is_pool);
}

static const char *name_at(enum rt_file_place place, const char *context) {
  static char name[RT_MAX_PATH];
  struct rt_str str = {.text = name, .room = sizeof(name)};

  name_with("d%%/%m", "", "");
  settings.context = *context ? context : NULL;
  rt_settings_name(
      &settings,
      &(const struct rt_name){
          .place = place, .suffix = "", .module = "lib.0123", .kind = ""},
      &str);
  return name;
}

static void contexts_have_folders(void **state) {
  (void)state;
  assert_string_equal(name_at(RT_PLACE_FOLDER, "a%2Fb"), "d%/lib.0123");
  assert_string_equal(name_at(RT_PLACE_CONTEXTS, "a%2Fb"),
                      "d%/arcline.contexts/lib.0123");
  assert_string_equal(name_at(RT_PLACE_CONTEXT, "a%2Fb"),
                      "d%/arcline.contexts/a%2Fb/lib.0123");
}

static void names_of_contexts_are_folders(void **state) {
  char folder[ARCLINE_CONTEXT_MAX_BYTES], name[ARCLINE_CONTEXT_MAX_BYTES + 1];

  (void)state;
  assert_int_equal(arcline_context_folder("a/b.c", folder), 7);
  assert_string_equal(folder, "a%2Fb.c");
  assert_int_not_equal(arcline_context_folder("..", folder), 0);
  assert_string_equal(folder, "%2E.");
  assert_int_not_equal(arcline_context_folder("index", folder), 0);
  assert_string_equal(folder, "%69ndex");
  assert_int_equal(arcline_context_folder("index1", folder), 6);
  assert_int_equal(arcline_context_folder("", folder), 0);
  memset(name, 'x', sizeof(name) - 1);
  name[sizeof(name) - 1] = '\0';
  assert_int_equal(arcline_context_folder(name, folder), 0);
  name[400] = '\0';
  assert_int_equal(arcline_context_folder(name, folder), 402);
  assert_int_equal(strcspn(folder, "/"), 198);
}

static void dumps_have_numbers_and_times(void **state) {
  static const struct {
    int64_t time;
    const char *name;
  } cases[] = {
      {0, "d/1-19700101T000000.so.x"},
      {951782399, "d/1-20000228T235959.so.x"},
      {951782400, "d/1-20000229T000000.so.x"},
      {951868800, "d/1-20000301T000000.so.x"},
      {1798761599, "d/1-20261231T235959.so.x"},
      {1798761600, "d/1-20270101T000000.so.x"},
      {4107542400, "d/1-21000301T000000.so.x"}, // no leap year
  };

  (void)state;
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
    rt_settings_begin_dump(1, cases[i].time);
    assert_string_equal(name_with("d/%n-%t", "", ".so"), cases[i].name);
    assert_true(settings.is_pool);
  }
  rt_settings_begin_dump(1234, 0);
  assert_string_equal(name_with("%n", "", ""), "1234.x");
  assert_string_equal(name_with("%n.%m", "", ".so"), "1234.lib.0123.x");
}

static void name_may_be_another_process_s(void **state) {
  char text[64];
  struct rt_str str = {.text = text, .room = sizeof(text)};

  (void)state;
  memset(&settings, 0, sizeof(settings));
  rt_settings_parse("out=%p.gmon", &settings);
  rt_settings_name(
      &settings, &(const struct rt_name){.suffix = "", .kind = "", .pid = 4711},
      &str);
  assert_string_equal(text, "4711.gmon");
}

static void long_name_is_marked_as_cut(void **state) {
  char small[8];
  struct rt_str str = {.text = small, .room = sizeof(small)};

  (void)state;
  memset(&settings, 0, sizeof(settings));
  rt_settings_name(&settings, &(const struct rt_name){.suffix = "", .kind = ""},
                   &str);
  assert_true(str.is_cut);
  assert_string_equal(small, "gmon.ou");
}

static void values_are_read_within_bounds(void **state) {
  static const struct {
    const char *text;
    unsigned rate_hz;
    const char *out;
  } cases[] = {
      {"", 100, ""},
      {"hz=1", 1, ""},
      {"hz=10000:out=a b", 10000, "a b"},
      {"hz=10001", 100, ""},
      {"hz=99999999999999999999", 100, ""},
      {"hz=-1:hz=:hz:=5:hzz=5", 100, ""},
      {":::hz=0::out==x:", 0, "=x"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
    memset(&settings, 0, sizeof(settings));
    settings.rate_hz = 100;
    rt_settings_parse(cases[i].text, &settings);
    assert_int_equal(settings.rate_hz, cases[i].rate_hz);
    assert_string_equal(settings.out ? settings.out : "", cases[i].out);
  }
}

static void bad_values_change_nothing(void **state) {
  (void)state;
  memset(&settings, 0, sizeof(settings));
  rt_settings_parse("out=a:log=b:dump=5m:persist=mmap:verbose=0", &settings);
  rt_settings_parse("out=:log=:dump=xm:persist=:verbose=9", &settings);
  assert_string_equal(settings.out, "a");
  assert_string_equal(settings.log, "b");
  assert_int_equal(settings.dump_seconds, 300);
  assert_true(settings.is_persistent);
  assert_true(settings.is_silent);
}

/* Values alternate between two options, so that each text takes new memory. */
static void texts_stay_within_their_memory(void **state) {
  static char guarded[RT_TEXTS_BYTES + 2 * RT_MAX_PATH], text[RT_MAX_PATH];

  (void)state;
  unsetenv("ARCLINE_OPTIONS");
  rt_settings_read(NULL, guarded, &settings);
  memset(guarded, 0, sizeof(guarded));
  for (int i = 0; i < RT_TEXTS_BYTES / 1024 + 2; i++) {
    snprintf(text, sizeof(text), "%s=%01023d", i % 2 ? "out" : "log", i);
    rt_settings_parse(text, &settings);
  }
  for (size_t i = RT_TEXTS_BYTES; i < sizeof(guarded); i++)
    assert_int_equal(guarded[i], 0);
  rt_settings_read(NULL, texts, &settings);
}

static void ways_to_end_are_words(void **state) {
  static const struct {
    const char *text;
    enum rt_fork_mode fork_mode;
    bool is_exit_dumped, is_exec_dumped, is_crash_dumped;
  } cases[] = {
      {"", RT_FORK_ZERO, true, true, false},
      {"fork=inherit:_exit=off", RT_FORK_INHERIT, false, true, false},
      {"fork=off:crash=dump:exec=off", RT_FORK_OFF, true, false, true},
      {"fork=off:fork=zero:_exit=off:_exit=dump:crash=dump:crash=off",
       RT_FORK_ZERO, true, true, false},
      {"fork=of:fork=offf:_exit=:exec=no:crash=dum", RT_FORK_ZERO, true, true,
       false},
  };

  (void)state;
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
    setenv("ARCLINE_OPTIONS", cases[i].text, 1);
    rt_settings_read(NULL, texts, &settings);
    assert_int_equal(settings.fork_mode, cases[i].fork_mode);
    assert_int_equal(settings.is_exit_dumped, cases[i].is_exit_dumped);
    assert_int_equal(settings.is_exec_dumped, cases[i].is_exec_dumped);
    assert_int_equal(settings.is_crash_dumped, cases[i].is_crash_dumped);
  }
}

/* Cases in which a child of fork() would write the file of its parent. */
static void files_of_its_own_are_known(void **state) {
  static const struct {
    const char *text, *prefix;
    bool has_own_files;
  } cases[] = {
      {"", NULL, false},        {"", "p", true},
      {"out=x", NULL, false},   {"out=x", "p", false},
      {"out=%p", NULL, true},   {"out=d/%m", NULL, true},
      {"out=%%p", NULL, false}, {"out=%p:out=x", NULL, false},
  };

  (void)state;
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
    setenv("ARCLINE_OPTIONS", cases[i].text, 1);
    unsetenv("GMON_OUT_PREFIX");
    if (cases[i].prefix)
      setenv("GMON_OUT_PREFIX", cases[i].prefix, 1);
    rt_settings_read(NULL, texts, &settings);
    assert_int_equal(settings.has_own_files, cases[i].has_own_files);
  }
}

/* In test suites. */
static void environment_goes_before_what_is_built_in(void **state) {
  (void)state;
  unsetenv("GMON_OUT_PREFIX");
  unsetenv("ARCLINE_OPTIONS");
  rt_settings_read("out=/d%%/%m", texts, &settings);
  assert_string_equal(settings.out, "/d%%/%m");
  assert_true(settings.is_pool);
  setenv("ARCLINE_OPTIONS", "hz=7", 1);
  rt_settings_read("out=/d/%m", texts, &settings);
  assert_string_equal(settings.out, "/d/%m");
  assert_int_equal(settings.rate_hz, 7);
  setenv("ARCLINE_OPTIONS", "out=x", 1);
  rt_settings_read("out=/d/%m", texts, &settings);
  assert_string_equal(settings.out, "x");
  assert_false(settings.is_pool);
  unsetenv("ARCLINE_OPTIONS");
  setenv("GMON_OUT_PREFIX", "p", 1);
  rt_settings_read("out=/d/%m", texts, &settings);
  assert_null(settings.out);
}

/* Beside pools and files of each process; else on standard error. */
static void messages_have_a_place(void **state) {
  static const struct {
    const char *text, *log;
  } cases[] = {
      {"out=messages.d/%m", "messages.d/arcline.log"},
      {"out=messages.d/%p/x", NULL}, // the process's
      {"out=messages.d/%m:log=messages.d/%e%%", "messages.d/prog%"},
      {"log=messages.d/x:log=messages.d/y", "messages.d/y"},
      {"log=:out=messages.d/%m", "messages.d/arcline.log"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
    memset(&settings, 0, sizeof(settings));
    strcpy(settings.program, "prog");
    rt_settings_parse(cases[i].text, &settings);
    rt_settings_place_messages(&settings);
    assert_true(rt_message_has_log());
    if (cases[i].log)
      assert_int_equal(unlink(cases[i].log), 0);
  }
  assert_int_equal(system("rm -r messages.d"), 0);
}

static void sources_are_known_by_name(void **state) {
  (void)state;
  memset(&settings, 0, sizeof(settings));
  rt_settings_parse("clock=wall", &settings);
  assert_string_equal(settings.source->name, "wall");
  rt_settings_parse("clock=cycles:event=wall:event=:event=cycle", &settings);
  assert_string_equal(settings.source->name, "wall");
  rt_settings_parse("event=cache-misses", &settings);
  assert_string_equal(settings.source->name, "cache-misses");
  rt_settings_parse("clock=cpu", &settings);
  assert_string_equal(settings.source->name, "cpu");
}

static void overlong_pattern_is_refused(void **state) {
  static char text[3 * RT_MAX_PATH];

  (void)state;
  memset(&settings, 0, sizeof(settings));
  memset(text, 'x', sizeof(text) - 1);
  memcpy(text, "out=", 4);
  rt_settings_parse(text, &settings);
  assert_null(settings.out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(default_name_is_gmon_out),
      cmocka_unit_test(prefix_gets_pid),
      cmocka_unit_test(pattern_is_expanded_and_wins),
      cmocka_unit_test(pattern_with_the_object_has_no_suffix),
      cmocka_unit_test(contexts_have_folders),
      cmocka_unit_test(names_of_contexts_are_folders),
      cmocka_unit_test(dumps_have_numbers_and_times),
      cmocka_unit_test(name_may_be_another_process_s),
      cmocka_unit_test(long_name_is_marked_as_cut),
      cmocka_unit_test(values_are_read_within_bounds),
      cmocka_unit_test(bad_values_change_nothing),
      cmocka_unit_test(texts_stay_within_their_memory),
      cmocka_unit_test(ways_to_end_are_words),
      cmocka_unit_test(files_of_its_own_are_known),
      cmocka_unit_test(environment_goes_before_what_is_built_in),
      cmocka_unit_test(messages_have_a_place),
      cmocka_unit_test(sources_are_known_by_name),
      cmocka_unit_test(overlong_pattern_is_refused),
  };

  return cmocka_run_group_tests(tests, set_up, NULL);
}
