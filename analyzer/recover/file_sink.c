/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "recover/file_sink.h"

#include "base/err.h"

#include <errno.h>
#include <string.h>

/** Put the zeros into the stream: from some number on as a hole. */
static void settle(struct file_sink *file) {
  static const uint8_t zeros[WRITE_SINK_ROOM];

  if (file->n_zeros <= sizeof(zeros))
    fwrite(zeros, 1, file->n_zeros, file->stream);
  else if (fseeko(file->stream, (off_t)file->n_zeros, SEEK_CUR) != 0)
    file->sink.error = errno;
  file->n_zeros = 0;
}

static void flush(struct write_sink *sink) {
  struct file_sink *file = (struct file_sink *)sink;
  const size_t n = (size_t)(sink->at - file->buffer);

  sink->at = file->buffer;
  sink->offset += n;
  if (n == 0 || sink->error)
    return;
  settle(file);
  if (fwrite(file->buffer, 1, n, file->stream) != n)
    sink->error = errno;
}

static void put_zeros(struct write_sink *sink, size_t n) {
  struct file_sink *file = (struct file_sink *)sink;

  flush(sink);
  file->n_zeros += n;
  sink->offset += n;
}

static void patch(struct write_sink *sink, uint64_t offset, const void *bytes,
                  size_t n) {
  struct file_sink *file = (struct file_sink *)sink;

  flush(sink);
  settle(file);
  if (!sink->error && (fseeko(file->stream, (off_t)offset, SEEK_SET) != 0 ||
                       fwrite(bytes, 1, n, file->stream) != n ||
                       fseeko(file->stream, 0, SEEK_END) != 0))
    sink->error = errno;
}

int file_sink_begin(struct file_sink *file, FILE *to, struct err *err) {
  FILE *stream = ftello(to) == 0 ? to : tmpfile();

  if (!stream)
    return err_set(
        err, ERR_SYSTEM,
        "cannot write a temporary file: %s; check the free space in /tmp",
        strerror(errno));
  *file = (struct file_sink){.to = to, .stream = stream};
  file->sink = (struct write_sink){.first = file->buffer,
                                   .at = file->buffer,
                                   .end = file->buffer + sizeof(file->buffer),
                                   .flush = flush,
                                   .put_zeros = put_zeros,
                                   .patch = patch};
  return 0;
}

/** Copy the temporary stream to its destination. */
static void copy(struct file_sink *file) {
  size_t n;

  rewind(file->stream);
  while ((n = fread(file->buffer, 1, sizeof(file->buffer), file->stream)) > 0)
    fwrite(file->buffer, 1, n, file->to);
}

int file_sink_end(struct file_sink *file, struct err *err) {
  struct write_sink *sink = &file->sink;

  flush(sink);
  // A file does not end in a hole.
  if (file->n_zeros > 0) {
    file->n_zeros--;
    settle(file);
    fputc(0, file->stream);
  }
  if (file->stream != file->to) {
    if (!sink->error)
      copy(file);
    fclose(file->stream);
  }
  // Errors of writing are reported by the caller, who closes the stream.
  if (!sink->error || ferror(file->to))
    return 0;
  return err_set(
      err, ERR_SYSTEM,
      "cannot write a temporary file: %s; check the free space in /tmp",
      strerror(sink->error));
}
