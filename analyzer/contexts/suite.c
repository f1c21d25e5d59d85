/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "contexts/suite.h"

#include "base/err.h"
#include "base/progress.h"
#include "model/newest.h"

#include <stdlib.h>

/** Returns NULL with *err set. */
static const char *find_folder(const char *folder, struct err *err) {
  if (folder && context_folder_is_suite(folder))
    return folder;
  if (folder) {
    err_set(err, ERR_INPUT,
            "%s: contains no contexts; run tests with ARCLINE_CONTEXT=NAME, "
            "see arcline-tests(1)",
            folder);
    return NULL;
  }
  if (context_folder_is_suite(newest_folder()))
    return newest_folder();
  if (context_folder_is_suite("."))
    return ".";
  err_set(err, ERR_USAGE,
          "no folder with contexts here; name the folder of the suite");
  return NULL;
}

static int open_all(const struct context_collecting *options, struct suite *out,
                    struct err *err) {
  struct context_collecting now = *options;

  now.folder = find_folder(options->folder, err);
  if (!now.folder)
    return -1;
  out->folder = now.folder;
  out->path = context_index_path(now.folder);
  if (!out->path)
    return err_no_memory(err);
  progress_step("reading", now.folder);
  return context_collect(&now, &out->collected, err) == 0 &&
                 context_index_read(out->path, &out->index, err) == 0 &&
                 context_find_stale(&out->index, &out->stale, err) == 0
             ? 0
             : -1;
}

int suite_open(const struct context_collecting *options, struct suite *out,
               struct err *err) {
  *out = (struct suite){0};
  if (open_all(options, out, err) == 0)
    return 0;
  suite_close(out);
  return -1;
}

void suite_warn(const struct suite *suite) {
  size_t n_stale = 0;

  for (size_t i = 0; i < suite->stale.n; i++)
    n_stale += suite->stale.has_run[i];
  if (n_stale > 0)
    warn("%s: %zu of %zu tests ran an earlier build of a program; run them "
         "again",
         suite->folder, n_stale, suite->stale.n);
}

void suite_close(struct suite *suite) {
  context_hits_release(&suite->stale);
  context_index_release(&suite->index);
  context_collected_release(&suite->collected);
  free(suite->path);
  *suite = (struct suite){0};
}
