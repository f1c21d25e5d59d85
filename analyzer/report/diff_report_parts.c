/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/diff_report_parts.h"

#include "base/err.h"
#include "debug/func_names.h"
#include "debug/source_filter.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void diff_put_name(const struct diff_page *page, const char *name) {
  const bool is_markdown = page->options->is_markdown;

  if (is_markdown)
    fputc('`', page->out);
  for (; *name; name++) {
    const unsigned char byte = (unsigned char)*name;
    if (is_markdown && byte == '|')
      fputc('\\', page->out);
    fputc(byte < 0x20 || byte == 0x7f || (is_markdown && byte == '`') ? '?'
                                                                      : byte,
          page->out);
  }
  if (is_markdown)
    fputc('`', page->out);
}

void diff_put_func(const struct diff_page *page, const char *linkage_name) {
  char *const name = func_name_demangle(linkage_name);

  diff_put_name(page, name ? name : linkage_name);
  free(name);
}

const char *diff_short_name(const struct diff_report_options *options,
                            const char *name) {
  const char *const part =
      options->root ? source_root_relative(options->root, name) : name;
  const size_t n = options->cwd ? strlen(options->cwd) : 0;

  if (part != name)
    return part;
  return n > 1 && strncmp(name, options->cwd, n) == 0 && name[n] == '/'
             ? name + n + 1
             : name;
}

void diff_put_place(const struct diff_page *page, const char *file,
                    uint32_t line) {
  char *place;

  if (asprintf(&place, "%s:%" PRIu32, diff_short_name(page->options, file),
               line) < 0)
    return;
  diff_put_name(page, place);
  free(place);
}

/** The text of a file; that of the last one is kept. */
static const struct source_text *text_of(const struct diff_page *page,
                                         const char *file) {
  struct diff_kept_text *const kept = page->kept;
  struct err why;
  int reason;

  if (kept->file != file) {
    source_release(&kept->text);
    kept->file = file;
    if (source_load(page->options->sources, file, &kept->text, &reason, &why) !=
        0)
      kept->text = (struct source_text){0};
  }
  return &kept->text;
}

char *diff_line_text(const struct diff_page *page, const char *file,
                     uint32_t line) {
  const struct source_text *const text = text_of(page, file);

  size_t n_bytes;
  const char *const at = source_line_trimmed(text, line, &n_bytes);
  return at && n_bytes > 0
             ? strndup(at, n_bytes < MAX_TEXT ? n_bytes : MAX_TEXT)
             : NULL;
}

void diff_put_text(const struct diff_page *page, const char *file,
                   uint32_t line) {
  char *const text = diff_line_text(page, file, line);

  if (text) {
    fputs("  ", page->out);
    diff_put_name(page, text);
  }
  free(text);
}
