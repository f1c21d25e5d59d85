/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/source_refs.h"

#include "base/array.h"
#include "base/err.h"
#include "debug/func_names.h"
#include "html/html_parts.h"

#include <stdlib.h>

static int add_name(struct source_refs *refs, struct map64 *map, uint64_t key,
                    struct source_ref name, uint32_t *out, struct err *err) {
  *out = (uint32_t)refs->n_names;
  const int rc = map64_find_or_insert(map, key, out, err);
  if (rc)
    return rc < 0 ? -1 : 0;
  struct source_ref *const names =
      array_grow(refs->names, refs->n_names, &refs->max_names, sizeof(*names));
  if (!names)
    return err_no_memory(err);
  refs->names = names;
  names[refs->n_names++] = name;
  return 0;
}

int source_refs_func(struct source_refs *refs, uint32_t i_func, uint32_t *out,
                     struct err *err) {
  return add_name(refs, &refs->by_func, i_func,
                  (struct source_ref){.i_func = i_func}, out, err);
}

int source_refs_name(struct source_refs *refs, const char *name,
                     uint32_t i_file, uint32_t *out, struct err *err) {
  const uint32_t i_func = func_list_find(&refs->report->funcs, name, i_file);
  if (i_func != FUNC_NONE)
    return source_refs_func(refs, i_func, out, err);
  // Names are of few tables: an equal one elsewhere is listed again.
  return add_name(refs, &refs->by_name, (uintptr_t)name,
                  (struct source_ref){FUNC_NONE, name}, out, err);
}

/** Number a key: by its place in a list. */
static int add_number(struct map64 *map, uint32_t key, uint32_t **list,
                      size_t *n, size_t *max, uint32_t *out, struct err *err) {
  *out = (uint32_t)*n;
  const int rc = map64_find_or_insert(map, key, out, err);
  if (rc)
    return rc < 0 ? -1 : 0;
  uint32_t *const grown = array_grow(*list, *n, max, sizeof(*grown));
  if (!grown)
    return err_no_memory(err);
  *list = grown;
  grown[(*n)++] = key;
  return 0;
}

int source_refs_file(struct source_refs *refs, uint32_t i_file, uint32_t *out,
                     struct err *err) {
  return add_number(&refs->by_file, i_file, &refs->files, &refs->n_files,
                    &refs->max_files, out, err);
}

int source_refs_tests(struct source_refs *refs, uint32_t set, uint32_t *out,
                      struct err *err) {
  return add_number(&refs->by_set, set, &refs->sets, &refs->n_sets,
                    &refs->max_sets, out, err);
}

static void put_text_of(const struct source_refs *refs,
                        const struct source_ref *name, struct json *json) {
  if (name->i_func != FUNC_NONE) {
    json_text(json, NULL, refs->report->funcs.funcs[name->i_func].text);
    return;
  }
  char *const text = name->name[0] ? func_name_demangle(name->name) : NULL;
  json_text(json, NULL,
            text            ? text
            : name->name[0] ? name->name
                            : "(indirect call)");
  free(text);
}

/** Write functions: names, shorter ones ("": as it is), places [file, line] of
 * those with a page. */
static int put_names(struct source_refs *refs, struct json *json,
                     struct err *err) {
  const struct html_report *const report = refs->report;
  const struct html_func *const funcs = report->funcs.funcs;
  json_array_begin(json, "names");
  for (size_t i = 0; i < refs->n_names; i++)
    put_text_of(refs, &refs->names[i], json);
  json_array_end(json);
  json_array_begin(json, "briefs");
  for (size_t i = 0; i < refs->n_names; i++) {
    const uint32_t i_func = refs->names[i].i_func;
    json_text(json, NULL,
              i_func != FUNC_NONE && funcs[i_func].brief ? funcs[i_func].brief
                                                         : "");
  }
  json_array_end(json);
  json_array_begin(json, "places");
  for (size_t i = 0; i < refs->n_names; i++) {
    const uint32_t i_func = refs->names[i].i_func;
    struct site_place place = {.part = PART_NONE};
    uint32_t file;
    if (i_func != FUNC_NONE)
      place = html_func_place(report, &funcs[i_func]);
    json_array_begin(json, NULL);
    if (place.part != PART_NONE) {
      if (source_refs_file(refs, (uint32_t)place.i_file, &file, err))
        return -1;
      json_integer(json, NULL, file);
      json_integer(json, NULL, place.line);
    }
    json_array_end(json);
  }
  json_array_end(json);
  return 0;
}

/** Write files: names, and pages ("": none). */
static void put_files(struct source_refs *refs, struct json *json) {
  const struct site_pages *const pages = &refs->report->pages;
  json_array_begin(json, "files");
  for (size_t i = 0; i < refs->n_files; i++)
    json_text(json, NULL, pages->files[refs->files[i]].name);
  json_array_end(json);
  json_array_begin(json, "pages");
  for (size_t i = 0; i < refs->n_files; i++)
    json_text(json, NULL,
              site_pages_has(pages, refs->files[i])
                  ? pages->names.pages[refs->files[i]]
                  : "");
  json_array_end(json);
}

/** Write sets of tests, by numbers in data/tests.js. */
static int put_sets(const struct source_refs *refs, struct json *json,
                    struct err *err) {
  json_array_begin(json, "tests");
  for (size_t i = 0; i < refs->n_sets; i++)
    if (report_tests_put_set(&refs->report->tests, refs->sets[i], json, err))
      return -1;
  json_array_end(json);
  return 0;
}

int source_refs_put(struct source_refs *refs, struct json *json,
                    struct err *err) {
  if (put_names(refs, json, err))
    return -1;
  put_files(refs, json);
  return report_tests_exist(&refs->report->tests) ? put_sets(refs, json, err)
                                                  : 0;
}

void source_refs_release(struct source_refs *refs) {
  free(refs->names);
  free(refs->files);
  free(refs->sets);
  map64_release(&refs->by_func);
  map64_release(&refs->by_name);
  map64_release(&refs->by_file);
  map64_release(&refs->by_set);
  *refs = (struct source_refs){0};
}
