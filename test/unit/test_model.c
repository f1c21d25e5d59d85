/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Opening a program: the order of reading, and relations between its
   objects. */
#include "base/err.h"
#include "made_gmon.h"
#include "made_image.h"
#include "model/model.h"

static const struct made_symbol prog_symbols[] = {
    {"main", 0x1000, MADE_OFFERED}, {"prog_end", 0x1f00, 0}};
static const struct made_symbol lib_symbols[] = {{"run", 0x1000, MADE_OFFERED},
                                                 {"lib_end", 0x1f00, 0}};

enum { PROG, LIB };

static struct model model;
static struct err err;
static char told[256]; // by read_profiles()

static void write_gmon(const char *path, const struct builder *builder) {
  write_bytes(path, builder->bytes, builder->n_bytes);
}

/** Write a profile of a histogram and n arcs. Returns it. */
static struct builder write_profile(const char *path, const char *id, int n) {
  static const uint16_t bins[] = {1, 0};
  struct builder builder = made_gmon(id);

  made_histogram(&builder, 0x1000, 0x1004, bins, 2);
  for (int i = 0; i < n; i++)
    made_arc(&builder, 0x1004, 0x1000, 1);
  write_gmon(path, &builder);
  return builder;
}

static int begin(void **state) {
  err = (struct err){0};
  told[0] = '\0';
  if (scratch_enter(state))
    return -1;
  made_image("prog", "progprog", 8, prog_symbols, 2);
  made_image("lib", "lib lib ", 8, lib_symbols, 2);
  write_profile("g", "progprog", 1);
  write_profile("g2", "progprog", 2);
  write_profile("g.lib", "lib lib ", 3);
  return 0;
}

static int end(void **state) {
  model_close(&model);
  return scratch_leave(state);
}

static int open_operands(const char *const *operands, bool is_forced) {
  struct inputs inputs;
  size_t n = 0;

  while (operands[n])
    n++;
  assert_int_equal(
      inputs_find(&(struct inputs_options){.operands = (char **)operands,
                                           .n_operands = n},
                  &inputs, &err),
      0);
  const int rc = model_open(&inputs, is_forced, &model, &err);
  assert_null(inputs.objects);
  return rc;
}

#define OPEN(...)                                                              \
  assert_int_equal(                                                            \
      open_operands((const char *const[]){__VA_ARGS__, NULL}, false), 0)

static void tell(void *context, const char *path,
                 const struct measure_contents *contents) {
  const size_t n = strlen(context);

  snprintf((char *)context + n, sizeof(told) - n, "%s %d; ", path,
           (int)contents->n_arcs);
}

static int read_profiles(void) {
  const struct model_profiles options = {.on_file = tell, .context = told};

  return model_read_profiles(&model, &options, &err);
}

static void images_alone_are_opened(void **state) {
  (void)state;
  remove("g");
  OPEN("prog", "g");
  assert_int_equal(model.n_objects, 1);
  assert_false(model.is_joined);
  assert_string_equal(model.objects[0].image.path, "prog");
  assert_int_equal(model.symtab.n_symbols, 0);
  assert_null(model.objects[0].lines);
  assert_int_equal(read_profiles(), -1);
  assert_string_equal(err.text, "g: cannot open: No such file or directory");
}

static void an_image_that_cannot_be_opened_leaves_nothing(void **state) {
  static const char *const operands[] = {"prog", "g", "broken", "g", NULL};

  (void)state;
  write_text("broken", "\177ELF");
  assert_int_equal(open_operands(operands, false), -1);
  assert_int_equal(strncmp(err.text, "broken: ", 8), 0);
  assert_null(model.objects);
  assert_null(model.inputs.objects);
}

static void each_object_has_a_measure_of_its_profiles(void **state) {
  (void)state;
  OPEN("prog", "g", "g2", "lib", "g.lib");
  assert_true(model.is_joined);
  assert_int_equal(read_profiles(), 0);
  assert_string_equal(told, "g 1; g2 2; g.lib 3; ");
  assert_int_equal(model.objects[PROG].measure.arcs[0].count, 3);
  assert_int_equal(model.objects[LIB].measure.arcs[0].count, 3);
  assert_int_equal(model.objects[PROG].measure.histograms[0].filled[0].count,
                   2);
  assert_true(model.unit.is_known);
  assert_string_equal(model.unit.rate_path, "g");
}

/** A file that was reported before an error stays reported. */
static void a_file_is_told_of_once_it_is_read(void **state) {
  (void)state;
  write_text("bad", "gmon");
  OPEN("prog", "g", "bad");
  assert_int_equal(read_profiles(), -1);
  assert_string_equal(told, "g 1; ");
}

static void samples_of_all_objects_have_one_unit(void **state) {
  struct builder slow = write_profile("slow", "lib lib ", 0);

  (void)state;
  // Rate, after tag, two addresses and the number of bins.
  memset(&slow.bytes[GMON_HEADER_BYTES + 21], 1, 4);
  write_gmon("slow", &slow);
  OPEN("prog", "g", "lib", "slow");
  assert_int_equal(read_profiles(), -1);
  assert_string_equal(err.text,
                      "slow: histogram at offset 20 has 16843009 samples per "
                      "second, one of g has 100; report them separately");
}

/** An object without measurements has no influence. */
static void objects_without_samples_have_no_unit(void **state) {
  const struct builder empty = made_gmon("progprog");

  (void)state;
  write_gmon("g", &empty);
  OPEN("prog", "g", "lib", "g.lib");
  assert_int_equal(read_profiles(), 0);
  assert_false(model.objects[PROG].measure.unit.is_known);
  assert_string_equal(model.unit.rate_path, "g.lib");
}

/** The addresses of a single object are not checked, as in GNU gprof. */
static void histograms_of_several_objects_are_in_their_images(void **state) {
  static const uint16_t bins[] = {0};
  struct builder far = made_gmon("progprog");

  (void)state;
  made_histogram(&far, 0x5000, 0x5002, bins, 1);
  write_gmon("far", &far);
  OPEN("prog", "far");
  assert_int_equal(read_profiles(), 0);
  model_close(&model);
  OPEN("prog", "far", "lib", "g.lib");
  assert_int_equal(read_profiles(), -1);
  assert_string_equal(
      err.text, "far: histogram at offset 20, 0x5000 to 0x5002, is outside of "
                "prog; does the profile belong to another image?");
}

static void profiles_of_others_are_read_by_force(void **state) {
  static const char *const operands[] = {"prog", "g.lib", NULL};

  (void)state;
  OPEN("prog", "g.lib");
  assert_int_equal(read_profiles(), -1);
  model_close(&model);
  assert_int_equal(open_operands(operands, true), 0);
  assert_int_equal(read_profiles(), 0);
}

static void objects_of_side_files_are_found(void **state) {
  static const char *const operands[] = {"prog", "g", "lib", "g.lib", NULL};
  struct side_entry lib = {
      .path = "lib", .build_id = "lib lib ", .n_build_id = 8};
  struct side_entry rebuilt = {
      .path = "lib", .build_id = "lib lib!", .n_build_id = 8};

  (void)state;
  const struct side_file side = {.path = "g.arcline"};
  OPEN("prog", "g", "lib", "g.lib");
  assert_int_equal(model_find_object(&model, &side, &lib), LIB);
  assert_int_equal(model_find_object(&model, &side, &rebuilt), SIZE_MAX);
  model_close(&model);
  assert_int_equal(open_operands(operands, true), 0);
  assert_int_equal(model_find_object(&model, &side, &rebuilt), LIB);
}

/** Those of an object have the addresses of its image, whatever the joined
 * table has. */
static void symbols_of_an_object_have_its_addresses(void **state) {
  const struct model_symbols options = {0};

  (void)state;
  OPEN("prog", "g", "lib", "g.lib");
  assert_int_equal(model_load_symbols(&model, &options, &err), 0);
  for (int i = 0; i < 2; i++)
    assert_int_equal(model_load_own_symbols(&model.objects[LIB], &err), 0);
  assert_int_equal(model.symtab.n_symbols, 4);
  assert_int_equal(model.objects[PROG].own.n_symbols, 0);
  assert_int_equal(model.objects[LIB].own.n_symbols, 2);
  assert_string_equal(model.objects[LIB].own.symbols[0].name, "run");
  assert_int_equal(model.objects[LIB].own.symbols[0].vaddr, 0x1000);
  assert_int_not_equal(model.symtab.symbols[2].vaddr, 0x1000);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(images_alone_are_opened),
      TEST(an_image_that_cannot_be_opened_leaves_nothing),
      TEST(each_object_has_a_measure_of_its_profiles),
      TEST(a_file_is_told_of_once_it_is_read),
      TEST(samples_of_all_objects_have_one_unit),
      TEST(objects_without_samples_have_no_unit),
      TEST(histograms_of_several_objects_are_in_their_images),
      TEST(profiles_of_others_are_read_by_force),
      TEST(objects_of_side_files_are_found),
      TEST(symbols_of_an_object_have_its_addresses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
