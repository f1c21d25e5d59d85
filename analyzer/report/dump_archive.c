/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/dump_archive.h"

#include "base/archive.h"
#include "base/err.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** Print a name with the escapes of side files. */
static void put_name(const char *name, FILE *out) {
  for (const char *at = name; *at; at++) {
    const unsigned char c = (unsigned char)*at;
    fprintf(out, c <= ' ' || c == '%' || c == 0x7f ? "%%%02x" : "%c", c);
  }
}

static void put_words(const char *key, const struct archive_words *words,
                      FILE *out) {
  for (size_t i = 0; i < words->n; i++) {
    fprintf(out, "%s ", key);
    put_name(words->list[i], out);
    putc('\n', out);
  }
}

/** Context of print_file(). */
struct printing {
  const struct file_set *files;
  FILE *out;
  struct err *err;
};

static int print_file(void *context, const char *rest) {
  const struct printing *const printing = context;
  FILE *const out = printing->out;
  struct stat status;
  char *name;
  if (asprintf(&name, "/%s", rest) < 0)
    return err_no_memory(printing->err);
  char *const real = file_set_real(printing->files, name);
  int rc = real ? file_set_status(printing->files, name, &status)
                : err_no_memory(printing->err);
  if (rc == 0) {
    fputs("file name=", out);
    put_name(name, out);
    fprintf(out, " bytes=%" PRIu64 " written=%" PRId64,
            (uint64_t)status.st_size, (int64_t)status.st_mtime);
    if (strcmp(real, name) != 0) {
      fputs(" link=", out);
      put_name(real, out);
    }
    putc('\n', out);
  }
  free(real);
  free(name);
  return rc;
}

int dump_archive(const char *path, FILE *out, struct err *err) {
  struct archive archive;
  const struct printing printing = {&archive.files, out, err};
  if (archive_open(path, &archive, err))
    return -1;
  fprintf(out, "archive version=%d folder=", ARCHIVE_VERSION);
  put_name(archive.files.folder ? archive.files.folder : "/", out);
  putc('\n', out);
  if (archive.root) {
    fputs(archive.is_root_named ? "root-named " : "root ", out);
    put_name(archive.root[0] ? archive.root : "/", out);
    putc('\n', out);
  }
  if (archive.root_alias) {
    fputs("root-alias ", out);
    put_name(archive.root_alias, out);
    putc('\n', out);
  }
  put_words("operand", &archive.operands, out);
  put_words("option", &archive.options, out);
  const int rc =
      file_set_walk(&archive.files, "/", print_file, (void *)&printing);
  archive_close(&archive);
  return rc;
}
