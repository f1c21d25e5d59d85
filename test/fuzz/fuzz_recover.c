/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* `arcline recover` as a whole: an image and a live file (live_input.h). */
#include "base/err.h"
#include "cmd/commands.h"
#include "fuzz.h"
#include "live_input.h"

/** Bits of the flags for the command. */
enum {
  IS_FORCED = 1 << 3,
  IMAGE_GIVEN = 1 << 4, /* not searched for at its old path */
  ONE_NAME = 1 << 5,    /* -o names a file, not a folder */
};

static void make_files(const struct live_input *input) {
  static _Alignas(8) uint8_t file[LIVE_INPUT_MAX_BYTES];
  static int is_linked;
  const char *const image = fuzz_file(0, input->image, input->n_image);
  const size_t n_file = live_input_make(input, image, file);

  fuzz_file(1, file, n_file);
  if (is_linked)
    return;
  fuzz_folder_link(1, "live");
  is_linked = 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes) {
  const struct live_input input = live_input_read(bytes, n_bytes);
  char *argv[7] = {"recover", "-o", input.flags & ONE_NAME ? "recovered" : "."};
  int argc = 3;
  struct err err = {0};

  fuzz_folder_enter();
  make_files(&input);
  if (input.flags & IS_FORCED)
    argv[argc++] = "--force";
  argv[argc++] = "in/live";
  if (input.flags & IMAGE_GIVEN)
    argv[argc++] = (char *)fuzz_file(0, input.image, input.n_image);
  cmd_recover.run(argc, argv, &err);
  fuzz_folder_leave();
  return 0;
}
