/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/packed.h"

#include "base/base64_stream.h"
#include "base/gzip_stream.h"
#include "html/site.h"

#include <inttypes.h>

int packed_begin(struct packed *out, FILE *under, struct err *err) {
  *out = (struct packed){.base64 = base64_stream_open(under, err)};
  if (!out->base64)
    return -1;
  out->gzip = gzip_stream_open(out->base64, err);
  if (!out->gzip) {
    fclose(out->base64);
    return -1;
  }
  out->json = (struct json){.stream = out->gzip, .is_flat = true};
  return 0;
}

void packed_end(struct packed *packed) {
  fclose(packed->gzip);
  fclose(packed->base64);
}

void packed_count(struct packed *packed, const char *key, uint64_t number) {
  static const uint64_t max_exact = UINT64_C(1) << 53;
  char digits[24];

  if (number <= max_exact) {
    json_integer(&packed->json, key, number);
    return;
  }
  snprintf(digits, sizeof(digits), "%" PRIu64, number);
  json_text(&packed->json, key, digits);
}

int packed_file_begin(const struct site *site, const char *name,
                      struct packed_file *out, struct err *err) {
  char path[64];

  snprintf(path, sizeof(path), "data/%s.js", name);
  if (site_open_file(site, path, &out->file, err))
    return -1;
  fprintf(out->file.stream, "arcline.data.%s = \"", name);
  if (packed_begin(&out->packed, out->file.stream, err)) {
    out_file_release(&out->file);
    return -1;
  }
  return 0;
}

int packed_file_end(struct packed_file *file, int rc, struct err *err) {
  packed_end(&file->packed);
  fputs("\";\n", file->file.stream);
  if (rc == 0)
    rc = out_file_commit(&file->file, err);
  out_file_release(&file->file);
  return rc ? -1 : 0;
}
