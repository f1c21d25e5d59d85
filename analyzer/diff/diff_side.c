/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "diff/diff_side.h"

#include "base/err.h"
#include "base/in_file.h"
#include "counts/flow_load.h"
#include "gmon/side_file.h"
#include "gmon/side_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** The object whose profile has that name. If the profile was renamed, the
 * object with the shortest name of its profile, which is the executable:
 * libraries have theirs appended. */
static const struct side_entry *find_entry(const struct side_file *file,
                                           const char *name, bool *is_named) {
  const struct side_entry *best = NULL;

  *is_named = true;
  for (size_t i = 0; i < file->n_entries; i++) {
    const struct side_entry *const entry = &file->entries[i];
    if (entry->file && strcmp(entry->file, name) == 0)
      return entry;
    if (entry->file && (!best || strlen(entry->file) < strlen(best->file)))
      best = entry;
  }
  *is_named = false;
  return best;
}

/** Put down the image that an object of a side file is. */
static int add_image(struct diff_side *side, const struct side_entry *entry,
                     const char *folder, struct err *err) {
  struct image_index images = {.folder = folder};
  const char *path = NULL;
  int rc = 0;

  if (folder && entry->n_build_id > 0)
    rc = image_index_find(&images, entry->build_id, entry->n_build_id, &path,
                          err);
  if (rc == 0) {
    side->owned = strdup(path ? path : entry->path);
    rc = side->owned ? 0 : err_no_memory(err);
  }
  image_index_release(&images);
  side->operands[0] = side->owned;
  return rc;
}

/** Find the image of a gmon file by the side file beside it. The side file is
 * used instead if it names the profile, since it has libraries, too. */
static int find_by_side(struct diff_side *side, char *operand,
                        const char *folder, size_t *n_operands,
                        struct err *err) {
  const char *const slash = strrchr(operand, '/');
  struct side_file file = {0};
  char *path;
  bool is_named;

  if (asprintf(&path, "%s" SIDE_SUFFIX, operand) < 0)
    return err_no_memory(err);
  if (in_file_access(path, R_OK) != 0) {
    free(path);
    return err_set(err, ERR_USAGE,
                   "%s: no side file (%s" SIDE_SUFFIX
                   ") to name the image; use --image, --image-a or --image-b",
                   operand, slash ? slash + 1 : operand);
  }
  int rc = side_file_load(path, &file, err);
  if (rc == 0) {
    const struct side_entry *const entry =
        find_entry(&file, slash ? slash + 1 : operand, &is_named);
    if (!entry) {
      rc = err_set(err, ERR_INPUT,
                   "%s: side file lists no instrumented object; use --image, "
                   "--image-a or --image-b",
                   path);
    } else if (is_named) {
      side->operands[0] = side->owned = path;
      path = NULL;
      *n_operands = 1;
    } else {
      rc = add_image(side, entry, folder, err);
      side->operands[1] = operand;
      *n_operands = 2;
    }
  }
  side_file_release(&file);
  free(path);
  return rc;
}

/** Convert the user's operand to those of all commands. */
static int find_operands(struct diff_side *side, char *operand, char *image,
                         struct inputs_options *options, struct err *err) {
  if (options->n_operands) // those of an archive
    return 0;
  options->operands = side->operands;
  if (!operand) {
    side->operands[0] = image;
    options->n_operands = image != NULL;
    return newest_complete(options, "diff", &side->newest, err);
  }
  if (!image && strcmp(operand, "-") == 0)
    return err_set(err, ERR_USAGE,
                   "-: image of standard input is not known; use --image, "
                   "--image-a or --image-b");
  const enum operand kind = inputs_operand_at(operand);
  if (image && (kind == OPERAND_PROFILE || kind == OPERAND_FOLDER)) {
    side->operands[0] = image;
    side->operands[1] = operand;
    options->n_operands = 2;
    return 0;
  }
  if (kind == OPERAND_PROFILE && in_file_access(operand, R_OK) == 0)
    return find_by_side(side, operand, options->image_folder,
                        &options->n_operands, err);
  side->operands[0] = operand;
  options->n_operands = 1;
  return newest_complete(options, "diff", &side->newest, err);
}

/** Count lines, branches and calls. Graphs are not kept: there are two sides.
 */
static int open_lines(struct diff_side *side, struct err *err) {
  if (flow_load(&side->model, &side->flow, err) != 0 ||
      line_profile_open(&side->model, &side->flow, &side->lines, NULL, err) !=
          0)
    return -1;
  flow_data_drop_nodes(&side->flow);
  if (line_profile_name_callees(&side->lines, err) != 0 ||
      (side->lines.is_exact &&
       branch_counts_build(&side->flow, &side->branches, err) != 0) ||
      line_profile_exclude(&side->lines, &side->branches, err) != 0)
    return -1;
  flow_data_drop_graphs(&side->flow);
  return 0;
}

static int open_side(const char *operand, const char *image,
                     const struct inputs_options *options, bool has_lines,
                     struct diff_side *out, struct err *err) {
  const struct model_symbols symbols = {0};
  struct inputs_options own = *options;

  *out = (struct diff_side){0};
  if (find_operands(out, (char *)operand, (char *)image, &own, err) == 0 &&
      model_open_profiles(&own, has_lines ? MEASURE_BLOCKS : 0, &out->model,
                          err) == 0 &&
      (!has_lines || open_lines(out, err) == 0) &&
      graph_profile_open(&out->model, &symbols, &out->program, err) == 0 &&
      graph_profile_build(&out->program, 0, err) == 0 &&
      (!has_lines || graph_profile_locate(&out->program, err) == 0))
    return 0;
  diff_side_release(out);
  return -1;
}

int diff_side_open(const char *operand, const char *image,
                   const struct inputs_options *options, struct diff_side *out,
                   struct err *err) {
  return open_side(operand, image, options, true, out, err);
}

int diff_side_open_functions(const char *operand, const char *image,
                             const struct inputs_options *options,
                             struct diff_side *out, struct err *err) {
  return open_side(operand, image, options, false, out, err);
}

void diff_side_release(struct diff_side *side) {
  branch_counts_release(&side->branches);
  line_profile_close(&side->lines);
  graph_profile_release(&side->program);
  flow_data_release(&side->flow);
  model_close(&side->model);
  newest_release(&side->newest);
  free(side->owned);
  *side = (struct diff_side){0};
}
