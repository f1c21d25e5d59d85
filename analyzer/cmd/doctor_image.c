/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Checks images for `arcline doctor`. */
#include "cmd/doctor.h"

#include "arcline/abi.h"
#include "base/err.h"
#include "debug/lines.h"
#include "image/dyn_names.h"
#include "image/image.h"
#include "image/symtab.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

static bool has(const struct image *image, const char *section) {
  struct image_section found;

  return image_find_section(image, section, &found);
}

/** Does the image define or import one of these functions? */
static int find_any(const struct image *image, const char *const *names,
                    bool *has_any, struct err *err) {
  struct dyn_names imports = {0};
  struct symtab own = {0};
  uint64_t vaddr;

  *has_any = false;
  if (dyn_names_load_imports(image, &imports, err) != 0)
    return -1;
  if (image_load_extents(image, &own, err) != 0) {
    dyn_names_release(&imports);
    return -1;
  }
  for (; *names; names++) {
    *has_any |= dyn_names_find(&imports, *names, &vaddr);
    for (size_t i = 0; i < own.n_symbols; i++)
      *has_any |= strcmp(own.symbols[i].name, *names) == 0;
  }
  dyn_names_release(&imports);
  symtab_release(&own);
  return 0;
}

static int check_code(struct doctor *doctor, const struct image *image,
                      struct err *err) {
  static const char *const of_profilers[] = {"mcount", "_mcount", "__fentry__",
                                             NULL};
  static const char *const of_programs[] = {"main", NULL};
  bool has_mcount, has_main;

  if (find_any(image, of_profilers, &has_mcount, err) != 0 ||
      find_any(image, of_programs, &has_main, err) != 0)
    return doctor_find_error(doctor, err);
  if (!has(image, ARCLINE_SECTION_FUNCS))
    doctor_find(doctor, image->path,
                has_mcount
                    ? "compiled with -pg: calls are counted, lines are not"
                    : "not instrumented",
                "compile and link with arcline-cc or arcline-c++");
  // Static programs have no interpreter; stripped ones may have no main.
  if (has(image, ARCLINE_SECTION_SEGMENTS) && has(image, ".dynamic") &&
      !has(image, ".interp") && !has_main)
    doctor_find(doctor, image->path,
                "contains code that was compiled for an executable, so threads "
                "may lose counts",
                "compile with -fPIC");
  return 0;
}

static int check_debug(struct doctor *doctor, const struct image *image,
                       struct err *err) {
  struct lines *lines;

  // The constant data has the names of functions, too.
  if (!has(image, ".symtab") && !has(image, ".gnu_debuglink") &&
      !has(image, ".gnu_debugdata") && !has(image, ARCLINE_SECTION_LINES))
    doctor_find(doctor, image->path, "stripped: functions have no names",
                "keep the symbol table, or put its debug file into a folder of "
                "ARCLINE_DEBUG_PATH");
  if (lines_open(image->path, 0, NULL, &lines, err) != 0)
    return doctor_find_error(doctor, err);
  if (!lines_has_debug(lines))
    doctor_find(doctor, image->path,
                "no debug information: lines are not known", "compile with -g");
  lines_close(lines);
  if (!has(image, ".eh_frame"))
    doctor_find(
        doctor, image->path,
        "no unwind tables: call stacks end here unless it keeps frame pointers",
        "compile without -fno-asynchronous-unwind-tables, or with "
        "-fno-omit-frame-pointer");
  if (image->n_build_id == 0)
    doctor_find(doctor, image->path,
                "no build ID: profiles of other builds are not detected",
                "link with -Wl,--build-id");
  return 0;
}

int doctor_check_image(struct doctor *doctor, const char *path,
                       struct err *err) {
  struct image image;
  struct stat status;

  if (image_open(path, &image, err) != 0)
    return doctor_find_error(doctor, err);
  if (stat(path, &status) == 0 && status.st_mode & (S_ISUID | S_ISGID))
    doctor_find(doctor, path,
                "set-user-ID or set-group-ID: it writes no profile",
                "run a copy without that bit");
  int rc = check_code(doctor, &image, err);
  if (rc == 0)
    rc = check_debug(doctor, &image, err);
  image_close(&image);
  return rc;
}
