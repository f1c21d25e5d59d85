/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds the source files that debug information names, and reads them. Only
 * regular files of bounded size are read; a device, a pipe or a missing file is
 * absence with a reason. Independent of debug information and profiles.
 */
#ifndef ARCLINE_SOURCE_H
#define ARCLINE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct file_set;

/** Larger files are rejected. */
enum { SOURCE_MAX_BYTES = 1 << 28 };

/** A path prefix to replace: the file was `from`/x and is now `to`/x. */
struct source_map {
  const char *from;
  const char *to;
};

/** Places to search for source files. Strings are borrowed. All zero is
 * empty. */
struct source_paths {
  const char **dirs; /* -I directories, in order */
  size_t n_dirs;
  struct source_map *maps; /* --path-map, in order; the first that fits wins */
  size_t n_maps;
  const char *root; /* the project's folder, of relative names; or NULL */
  char **built;     /* folders of images, without links */
  size_t n_built;
  bool has_no_built; /* none are wanted: GNU gprof does not search these */
  const struct file_set *files; /* of an archive; NULL: those in use */
};

/** The text of a source file. All zero is empty. */
struct source_text {
  char *path;          /* where it was found */
  char *bytes;         /* the text; a NUL follows */
  size_t n_bytes;      /* without that NUL */
  size_t *line_starts; /* offset of line i + 1; [n_lines] is n_bytes */
  size_t n_lines;      /* a last line without newline counts */
};

/**
 * Append the directories of a colon-separated list, as of option -I.
 *
 * list  copied. Empty parts are the current directory.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int source_paths_add_dirs(struct source_paths *paths, const char *list,
                          struct err *err);

/**
 * Append a prefix map "FROM=TO", as of option --path-map. A map fits a name
 * that is FROM or begins with FROM and a slash; "." fits all relative names.
 *
 * Returns 0, or -1 with *err set (no "=", empty FROM, no memory).
 */
int source_paths_add_map(struct source_paths *paths, const char *map,
                         struct err *err);

/** Append the folder of an image, if it is new. Returns 0, or -1 with *err set
 * (no memory). */
int source_paths_add_image(struct source_paths *paths, const char *image,
                           struct err *err);

/** Free the lists and the strings that the functions above copied. */
void source_paths_release(struct source_paths *paths);

/**
 * Make the name of a source file as absolute as it can be: names that are not
 * absolute get dir put before them, and comp_dir before that. Not normalised.
 *
 * comp_dir, dir  may be NULL or "".
 *
 * Returns a string to free(), or NULL (no memory).
 */
char *source_join(const char *comp_dir, const char *dir, const char *name);

/**
 * Make names of one file comparable: path_clean(), but "/proc/self/cwd/.." is
 * the parent of a folder that is not known, so the rest is a relative name.
 */
void source_clean(char *name);

/**
 * Make the name of a file that is used everywhere: cleaned, and changed by the
 * first map that fits, if one does. Once: the result is not mapped again.
 *
 * paths  may be NULL.
 * name   taken over; NULL and "" stay what they are.
 *
 * Returns a string to free(), or NULL (no memory).
 */
char *source_map_name(const struct source_paths *paths, char *name);

/** The name without links of the file's folder, to free(); NULL: it is the name
 * itself, or unknown. */
char *source_real(const char *name);

/** Is it a header of the system or the compiler, by its name? Coverage of these
 * is not the program's own: their lines, functions and branches are in no total
 * and no export unless the user requests it. */
bool source_is_system(const char *name);

/**
 * Find and read a source file.
 *
 * name    as source_map_name() has it.
 * reason  set to an errno value if the file could not be read: ENOENT not found
 *         anywhere, EFBIG too large, EINVAL not a regular file, other values
 *         from the system. 0 if it could.
 *
 * Tried in this order: the name itself; as it was before each map that may have
 * changed it; if it is relative or begins with "/proc/self/cwd/", each
 * directory and the whole name, the root and the whole name, and the folders of
 * images, and those above up to the root, and the whole name; each directory
 * and the name's last part.
 *
 * Returns 0; or -1 with *err set, *reason set and *out empty.
 * Owns:   caller releases *out.
 */
int source_load(const struct source_paths *paths, const char *name,
                struct source_text *out, int *reason, struct err *err);

/** A line, from 1, without its end. n_bytes: set to its length. Returns NULL if
 * there is no such line. */
const char *source_line(const struct source_text *text, size_t line,
                        size_t *n_bytes);

/** The same without the blanks before it. */
const char *source_line_trimmed(const struct source_text *text, size_t line,
                                size_t *n_bytes);

/** Free; an empty text may be released too. */
void source_release(struct source_text *text);

#endif
