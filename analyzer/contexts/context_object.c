/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "contexts/context_object.h"

#include "base/err.h"
#include "contexts/context_index.h"
#include "diff/git.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// --- Versions ---

struct versions {
  char **names; // of files; NULL: unknown
  uint32_t *files;
  size_t n_files, next;
};

static bool is_older(const struct stat *a, const struct stat *b) {
  return a->st_mtim.tv_sec != b->st_mtim.tv_sec
             ? a->st_mtim.tv_sec < b->st_mtim.tv_sec
             : a->st_mtim.tv_nsec < b->st_mtim.tv_nsec;
}

/** Write the names of files that are as they were when the image was built. */
static void list_files(const struct context_solver *solver,
                       struct versions *versions, FILE *out) {
  struct stat image, file;

  if (stat(solver->image.path, &image) != 0)
    return;
  for (uint32_t i = 0; i < solver->flow.files.n_names; i++) {
    const char *const name = solver->flow.files.names[i];
    if (name[0] != '/' || strchr(name, '\n') || stat(name, &file) != 0 ||
        !S_ISREG(file.st_mode) || !is_older(&file, &image))
      continue;
    fprintf(out, "%s\n", name);
    versions->files[versions->n_files++] = i;
  }
}

static int read_versions(FILE *stream, void *context, struct err *err) {
  struct versions *const versions = context;
  char *line = NULL;
  size_t capacity = 0;

  (void)err;
  while (versions->next < versions->n_files &&
         getline(&line, &capacity, stream) > 0) {
    line[strcspn(line, "\n")] = '\0';
    versions->names[versions->files[versions->next++]] = strdup(line);
  }
  free(line);
  return 0;
}

/** Without git, no version is known. */
static void find_versions(const struct context_solver *solver,
                          struct versions *versions) {
  char *const argv[] = {"git", "hash-object", "--stdin-paths", NULL};
  FILE *const input = tmpfile();
  struct err ignored;

  if (!input)
    return;
  list_files(solver, versions, input);
  if (fflush(input) == 0 && lseek(fileno(input), 0, SEEK_SET) == 0 &&
      versions->n_files > 0)
    git_run(&(const struct git_command){.argv = argv,
                                        .option = "--changed",
                                        .input = input},
            read_versions, versions, &ignored);
  fclose(input);
}

static void release(struct versions *versions, size_t n) {
  for (size_t i = 0; versions->names && i < n; i++)
    free(versions->names[i]);
  free(versions->names);
  free(versions->files);
}

// --- The description ---

static void put_number(FILE *out, uint64_t number) {
  for (; number >= 0x80; number >>= 7)
    fputc((int)(number & 0x7f) | 0x80, out);
  fputc((int)number, out);
}

static void put_text(FILE *out, const char *text) {
  fwrite(text, 1, strlen(text) + 1, out);
}

static void put_line(FILE *out, struct flow_line line) {
  put_number(out, line.i_file);
  put_number(out, line.line);
}

static void put_all(const struct context_solver *solver, bool has_lines,
                    const struct versions *versions, FILE *out) {
  const struct flow_data *const flow = &solver->flow;
  const uint32_t n_lines = solver->first_lines[flow->n_funcs];

  put_number(out, solver->image.n_build_id);
  fwrite(solver->image.build_id, 1, solver->image.n_build_id, out);
  put_number(out, has_lines ? ARCLINE_CONTEXT_HAS_LINES : 0);
  put_number(out, flow->files.n_names);
  for (uint32_t i = 0; i < flow->files.n_names; i++) {
    put_text(out, flow->files.names[i]);
    put_text(out, versions->names[i] ? versions->names[i] : "");
  }
  put_number(out, n_lines);
  for (uint32_t i = 0; i < n_lines; i++)
    put_line(out, solver->lines[i]);
  put_number(out, flow->n_funcs);
  for (size_t i = 0; i < flow->n_funcs; i++) {
    const struct flow_func *const func = &flow->funcs[i];
    put_text(out, func->name);
    put_number(out, func->is_made);
    put_line(out, func->pos);
    put_number(out, solver->first_lines[i + 1] - solver->first_lines[i]);
  }
}

int context_object_describe(const struct context_solver *solver, bool has_lines,
                            char **bytes, size_t *n_bytes, struct err *err) {
  const size_t n = solver->flow.files.n_names;
  struct versions versions = {.names = calloc(n + 1, sizeof(*versions.names)),
                              .files = calloc(n + 1, sizeof(*versions.files))};
  int rc = -1;

  *bytes = NULL;
  FILE *const out =
      versions.names && versions.files ? open_memstream(bytes, n_bytes) : NULL;
  if (out) {
    find_versions(solver, &versions);
    put_all(solver, has_lines, &versions, out);
    rc = ferror(out) ? -1 : 0;
    rc |= fclose(out);
  }
  release(&versions, n);
  if (rc == 0)
    return 0;
  free(*bytes);
  return err_no_memory(err);
}
