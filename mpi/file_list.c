/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "file_list.h"

#include "base/array.h"
#include "base/err.h"
#include "base/file_walk.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int append(struct file_list *list, const char *path, bool is_given,
                  struct err *err) {
  const size_t n = strlen(path) + 2;
  if (list->max_bytes - list->n_bytes < n) {
    const size_t max = 2 * list->max_bytes + n;
    char *const text = realloc(list->text, max);
    if (!text)
      return err_no_memory(err);
    list->text = text;
    list->max_bytes = max;
  }
  list->text[list->n_bytes] = is_given ? '+' : '-';
  memcpy(list->text + list->n_bytes + 1, path, n - 1);
  list->n_bytes += n;
  return 0;
}

static int add_found(void *list, const char *path, struct err *err) {
  return append(list, path, false, err);
}

int file_list_add(struct file_list *list, const char *operand,
                  struct err *err) {
  struct stat status;
  return stat(operand, &status) == 0 && S_ISDIR(status.st_mode)
             ? file_walk_each(operand, add_found, list, &list->n_skipped, err)
             : append(list, operand, true, err);
}

const char *file_list_next(const struct file_list *list, size_t *at,
                           bool *is_given) {
  if (*at >= list->n_bytes)
    return NULL;
  const char *const entry = list->text + *at;
  *is_given = entry[0] == '+';
  *at += 1 + strlen(entry + 1) + 1;
  return entry + 1;
}

void file_list_release(struct file_list *list) {
  free(list->text);
  *list = (struct file_list){0};
}
