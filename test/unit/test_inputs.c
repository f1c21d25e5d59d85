/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The files of operands, the orders that are allowed, and errors of invalid
   ones. */
#include <sys/stat.h>

#include "base/err.h"
#include "image/image.h"
#include "made_gmon.h"
#include "made_image.h"
#include "model/inputs.h"

#define SIDE(objects) "arcline-side 1\nprocess 7 p\n" objects "end\n"
#define EMPTY_SIDE SIDE("")

static struct inputs inputs;
static struct err err;

/** Two images, prog and lib, with a profile each. */
static int begin(void **state) {
  struct builder builder = made_gmon("progprog");

  err = (struct err){0};
  if (scratch_enter(state))
    return -1;
  made_image("prog", "progprog", 8, NULL, 0);
  write_bytes("gmon.out", builder.bytes, builder.n_bytes);
  made_image("lib", "lib lib ", 8, NULL, 0);
  builder = made_gmon("lib lib ");
  write_bytes("gmon.out.lib", builder.bytes, builder.n_bytes);
  return mkdir("d", 0700);
}

static int end(void **state) {
  inputs_release(&inputs);
  return scratch_leave(state);
}

static int find(const char *const *operands) {
  size_t n = 0;

  while (operands[n])
    n++;
  return inputs_find(
      &(struct inputs_options){.operands = (char **)operands, .n_operands = n},
      &inputs, &err);
}

/** Operands that are accepted without a message. */
static void find_silently(const char *const *operands) {
  warnings_begin();
  const int rc = find(operands);
  expect_warnings("");
  assert_int_equal(rc, 0);
}

#define FIND_SILENTLY(...)                                                     \
  find_silently((const char *const[]){__VA_ARGS__, NULL})

#define FIND(...) find((const char *const[]){__VA_ARGS__, NULL})

/** The operands are rejected, and no memory is left. */
static void expect_error(int rc, enum err_code code, const char *text) {
  assert_int_equal(rc, -1);
  assert_int_equal(err.code, code);
  assert_string_equal(err.text, text);
  assert_null(inputs.objects);
  assert_null(inputs.sides);
  assert_int_equal(inputs.n_objects, 0);
}

static void expect_object(size_t i, const char *image,
                          const char *const *profiles) {
  size_t n = 0;

  assert_true(i < inputs.n_objects);
  const struct input_object *const object = &inputs.objects[i];
  assert_string_equal(object->image_path, image);
  for (; profiles[n]; n++) {
    assert_true(n < object->n_profile_paths);
    assert_string_equal(object->profile_paths[n], profiles[n]);
  }
  assert_int_equal(object->n_profile_paths, n);
}

#define OBJECT(i, image, ...)                                                  \
  expect_object(i, image, (const char *const[]){__VA_ARGS__, NULL})

static void expect_sides(const char *const *paths) {
  size_t n = 0;

  for (; paths[n]; n++) {
    assert_true(n < inputs.n_sides);
    assert_string_equal(inputs.sides[n].path, paths[n]);
  }
  assert_int_equal(inputs.n_sides, n);
}

#define SIDES(...) expect_sides((const char *const[]){__VA_ARGS__, NULL})

// --- Kinds of operands ---

static void a_file_is_what_it_begins_with(void **state) {
  (void)state;
  write_text("side", EMPTY_SIDE);
  write_text("newer", "arcline-side 9");
  write_text("almost", "arcline-side");
  write_text("empty", "");
  write_text("short", "\177EL");
  assert_int_equal(inputs_operand_at("prog"), OPERAND_IMAGE);
  assert_int_equal(inputs_operand_at("gmon.out"), OPERAND_PROFILE);
  assert_int_equal(inputs_operand_at("side"), OPERAND_SIDE);
  assert_int_equal(inputs_operand_at("newer"), OPERAND_SIDE);
  assert_int_equal(inputs_operand_at("almost"), OPERAND_PROFILE);
  assert_int_equal(inputs_operand_at("empty"), OPERAND_PROFILE);
  assert_int_equal(inputs_operand_at("short"), OPERAND_PROFILE);
  assert_int_equal(inputs_operand_at("d"), OPERAND_FOLDER);
}

static void what_cannot_be_read_twice_is_a_profile(void **state) {
  char bytes[4] = "";

  (void)state;
  assert_int_equal(mkfifo("pipe", 0600), 0);
  const int fd = open("pipe", O_RDWR | O_NONBLOCK);
  assert_int_equal(write(fd, "\177ELF", 4), 4);
  assert_int_equal(inputs_operand_at("pipe"), OPERAND_PROFILE);
  assert_int_equal(read(fd, bytes, 4), 4);
  close(fd);
  assert_int_equal(inputs_operand_at("none"), OPERAND_PROFILE);
  assert_int_equal(inputs_operand_at("-"), OPERAND_PROFILE);
  assert_int_equal(inputs_operand_at(""), OPERAND_PROFILE);
}

// --- One image ---

static void names_are_a_out_and_gmon_out_unless_given(void **state) {
  (void)state;
  assert_int_equal(FIND(NULL), 0);
  assert_int_equal(inputs.n_objects, 1);
  OBJECT(0, "a.out", "gmon.out");
  assert_false(inputs.is_joined);
  inputs_release(&inputs);
  assert_int_equal(FIND("prog"), 0);
  assert_int_equal(inputs.n_objects, 1);
  OBJECT(0, "prog", "gmon.out");
  assert_false(inputs.is_joined);
}

static void profiles_of_an_image_stay_in_order(void **state) {
  (void)state;
  assert_int_equal(FIND("prog", "z", "gmon.out", "-", "a", "z"), 0);
  assert_int_equal(inputs.n_objects, 1);
  OBJECT(0, "prog", "z", "gmon.out", "-", "a", "z");
  assert_false(inputs.is_joined);
}

/** Whether it can be opened is checked later. */
static void the_first_one_is_the_image_whatever_it_is(void **state) {
  (void)state;
  assert_int_equal(FIND("gmon.out", "none"), 0);
  OBJECT(0, "gmon.out", "none");
}

static void one_image_has_no_use_for_side_files(void **state) {
  (void)state;
  write_text("gmon.out.arcline", "arcline-side 1\ndamaged");
  assert_int_equal(FIND("prog", "gmon.out", "gmon.out.arcline"), 0);
  OBJECT(0, "prog", "gmon.out");
  SIDES(NULL);
  assert_false(inputs.is_joined);
  inputs_release(&inputs);
  expect_error(FIND("prog", "gmon.out.arcline"), ERR_USAGE,
               "gmon.out.arcline: is a side file, which names images and "
               "profiles itself; name it alone");
}

// --- Several images ---

static void each_image_has_the_profiles_behind_it(void **state) {
  (void)state;
  FIND_SILENTLY("prog", "a", "gmon.out", "lib", "gmon.out.lib", "b");
  assert_true(inputs.is_joined);
  assert_int_equal(inputs.n_objects, 2);
  OBJECT(0, "prog", "a", "gmon.out");
  OBJECT(1, "lib", "gmon.out.lib", "b");
  SIDES(NULL);
}

static void each_image_needs_a_profile(void **state) {
  (void)state;
  expect_error(FIND("prog", "lib", "gmon.out.lib"), ERR_USAGE,
               "prog: no profile after this image; with several images, each "
               "needs its own");
  expect_error(FIND("prog", "gmon.out", "lib"), ERR_USAGE,
               "lib: no profile after this image; with several images, each "
               "needs its own");
  write_text("side", EMPTY_SIDE);
  expect_error(FIND("prog", "lib", "side"), ERR_USAGE,
               "side: is a side file, which names images and profiles itself; "
               "name it alone");
}

static void side_files_beside_profiles_are_taken(void **state) {
  (void)state;
  write_text("gmon.out.arcline", EMPTY_SIDE);
  write_text("b.arcline", EMPTY_SIDE);
  write_text("unrelated.arcline", EMPTY_SIDE);
  assert_int_equal(FIND("prog", "a", "gmon.out", "lib", "b"), 0);
  SIDES("gmon.out.arcline", "b.arcline");
  assert_int_equal(inputs.sides[0].pid, 7);
}

static void side_files_among_profiles_are_taken_once(void **state) {
  (void)state;
  write_text("gmon.out.arcline", EMPTY_SIDE);
  write_text("other.arcline", EMPTY_SIDE);
  assert_int_equal(FIND("prog", "gmon.out", "gmon.out.arcline", "other.arcline",
                        "lib", "gmon.out.lib", "other.arcline"),
                   0);
  OBJECT(0, "prog", "gmon.out");
  OBJECT(1, "lib", "gmon.out.lib");
  SIDES("gmon.out.arcline", "other.arcline");
}

/** A side file beside a profile is optional; a named one is not. */
static void damaged_side_files_are_left_out_unless_named(void **state) {
  (void)state;
  write_text("gmon.out.arcline", "arcline-side 1\n");
  write_text("gmon.out.lib.arcline", EMPTY_SIDE);
  warnings_begin();
  const int rc = FIND("prog", "gmon.out", "lib", "gmon.out.lib");
  expect_warnings("arcline: warning: gmon.out.arcline: truncated after line 1: "
                  "the last line, `end', is missing; calls between objects and "
                  "time outside of them are omitted\n");
  assert_int_equal(rc, 0);
  SIDES("gmon.out.lib.arcline");
  assert_int_equal(err.code, ERR_NONE);
  inputs_release(&inputs);
  write_text("given", "arcline-side 1\n");
  expect_error(
      FIND("prog", "x", "lib", "y", "given"), ERR_INPUT,
      "given: truncated after line 1: the last line, `end', is missing");
}

// --- Folders ---

static void folder_behind_an_image_has_its_profiles(void **state) {
  const struct builder of_prog = made_gmon("progprog");
  const struct builder of_lib = made_gmon("lib lib ");

  (void)state;
  write_bytes("d/2", of_prog.bytes, of_prog.n_bytes);
  write_bytes("d/1", of_prog.bytes, of_prog.n_bytes);
  write_bytes("d/lib", of_lib.bytes, of_lib.n_bytes);
  write_text("d/2.arcline", EMPTY_SIDE);
  assert_int_equal(FIND("prog", "z", "d", "a"), 0);
  OBJECT(0, "prog", "z", "d/1", "d/2", "a");
  assert_false(inputs.is_joined);
  inputs_release(&inputs);
  assert_int_equal(FIND("prog", "d", "lib", "d"), 0);
  assert_true(inputs.is_joined);
  OBJECT(0, "prog", "d/1", "d/2");
  OBJECT(1, "lib", "d/lib");
  SIDES("d/2.arcline");
}

static void folder_without_profiles_is_an_error(void **state) {
  const struct builder of_lib = made_gmon("lib lib ");

  (void)state;
  write_bytes("d/lib", of_lib.bytes, of_lib.n_bytes);
  expect_error(FIND("prog", "gmon.out", "d"), ERR_INPUT,
               "d: folder contains no profile of prog; profiles of other "
               "images: 1");
  expect_error(FIND("none", "d"), ERR_INPUT,
               "none: cannot open: No such file or directory");
}

static void folder_in_front_has_side_files(void **state) {
  (void)state;
  made_image("d/x", "xxxx", 4, NULL, 0);
  write_text("d/gmon.out", "");
  write_text("d/g2", "");
  write_text("d/gmon.out.arcline",
             SIDE("object 0 78787878 0x0 gmon.out d/x\n"));
  write_text("d/a side", SIDE("object 0 78787878 0x0 g2 d/x\n"));
  assert_int_equal(FIND("d/"), 0);
  assert_true(inputs.is_joined);
  SIDES("d/a side", "d/gmon.out.arcline");
  assert_int_equal(inputs.n_objects, 1);
  OBJECT(0, "d/x", "d/g2", "d/gmon.out");
}

static void folder_in_front_without_side_files_is_an_error(void **state) {
  (void)state;
  expect_error(FIND("d"), ERR_INPUT,
               "d: folder contains no side file to name images and profiles; "
               "name the image before the folder, or use --images=FOLDER");
  write_text("d/side", EMPTY_SIDE);
  expect_error(FIND("d", "prog"), ERR_USAGE,
               "prog: not a side file, but folder d stands for its side files; "
               "name the image before a folder of profiles");
  expect_error(FIND("d", "gmon.out"), ERR_USAGE,
               "gmon.out: not a side file, but folder d stands for its side "
               "files; name the image before a folder of profiles");
}

/** The profiles in d were moved there, and their programs were rebuilt
 * since. */
static int find_moved(const char *images) {
  char *operands[] = {"d"};

  inputs_release(&inputs);
  return inputs_find(&(struct inputs_options){.operands = operands,
                                              .n_operands = 1,
                                              .image_folder = images},
                     &inputs, &err);
}

static void images_are_found_by_build_id(void **state) {
  const struct builder of_prog = made_gmon("progprog");

  (void)state;
  made_image("new", "newe newer", 10, NULL, 0);
  assert_int_equal(mkdir("build", 0700), 0);
  assert_int_equal(mkdir("build/bin", 0700), 0);
  made_image("build/bin/old", "olde older", 10, NULL, 0);
  made_image("build/bin/prog", "progprog", 8, NULL, 0);
  write_text("build/bin/text", "\177ELF");
  write_text("d/a.arcline", SIDE("object 0 6f6c6465206f6c646572 0x0 a new\n"
                                 "object 1 6f74686572 0x0 b gone\n"));
  write_text("d/a", "");
  write_text("d/b", "");
  write_text("d/c.arcline", SIDE("object 0 6e657765206e65776572 0x0 c new\n"
                                 "object 1 6f74686572 0x0 b gone\n"));
  write_text("d/c", "");
  write_bytes("d/unnamed", of_prog.bytes, of_prog.n_bytes);
  warnings_begin();
  assert_int_equal(find_moved(NULL), 0);
  expect_warnings(
      "arcline: warning: new: is not the build that ran; profiles of build "
      "6f6c6465206f6c64 are skipped, remove them or find that image by "
      "--images=FOLDER\n"
      "arcline: warning: gone: No such file or directory; object is skipped, "
      "use --images=FOLDER to find it elsewhere\narcline: warning: d: "
      "profiles in this folder are skipped, since no side file names their "
      "images: 1; use --images=FOLDER to find them\n");
  assert_int_equal(inputs.n_objects, 1);
  OBJECT(0, "new", "d/c");
  warnings_begin();
  assert_int_equal(find_moved("build"), 0);
  expect_warnings(
      "arcline: warning: gone: No such file or directory; object is skipped, "
      "--images=FOLDER contains no image with this build ID\n");
  assert_int_equal(inputs.n_objects, 3);
  OBJECT(0, "build/bin/old", "d/a");
  OBJECT(1, "new", "d/c");
  OBJECT(2, "build/bin/prog", "d/unnamed");
}

static void profiles_alone_are_of_images_that_are_found(void **state) {
  const struct builder of_prog = made_gmon("progprog");

  (void)state;
  assert_int_equal(mkdir("d/sub", 0700), 0);
  write_bytes("d/1", of_prog.bytes, of_prog.n_bytes);
  write_bytes("d/sub/2", of_prog.bytes, of_prog.n_bytes);
  assert_int_equal(find_moved("."), 0);
  assert_int_equal(inputs.n_objects, 1);
  assert_true(inputs.is_joined);
  OBJECT(0, "./prog", "d/1", "d/sub/2");
  expect_error(find_moved("none"), ERR_INPUT,
               "none: cannot read folder: No such file or directory");
}

// --- Side files ---

static void side_file_names_images_and_profiles(void **state) {
  (void)state;
  write_text("d/g", "");
  write_text("d/g.lib", "");
  write_text("d/side", SIDE("object 0 - 0x0 g prog\n"
                            "object 1 - 0x0 - [vdso]\n"
                            "object 2 - 0x0 - lib\n"
                            "object 3 - 0x0 g.lib lib\n"));
  FIND_SILENTLY("d/side");
  assert_true(inputs.is_joined);
  SIDES("d/side");
  // Profiles are where the side file is; images where they were.
  assert_int_equal(inputs.n_objects, 2);
  OBJECT(0, "prog", "d/g");
  OBJECT(1, "lib", "d/g.lib");
}

static void side_files_of_many_processes_are_added_up(void **state) {
  (void)state;
  write_text("g1", "");
  write_text("g2", "");
  write_text("g2.lib", "");
  write_text("1", SIDE("object 0 - 0x0 g1 prog\n"));
  write_text("2", SIDE("object 0 - 0x0 g2.lib lib\nobject 1 - 0x0 g2 prog\n"));
  // Another runtime in the first process.
  write_text("3", SIDE("object 0 - 0x0 g1 prog\n"));
  assert_int_equal(FIND("1", "2", "3"), 0);
  SIDES("1", "2", "3");
  assert_int_equal(inputs.n_objects, 2);
  OBJECT(0, "prog", "g1", "g2");
  OBJECT(1, "lib", "g2.lib");
}

/** As its profiles are. */
static void the_same_side_file_counts_once(void **state) {
  (void)state;
  write_text("d/g", "");
  write_text("d/side", SIDE("object 0 - 0x0 g prog\n"));
  assert_int_equal(FIND("d/side", "d/side"), 0);
  SIDES("d/side");
  OBJECT(0, "prog", "d/g");
  inputs_release(&inputs);
  assert_int_equal(FIND("d", "d/side", "d"), 0);
  SIDES("d/side");
  OBJECT(0, "prog", "d/g");
}

static void what_is_gone_is_left_out(void **state) {
  (void)state;
  write_text("side", SIDE("object 0 - 0x0 g prog\n"
                          "object 1 - 0x0 gmon.out gone\n"
                          "object 2 - 0x0 gmon.out.lib lib\n"));
  warnings_begin();
  const int rc = FIND("side");
  expect_warnings(
      "arcline: warning: g: cannot read: No such file or directory; object "
      "prog is "
      "skipped\narcline: warning: gone: No such file or directory; object is "
      "skipped, use --images=FOLDER to find it elsewhere\n");
  assert_int_equal(rc, 0);
  assert_int_equal(inputs.n_objects, 1);
  OBJECT(0, "lib", "gmon.out.lib");
}

static void nothing_left_is_an_error(void **state) {
  (void)state;
  write_text("side", SIDE("object 0 - 0x0 - prog\n"));
  expect_error(FIND("side"), ERR_INPUT,
               "side: no object has a readable image and profile; use "
               "--images=FOLDER to find images elsewhere");
}

static void side_files_are_among_themselves(void **state) {
  (void)state;
  write_text("side", EMPTY_SIDE);
  expect_error(FIND("side", "prog"), ERR_USAGE,
               "prog: not a side file, but side is one and names images and "
               "profiles itself");
  expect_error(FIND("side", "none"), ERR_USAGE,
               "none: not a side file, but side is one and names images and "
               "profiles itself");
}

static void damaged_side_file_is_an_error(void **state) {
  (void)state;
  write_text("good", SIDE("object 0 - 0x0 gmon.out prog\n"));
  write_text("bad", SIDE("object 0 - 0x0 ../gmon.out prog\n"));
  expect_error(
      FIND("good", "bad"), ERR_INPUT,
      "bad:3: name of a gmon file contains a slash; was the file edited?");
  write_text("bad", "arcline-side 2\nend\n");
  expect_error(FIND("bad"), ERR_INPUT,
               "bad: side file has format version 2, this arcline reads up to "
               "1; use a newer arcline");
}

// --- Identity of objects ---

static void build_ids_tell_objects_apart(void **state) {
  const char *profiles[] = {"x/gmon.out"};
  const struct input_object input = {
      .image_path = "y/prog", .profile_paths = profiles, .n_profile_paths = 1};
  const struct image image = {
      .path = "y/prog", .build_id = "abcd", .n_build_id = 4};
  const struct side_entry same = {
      .path = "/z/q", .file = "g", .build_id = "abcd", .n_build_id = 4};
  const struct side_entry padded = {
      .path = "/z/q", .file = "g", .build_id = "abcd", .n_build_id = 6};
  const struct side_entry other = {
      .path = "/z/prog", .file = "gmon.out", .build_id = "abce", 4};
  const struct side_entry longer = {
      .path = "/z/prog", .file = "gmon.out", .build_id = "abcde", 5};

  (void)state;
  assert_true(inputs_is_object(&input, &image, &same, false));
  assert_true(inputs_is_object(&input, &image, &padded, false));
  assert_false(inputs_is_object(&input, &image, &other, false));
  assert_false(inputs_is_object(&input, &image, &longer, false));
  assert_true(inputs_is_object(&input, &image, &other, true));
}

static void names_tell_where_a_build_id_is_missing(void **state) {
  const char *profiles[] = {"x/gmon.out", "g2"};
  const struct input_object input = {
      .image_path = "y/prog", .profile_paths = profiles, .n_profile_paths = 2};
  const struct image image = {
      .path = "y/prog", .build_id = "abcd", .n_build_id = 4};
  const struct image without = {.path = "prog"};
  const struct side_entry by_path = {.path = "/z/prog"};
  const struct side_entry by_file = {.path = "/z/q", .file = "gmon.out"};
  const struct side_entry by_other_file = {.path = "/z/q", .file = "g2"};
  const struct side_entry by_nothing = {.path = "/prog/q", .file = "g"};
  const struct side_entry with_id = {
      .path = "/z/prog", .build_id = "abce", .n_build_id = 4};

  (void)state;
  assert_true(inputs_is_object(&input, &image, &by_path, false));
  assert_true(inputs_is_object(&input, &image, &by_file, false));
  assert_true(inputs_is_object(&input, &image, &by_other_file, false));
  assert_false(inputs_is_object(&input, &image, &by_nothing, false));
  assert_false(inputs_is_object(&input, &image, &by_nothing, true));
  assert_true(inputs_is_object(&input, &without, &with_id, false));
  assert_false(inputs_is_object(&input, &image, &with_id, false));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(a_file_is_what_it_begins_with),
      TEST(what_cannot_be_read_twice_is_a_profile),
      TEST(names_are_a_out_and_gmon_out_unless_given),
      TEST(profiles_of_an_image_stay_in_order),
      TEST(the_first_one_is_the_image_whatever_it_is),
      TEST(one_image_has_no_use_for_side_files),
      TEST(each_image_has_the_profiles_behind_it),
      TEST(each_image_needs_a_profile),
      TEST(side_files_beside_profiles_are_taken),
      TEST(side_files_among_profiles_are_taken_once),
      TEST(damaged_side_files_are_left_out_unless_named),
      TEST(folder_behind_an_image_has_its_profiles),
      TEST(folder_without_profiles_is_an_error),
      TEST(folder_in_front_has_side_files),
      TEST(folder_in_front_without_side_files_is_an_error),
      TEST(images_are_found_by_build_id),
      TEST(profiles_alone_are_of_images_that_are_found),
      TEST(side_file_names_images_and_profiles),
      TEST(side_files_of_many_processes_are_added_up),
      TEST(the_same_side_file_counts_once),
      TEST(what_is_gone_is_left_out),
      TEST(nothing_left_is_an_error),
      TEST(side_files_are_among_themselves),
      TEST(damaged_side_file_is_an_error),
      TEST(build_ids_tell_objects_apart),
      TEST(names_tell_where_a_build_id_is_missing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
