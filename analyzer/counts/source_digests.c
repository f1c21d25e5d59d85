/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/source_digests.h"

#include "arcline/line_encoding.h"
#include "base/err.h"
#include "base/md5.h"
#include "debug/file_table.h"
#include "debug/source.h"
#include "image/line_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** The digest of a file's text. */
struct source_digest {
  uint8_t bytes[ARCLINE_DIGEST_BYTES]; // all 0: unknown
  bool is_of_several; // code of the file was compiled of different texts
};

static const uint8_t unknown[ARCLINE_DIGEST_BYTES];

static bool is_known(const uint8_t *digest) {
  return memcmp(digest, unknown, sizeof(unknown)) != 0;
}

static void add(struct source_digest *file, const uint8_t *digest) {
  if (!is_known(digest))
    return;
  if (is_known(file->bytes))
    file->is_of_several |= memcmp(file->bytes, digest, sizeof(unknown)) != 0;
  else
    memcpy(file->bytes, digest, sizeof(unknown));
}

static int add_list(struct source_digests *digests,
                    const struct line_digests *list,
                    const struct file_table *files,
                    const struct source_paths *paths, struct err *err) {
  const char *const end = list->names + list->n_names_bytes;
  const char *name = list->names + strlen(list->names) + 1;

  for (size_t i = 0; i < list->n_digests && name < end;
       i++, name += strlen(name) + 1) {
    char *const mapped = source_map_name(paths, strdup(name));
    uint32_t i_file;
    if (!mapped)
      return err_no_memory(err);
    if (file_table_find(files, mapped, &i_file))
      add(&digests->files[i_file], list->digests + i * ARCLINE_DIGEST_BYTES);
    free(mapped);
  }
  return 0;
}

/** Have digests of all files of a table, which only grows. */
static int widen(struct source_digests *digests, uint32_t n_files,
                 struct err *err) {
  struct source_digest *const wider =
      reallocarray(digests->files, (size_t)n_files + 1, sizeof(*wider));
  if (!wider)
    return err_no_memory(err);
  memset(wider + digests->n_files, 0,
         (n_files - digests->n_files) * sizeof(*wider));
  *digests = (struct source_digests){wider, n_files};
  return 0;
}

int source_digests_add(struct source_digests *digests,
                       const struct line_data *lines,
                       const struct file_table *files,
                       const struct source_paths *paths, struct err *err) {
  struct line_digests list;
  size_t at = 0;

  if (widen(digests, files->n_names, err) != 0)
    return -1;
  while (line_data_next_digests(lines, &at, &list))
    if (add_list(digests, &list, files, paths, err) != 0)
      return -1;
  return 0;
}

bool source_digests_have(const struct source_digests *digests,
                         uint32_t i_file) {
  return i_file < digests->n_files && is_known(digests->files[i_file].bytes);
}

bool source_digests_differ(const struct source_digests *digests,
                           uint32_t i_file, const struct source_text *text) {
  char now[MD5_TEXT_BYTES], then[MD5_TEXT_BYTES];

  if (!source_digests_have(digests, i_file))
    return false;
  const struct source_digest *const file = &digests->files[i_file];
  for (size_t i = 0; i < sizeof(file->bytes); i++)
    snprintf(then + 2 * i, 3, "%02x", file->bytes[i]);
  md5_text(text->bytes, text->n_bytes, now);
  return file->is_of_several || strcmp(now, then) != 0;
}

void source_digests_release(struct source_digests *digests) {
  free(digests->files);
  *digests = (struct source_digests){0};
}
