/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/page_names.h"

#include "base/err.h"
#include "base/merge_sort.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BASE_BYTES = 60 };

/** FNV-1a: the same name is the same number in each report. */
static uint32_t hash_name(const char *name) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (; *name; name++)
    hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
  return (uint32_t)(hash ^ hash >> 32);
}

static bool is_safe(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') || byte == '.' || byte == '_' ||
         byte == '-';
}

static char *make_page(const char *name, size_t n_same) {
  const char *const slash = strrchr(name, '/');
  const char *const base = slash ? slash + 1 : name;
  char safe[MAX_BASE_BYTES + 1];
  size_t n = 0;
  for (; n < MAX_BASE_BYTES && base[n]; n++)
    safe[n] = is_safe(base[n]) && (n > 0 || base[n] != '.') ? base[n] : '_';
  safe[n] = '\0';
  char *page;
  const int rc = n_same
                     ? asprintf(&page, "%s-%08" PRIx32 "-%zu", safe,
                                hash_name(name), n_same)
                     : asprintf(&page, "%s-%08" PRIx32, safe, hash_name(name));
  return rc < 0 ? NULL : page;
}

static int compare_pages(const void *left, const void *right,
                         const void *context) {
  const struct page_names *const names = context;
  const size_t a = *(const size_t *)left, b = *(const size_t *)right;
  const int order = strcasecmp(names->pages[a], names->pages[b]);
  return order ? order : (a > b) - (a < b);
}

/** Number pages that still have equal names. */
static int number_pages(const char *const *names, struct page_names *out,
                        struct err *err) {
  size_t *const order = calloc(out->n + 1, sizeof(*order));
  size_t n = 0, first = 0;
  if (!order)
    return err_no_memory(err);
  for (size_t i = 0; i < out->n; i++)
    if (out->pages[i])
      order[n++] = i;
  int rc = merge_sort(order, n, sizeof(*order), compare_pages, out)
               ? err_no_memory(err)
               : 0;
  for (size_t i = 1; rc == 0 && i < n; i++) {
    if (strcasecmp(out->pages[order[first]], out->pages[order[i]]) != 0) {
      first = i;
      continue;
    }
    char *const page = make_page(names[order[i]], i - first);
    if (!page) {
      rc = err_no_memory(err);
      break;
    }
    free(out->pages[order[i]]);
    out->pages[order[i]] = page;
  }
  free(order);
  return rc;
}

int page_names_build(const char *const *names, size_t n, struct page_names *out,
                     struct err *err) {
  *out =
      (struct page_names){.pages = calloc(n + 1, sizeof(*out->pages)), .n = n};
  int rc = out->pages ? 0 : err_no_memory(err);
  for (size_t i = 0; rc == 0 && i < n; i++) {
    if (!names[i])
      continue;
    out->pages[i] = make_page(names[i], 0);
    rc = out->pages[i] ? 0 : err_no_memory(err);
  }
  if (rc == 0)
    rc = number_pages(names, out, err);
  if (rc)
    page_names_release(out);
  return rc;
}

size_t page_names_folder(const char *name) {
  const char *const slash = strrchr(name, '/');
  return slash ? (size_t)(slash - name) : 0;
}

size_t page_names_root(const char *const *names, size_t n) {
  size_t n_root = 0;
  for (size_t i = 0; i < n; i++) {
    const char *const name = names[i], *const first = names[0];
    if (i == 0)
      n_root = page_names_folder(name) + (name[page_names_folder(name)] == '/');
    size_t n_same = 0;
    while (n_same < n_root && name[n_same] == first[n_same])
      n_same++;
    while (n_same > 0 && first[n_same - 1] != '/')
      n_same--;
    n_root = n_same;
  }
  return n_root > 1 ? n_root : 0; // "/" is none
}

void page_names_release(struct page_names *names) {
  for (size_t i = 0; names->pages && i < names->n; i++)
    free(names->pages[i]);
  free(names->pages);
  *names = (struct page_names){0};
}
