/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads lines "KEY:\tVALUE", which proc_pid_status(5) describes. Their number
   of bytes has no bound, since the thread may be in thousands of groups. */
#include <stddef.h>
#include <sys/syscall.h>

#include "os/os.h"
#include "os/rights.h"
#include "os/task_file.h"

enum {
  CHUNK_BYTES = 512,
  KEY_CHARS = 3, /* distinguish the keys that are read */
  STATE_AT = sizeof("State:"),
};

#define FNV_BASIS 0xcbf29ce484222325u
#define FNV_PRIME 0x100000001b3u

struct line {
  char key[KEY_CHARS];
  size_t n;         /* characters so far */
  uint64_t *digest; /* of the line, by its key; or NULL */
};

static bool has_key(const struct line *line, const char *key) {
  return line->key[0] == key[0] && line->key[1] == key[1] &&
         line->key[2] == key[2];
}

static uint64_t *digest_for(const struct line *line, struct rt_rights *out) {
  if (has_key(line, "Uid") || has_key(line, "Gid") || has_key(line, "Gro") ||
      has_key(line, "Cap") || has_key(line, "NoN"))
    return &out->credentials;
  return has_key(line, "Sec") ? &out->filters : NULL;
}

/* Returns false if the character shows that the thread has ended. */
static bool add(char c, struct line *line, struct rt_rights *out) {
  if (c == '\n') {
    line->n = 0;
    return true;
  }
  const size_t at = line->n++;
  if (at < KEY_CHARS) {
    line->key[at] = c;
    line->digest = at + 1 < KEY_CHARS ? NULL : digest_for(line, out);
  } else if (line->digest) {
    *line->digest = (*line->digest ^ (uint8_t)c) * FNV_PRIME;
  } else if (at == STATE_AT && has_key(line, "Sta")) {
    return c != 'Z' && c != 'X';
  }
  return true;
}

bool rt_rights_read(uint32_t tid, struct rt_rights *out) {
  const long fd = rt_task_file_open(tid, "status");
  struct line line = {.n = 0};
  char chunk[CHUNK_BYTES];
  bool is_alive = fd >= 0;
  long n = 0;

  *out = (struct rt_rights){FNV_BASIS, FNV_BASIS};
  while (is_alive &&
         (n = rt_sys(SYS_read, fd, (long)chunk, sizeof(chunk), 0, 0)) > 0)
    for (long i = 0; is_alive && i < n; i++)
      is_alive = add(chunk[i], &line, out);
  if (fd >= 0)
    rt_sys(SYS_close, fd, 0, 0, 0, 0);
  return is_alive && n == 0;
}
