/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/archive.h"

#include "base/array.h"
#include "base/err.h"
#include "base/in_file.h"
#include "base/path_clean.h"
#include "base/tar_format.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum {
  MAX_INDEX_BYTES = 1 << 26,
  MAX_EXTENDED_BYTES = 1 << 20,
  // Text and debug information compress to a tenth, histograms to less; blocks
  // of zeros are not in memory.
  ALWAYS_BYTES = 1 << 26,
  MAX_RATIO = 100,
};

/** State of reading. */
struct reader {
  const char *path;
  gzFile file;
  uint64_t at;        // in the tar file
  uint64_t max_bytes; // in memory
  char *name, *link;  // of the extended header; NULL: none
  uint64_t size;      // of it
  bool has_size;
  struct archive *archive;
  struct err *err;
};

/** A member's header. */
struct member {
  uint64_t at; // of its header
  char type;
  char *name, *link; // to free()
  uint64_t n_bytes;
  int64_t written;
};

static int fail_at(const struct reader *reader, uint64_t at, const char *what,
                   const char *name) {
  return err_set(reader->err, ERR_INPUT, "%s: byte %" PRIu64 ": %s%s",
                 reader->path, at, what, name);
}

static int fail_end(const struct reader *reader) {
  int number;
  gzerror(reader->file, &number);
  return fail_at(reader, reader->at,
                 number == Z_OK || number == Z_BUF_ERROR
                     ? "archive ends here; it was cut off"
                     : "archive is damaged",
                 "");
}

// --- Words ---

int archive_words_add(struct archive_words *words, const char *word,
                      struct err *err) {
  char **const list =
      array_grow(words->list, words->n, &words->max, sizeof(*list));
  if (!list)
    return err_no_memory(err);
  words->list = list;
  list[words->n] = strdup(word);
  return list[words->n++] ? 0 : err_no_memory(err);
}

void archive_words_release(struct archive_words *words) {
  for (size_t i = 0; i < words->n; i++)
    free(words->list[i]);
  free(words->list);
  *words = (struct archive_words){0};
}

// --- Bytes ---

static int read_bytes(struct reader *reader, void *bytes, size_t n_bytes) {
  const int n = gzread(reader->file, bytes, (unsigned)n_bytes);
  if (n < 0 || (size_t)n != n_bytes)
    return fail_end(reader);
  reader->at += n_bytes;
  return 0;
}

/** Skip the padding after a member's bytes. */
static int skip_padding(struct reader *reader, uint64_t n_bytes) {
  char bytes[TAR_BLOCK_BYTES];
  return read_bytes(reader, bytes, (size_t)(-n_bytes % TAR_BLOCK_BYTES));
}

/** Read a member's bytes, and a NUL after them, and the padding. */
static char *read_text(struct reader *reader, uint64_t n_bytes, size_t max) {
  if (n_bytes > max) {
    fail_at(reader, reader->at, "text is too long", "");
    return NULL;
  }
  char *const text = malloc((size_t)n_bytes + 1);
  if (!text) {
    err_no_memory(reader->err);
    return NULL;
  }
  text[n_bytes] = '\0';
  if (read_bytes(reader, text, (size_t)n_bytes) == 0 &&
      skip_padding(reader, n_bytes) == 0)
    return text;
  free(text);
  return NULL;
}

// --- Headers ---

static bool parse_octal(const char *field, size_t n, uint64_t *out) {
  size_t i = 0;
  *out = 0;
  while (i < n && field[i] == ' ')
    i++;
  for (; i < n && field[i] >= '0' && field[i] <= '7'; i++)
    *out = *out << 3 | (uint64_t)(field[i] - '0');
  return i == n || field[i] == '\0' || field[i] == ' ';
}

/** Replace a text by a copy of another one. */
static int set_text(struct reader *reader, char **text, const char *from,
                    size_t n) {
  free(*text);
  *text = strndup(from, n);
  return *text ? 0 : err_no_memory(reader->err);
}

static int take_record(struct reader *reader, const char *key,
                       const char *value, size_t n_value) {
  if (strncmp(key, "path=", 5) == 0)
    return set_text(reader, &reader->name, value, n_value);
  if (strncmp(key, "linkpath=", 9) == 0)
    return set_text(reader, &reader->link, value, n_value);
  if (strncmp(key, "size=", 5) == 0) {
    char *end;
    errno = 0;
    reader->size = strtoull(value, &end, 10);
    reader->has_size = true;
    if (errno || *end != '\n' || *value == '-')
      return fail_at(reader, reader->at, "extended header is damaged", "");
  }
  return 0;
}

/** Read the records of an extended header. */
static int read_extended(struct reader *reader, uint64_t n_bytes) {
  char *const text = read_text(reader, n_bytes, MAX_EXTENDED_BYTES);
  const char *at = text;
  int rc = text ? 0 : -1;
  while (rc == 0 && at < text + n_bytes) {
    char *word;
    const size_t left = (size_t)(text + n_bytes - at);
    const unsigned long n = strtoul(at, &word, 10);
    // Blanks before the number might be longer than the record.
    const char *const equals = *at >= '1' && *at <= '9' && n <= left &&
                                       *word == ' ' && at[n - 1] == '\n'
                                   ? memchr(word, '=', (size_t)(at + n - word))
                                   : NULL;
    if (equals)
      rc = take_record(reader, word + 1, equals + 1,
                       (size_t)(at + n - 1 - (equals + 1)));
    else
      rc = fail_at(reader, reader->at, "extended header is damaged", "");
    at += n;
  }
  free(text);
  return rc;
}

static char *join_prefix(const struct tar_header *header) {
  char *name;
  const int n = header->prefix[0] ? asprintf(&name, "%.155s/%.100s",
                                             header->prefix, header->name)
                                  : asprintf(&name, "%.100s", header->name);
  return n < 0 ? NULL : name;
}

/** Take what an extended header replaces. */
static int fill_member(struct reader *reader, const struct tar_header *header,
                       struct member *out) {
  uint64_t written;
  if (!parse_octal(header->size, sizeof(header->size), &out->n_bytes) ||
      !parse_octal(header->mtime, sizeof(header->mtime), &written))
    return fail_at(reader, out->at, "header is damaged", "");
  out->type = header->type == TAR_OLD_FILE ? TAR_FILE : header->type;
  out->written = (int64_t)written;
  if (reader->has_size)
    out->n_bytes = reader->size;
  out->name = reader->name ? reader->name : join_prefix(header);
  out->link = reader->link
                  ? reader->link
                  : strndup(header->link_name, sizeof(header->link_name));
  reader->name = reader->link = NULL;
  reader->has_size = false;
  return out->name && out->link ? 0 : err_no_memory(reader->err);
}

/** Read the next header. Returns 1; 0: the end; or -1. */
static int read_header(struct reader *reader, struct member *out) {
  static const struct tar_header zeros;
  struct tar_header header;
  uint64_t checksum, n_bytes;
  *out = (struct member){.at = reader->at};
  for (;;) {
    if (read_bytes(reader, &header, sizeof(header)))
      return -1;
    if (memcmp(&header, &zeros, sizeof(header)) == 0)
      return 0;
    if (memcmp(header.magic, "ustar", 5) != 0 ||
        !parse_octal(header.checksum, sizeof(header.checksum), &checksum) ||
        checksum != tar_checksum(&header))
      return fail_at(reader, out->at,
                     out->at ? "header is damaged"
                             : "not an archive of arcline archive",
                     "");
    if (header.type != TAR_EXTENDED)
      return fill_member(reader, &header, out) ? -1 : 1;
    if (!parse_octal(header.size, sizeof(header.size), &n_bytes))
      return fail_at(reader, out->at, "header is damaged", "");
    if (read_extended(reader, n_bytes))
      return -1;
    out->at = reader->at;
  }
}

// --- Index ---

static bool is_digit(char c) { return strchr("0123456789abcdef", c) && c; }

static int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

/** Undo the escapes of a word, in place. Returns false if one is damaged. */
static bool unescape(char *word) {
  char *to = word;
  for (const char *from = word; *from; from++) {
    *to = *from;
    if (*from == '%') {
      if (!is_digit(from[1]) || !is_digit(from[2]))
        return false;
      *to = (char)(digit(from[1]) << 4 | digit(from[2]));
      from += 2;
    }
    if (!*to++)
      return false;
  }
  *to = '\0';
  return true;
}

static int take_line(struct reader *reader, unsigned number, char *line) {
  struct archive *const archive = reader->archive;
  char *const blank = strchr(line, ' ');
  char *const value = blank ? blank + 1 : NULL;
  if (blank)
    *blank = '\0';
  if (!value || !*value || !unescape(value))
    return err_set(reader->err, ERR_INPUT,
                   "%s: line %u of " ARCHIVE_INDEX " is damaged", reader->path,
                   number);
  if (number == 1)
    return strcmp(line, ARCHIVE_INDEX) == 0 && strcmp(value, "1") == 0
               ? 0
               : err_set(reader->err, ERR_INPUT,
                         "%s: archive has version %s, supported is %d; use a "
                         "newer arcline",
                         reader->path, value, ARCHIVE_VERSION);
  if (strcmp(line, "folder") == 0 && value[0] == '/')
    return set_text(reader, &archive->files.folder, value, strlen(value));
  if (strcmp(line, "root") == 0 || strcmp(line, "root-named") == 0) {
    archive->is_root_named = line[4];
    return set_text(reader, &archive->root, value,
                    strcmp(value, "/") == 0 ? 0 : strlen(value));
  }
  if (strcmp(line, "root-alias") == 0)
    return set_text(reader, &archive->root_alias, value, strlen(value));
  if (strcmp(line, "operand") == 0)
    return archive_words_add(&archive->operands, value, reader->err);
  if (strcmp(line, "option") == 0)
    return archive_words_add(&archive->options, value, reader->err);
  return err_set(reader->err, ERR_INPUT,
                 "%s: line %u of " ARCHIVE_INDEX " has an unknown key",
                 reader->path, number);
}

/** Read the member that describes the archive. */
static int read_index(struct reader *reader, const struct member *member) {
  if (strcmp(member->name, ARCHIVE_INDEX) != 0 || member->type != TAR_FILE)
    return fail_at(reader, member->at, "not an archive of arcline archive", "");
  char *const text = read_text(reader, member->n_bytes, MAX_INDEX_BYTES);
  unsigned number = 0;
  int rc = text ? 0 : -1;
  char *rest = text;
  for (char *line; rc == 0 && rest && *rest && (line = strsep(&rest, "\n"));)
    rc = take_line(reader, ++number, line);
  free(text);
  return rc || reader->archive->operands.n
             ? rc
             : fail_at(reader, member->at, "index has no operand", "");
}

// --- Files ---

/** The absolute name of a member; NULL: it is none. Names that would lead out
 * of a folder to which they are unpacked are not clean. */
static const char *absolute_name(const char *name) {
  const size_t n = sizeof(ARCHIVE_FOLDER) - 1;
  char *const copy = strdup(name);
  if (copy)
    path_clean(copy);
  const bool is_clean = copy && strcmp(copy, name) == 0;
  free(copy);
  return is_clean && strncmp(name, ARCHIVE_FOLDER "/", n + 1) == 0 &&
                 name[n + 1]
             ? name + n
             : NULL;
}

static int read_file(struct reader *reader, const struct member *member,
                     const char *name) {
  struct file_set *const files = &reader->archive->files;
  char bytes[1 << 14];
  if (file_set_begin(files, name, member->n_bytes, member->written,
                     reader->err))
    return -1;
  for (uint64_t left = member->n_bytes; left;) {
    const size_t n = left < sizeof(bytes) ? (size_t)left : sizeof(bytes);
    if (files->n_in_memory > reader->max_bytes)
      return fail_at(reader, member->at,
                     "archive unpacks to more than is plausible", "");
    if (read_bytes(reader, bytes, n) ||
        file_set_append(files, bytes, n, reader->err))
      return -1;
    left -= n;
  }
  return skip_padding(reader, member->n_bytes);
}

static int read_member(struct reader *reader, const struct member *member) {
  const char *const name = absolute_name(member->name);
  const char *const target =
      member->type == TAR_LINK ? absolute_name(member->link) : NULL;
  if (member->type == TAR_FOLDER)
    return 0;
  if (!name || (member->type == TAR_LINK && !target))
    return fail_at(reader, member->at, "name leads out of the archive: ",
                   name ? member->link : member->name);
  if (target)
    return file_set_link(&reader->archive->files, name, target, reader->err);
  return member->type == TAR_FILE
             ? read_file(reader, member, name)
             : fail_at(reader, member->at,
                       "neither a file nor a link: ", member->name);
}

static int read_members(struct reader *reader) {
  struct member member;
  int rc, n = 0;
  while ((rc = read_header(reader, &member)) > 0) {
    rc = n++ ? read_member(reader, &member) : read_index(reader, &member);
    free(member.name);
    free(member.link);
    if (rc)
      return -1;
  }
  free(rc < 0 ? member.name : NULL);
  free(rc < 0 ? member.link : NULL);
  if (rc == 0 && n == 0)
    return fail_at(reader, 0, "not an archive of arcline archive", "");
  return rc;
}

/** The size of what is compressed, which is in the last bytes of the file. */
static uint32_t size_at_end(int fd, uint64_t n_bytes) {
  uint8_t size[4] = {0};
  if (n_bytes >= sizeof(size))
    pread(fd, size, sizeof(size), (off_t)(n_bytes - sizeof(size)));
  return size[0] | (uint32_t)size[1] << 8 | (uint32_t)size[2] << 16 |
         (uint32_t)size[3] << 24;
}

/** Read to the end: there the checksum is compared. zlib 1.3.2 does not report
 * that the end is missing, so compare the size as well. */
static int read_rest(struct reader *reader, int fd, uint64_t n_bytes) {
  char bytes[1 << 12];
  int n, number;
  while ((n = gzread(reader->file, bytes, sizeof(bytes))) > 0)
    reader->at += (uint64_t)n;
  gzerror(reader->file, &number);
  if (n < 0 || (number != Z_OK && number != Z_STREAM_END))
    return fail_end(reader);
  if (!gzdirect(reader->file) &&
      size_at_end(fd, n_bytes) != (uint32_t)reader->at)
    return fail_end(reader);
  return 0;
}

bool archive_begins(const uint8_t *bytes, size_t n_bytes) {
  static const uint8_t gzip[] = {0x1f, 0x8b, 8};
  return (n_bytes >= sizeof(gzip) && memcmp(bytes, gzip, sizeof(gzip)) == 0) ||
         (n_bytes >= sizeof(ARCHIVE_INDEX) &&
          memcmp(bytes, ARCHIVE_INDEX, sizeof(ARCHIVE_INDEX)) == 0);
}

int archive_open(const char *path, struct archive *out, struct err *err) {
  struct stat status;
  struct reader reader = {.path = path, .archive = out, .err = err};
  *out = (struct archive){.operands = {0}};
  const int fd = in_file_open(path, IN_FILE_OWN, &status);
  if (fd < 0)
    return err_set(err, ERR_INPUT, "%s: cannot open: %s", path,
                   in_file_reason(errno));
  const uint64_t n_bytes = (uint64_t)status.st_size;
  reader.max_bytes = n_bytes < UINT64_MAX / MAX_RATIO / 2
                         ? ALWAYS_BYTES + MAX_RATIO * n_bytes
                         : UINT64_MAX;
  reader.file = gzdopen(fd, "rb");
  if (!reader.file) {
    close(fd);
    return err_no_memory(err);
  }
  int rc = read_members(&reader);
  if (rc == 0 && file_set_finish(&out->files, err))
    rc = err_prefix(err, "%s", path);
  if (rc == 0)
    rc = read_rest(&reader, fd, n_bytes);
  gzclose_r(reader.file);
  free(reader.name);
  free(reader.link);
  if (rc)
    archive_close(out);
  return rc;
}

void archive_close(struct archive *archive) {
  if (in_file_used() == &archive->files)
    in_file_use(NULL);
  file_set_release(&archive->files);
  free(archive->root);
  free(archive->root_alias);
  archive_words_release(&archive->operands);
  archive_words_release(&archive->options);
  *archive = (struct archive){.operands = {0}};
}
