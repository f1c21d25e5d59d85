/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes totals of files: as CSV, as gcovr's and llvm-cov's JSON, as a table
 * in Markdown or HTML, and as a badge. */
#include "export/export.h"

#include "base/digits.h"
#include "base/json.h"
#include "base/xml.h"
#include "export/files.h"

#include <math.h>
#include <string.h>

enum { N_KINDS = 3 };

/** Lines, functions and branches, in this order. */
struct part {
  const char *name; // of one
  size_t n, n_run;
};

static void find_parts(const struct export_totals *totals,
                       struct part parts[N_KINDS]) {
  parts[0] = (struct part){"line", totals->n_lines, totals->n_run_lines};
  parts[1] = (struct part){"function", totals->n_funcs, totals->n_run_funcs};
  parts[2] = (struct part){"branch", totals->n_ways, totals->n_taken_ways};
}

static double percent(const struct part *part, int n_decimals) {
  return percent_of(part->n_run, part->n, n_decimals);
}

// --- CSV ---

/** Write a field. Quotes are needed by few names, and allowed for all. */
static void put_field(const char *text, FILE *out) {
  const bool has_quotes = strpbrk(text, "\",\r\n") != NULL;
  if (has_quotes)
    fputc('"', out);
  for (; *text; text++)
    fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
  if (has_quotes)
    fputc('"', out);
}

static int write_csv(const struct export_input *input,
                     struct export_files *files, FILE *out, struct err *err) {
  static const size_t order[N_KINDS] = {0, 2, 1};
  (void)err;
  fputs("filename,line_total,line_covered,line_percent,branch_total,"
        "branch_covered,branch_percent,function_total,function_covered,"
        "function_percent\n",
        out);
  for (size_t i = 0; i < files->n_files; i++) {
    const struct export_totals totals =
        export_files_count(input, &files->files[i], 1);
    struct part parts[N_KINDS];
    find_parts(&totals, parts);
    put_field(files->files[i].short_name, out);
    for (size_t k = 0; k < N_KINDS; k++) {
      const struct part *const part = &parts[order[k]];
      fprintf(out, ",%zu,%zu,", part->n, part->n_run);
      if (part->n > 0)
        fprintf(out, "%.3f", percent(part, 1) / 100);
    }
    fputc('\n', out);
  }
  return 0;
}

int export_csv(const struct export_input *input,
               const struct export_options *options, FILE *out,
               struct err *err) {
  (void)options;
  return export_files_write(input, write_csv, out, err);
}

// --- JSON of gcovr ---

static void put_gcovr(struct json *json, const struct export_totals *totals) {
  struct part parts[N_KINDS];
  find_parts(totals, parts);
  for (size_t i = 0; i < N_KINDS; i++) {
    char key[32];
    snprintf(key, sizeof(key), "%s_covered", parts[i].name);
    json_integer(json, key, parts[i].n_run);
    snprintf(key, sizeof(key), "%s_percent", parts[i].name);
    if (parts[i].n > 0)
      json_number(json, key, round(10 * percent(&parts[i], 1)) / 10);
    else
      json_null(json, key);
    snprintf(key, sizeof(key), "%s_total", parts[i].name);
    json_integer(json, key, parts[i].n);
  }
}

static int write_gcovr(const struct export_input *input,
                       struct export_files *files, FILE *out, struct err *err) {
  const struct export_totals all =
      export_files_count(input, files->files, files->n_files);
  struct json json = {.stream = out};
  (void)err;
  json_object_begin(&json, NULL);
  json_text(&json, "root", files->root);
  json_text(&json, "gcovr/summary_format_version", "0.5");
  put_gcovr(&json, &all);
  json_array_begin(&json, "files");
  for (size_t i = 0; i < files->n_files; i++) {
    const struct export_totals totals =
        export_files_count(input, &files->files[i], 1);
    json_object_begin(&json, NULL);
    json_text(&json, "filename", files->files[i].short_name);
    put_gcovr(&json, &totals);
    json_object_end(&json);
  }
  json_array_end(&json);
  json_object_end(&json);
  return 0;
}

int export_gcovr_summary(const struct export_input *input,
                         const struct export_options *options, FILE *out,
                         struct err *err) {
  (void)options;
  return export_files_write(input, write_gcovr, out, err);
}

// --- JSON of llvm-cov ---

static void put_llvm_part(struct json *json, const char *key,
                          const struct part *part, bool has_rest) {
  json_object_begin(json, key);
  json_integer(json, "count", part->n);
  json_integer(json, "covered", part->n_run);
  if (has_rest)
    json_integer(json, "notcovered", part->n - part->n_run);
  json_number(json, "percent", percent(part, PERCENT_MAX_DECIMALS));
  json_object_end(json);
}

/** There are no regions, and functions are those of the source: all instances
 * are one. */
static void put_llvm(struct json *json, const char *key,
                     const struct export_totals *totals) {
  static const struct part none;
  const struct part mcdc = {"condition", totals->n_conditions,
                            totals->n_covered_conditions};
  struct part parts[N_KINDS];
  find_parts(totals, parts);
  json_object_begin(json, key);
  put_llvm_part(json, "branches", &parts[2], true);
  put_llvm_part(json, "functions", &parts[1], false);
  put_llvm_part(json, "instantiations", &parts[1], false);
  put_llvm_part(json, "lines", &parts[0], false);
  put_llvm_part(json, "mcdc", &mcdc, true);
  put_llvm_part(json, "regions", &none, true);
  json_object_end(json);
}

static int write_llvm(const struct export_input *input,
                      struct export_files *files, FILE *out, struct err *err) {
  const struct export_totals all =
      export_files_count(input, files->files, files->n_files);
  struct json json = {.stream = out};
  (void)err;
  json_object_begin(&json, NULL);
  json_array_begin(&json, "data");
  json_object_begin(&json, NULL);
  json_array_begin(&json, "files");
  for (size_t i = 0; i < files->n_files; i++) {
    const struct export_totals totals =
        export_files_count(input, &files->files[i], 1);
    json_object_begin(&json, NULL);
    json_text(&json, "filename", files->files[i].name);
    put_llvm(&json, "summary", &totals);
    json_object_end(&json);
  }
  json_array_end(&json);
  put_llvm(&json, "totals", &all);
  json_object_end(&json);
  json_array_end(&json);
  json_text(&json, "type", "llvm.coverage.json.export");
  json_text(&json, "version", "2.0.1");
  json_object_end(&json);
  return 0;
}

int export_llvm_summary(const struct export_input *input,
                        const struct export_options *options, FILE *out,
                        struct err *err) {
  (void)options;
  return export_files_write(input, write_llvm, out, err);
}

// --- Tables ---

static void name_part(const struct part *part, char *out, size_t n_out) {
  if (part->n > 0)
    snprintf(out, n_out, "%.1f %% (%zu of %zu)", percent(part, 1), part->n_run,
             part->n);
  else
    snprintf(out, n_out, "none");
}

/** Write a name as code, on one line and in one cell. */
static void put_code(const char *name, FILE *out) {
  fputc('`', out);
  for (; *name; name++) {
    const unsigned char byte = (unsigned char)*name;
    if (byte == '|')
      fputc('\\', out);
    fputc(byte < ' ' || byte == 0x7f || byte == '`' ? '?' : byte, out);
  }
  fputc('`', out);
}

static void put_markdown(const struct export_totals *totals, FILE *out) {
  struct part parts[N_KINDS];
  find_parts(totals, parts);
  for (size_t i = 0; i < N_KINDS; i++) {
    char text[96];
    name_part(&parts[i], text, sizeof(text));
    fprintf(out, " | %s", text);
  }
  fputs(" |\n", out);
}

static int write_markdown(const struct export_input *input,
                          struct export_files *files, FILE *out,
                          struct err *err) {
  const struct export_totals all =
      export_files_count(input, files->files, files->n_files);
  (void)err;
  fputs("| file | lines | functions | branches |\n"
        "| :--- | ---: | ---: | ---: |\n",
        out);
  for (size_t i = 0; i < files->n_files; i++) {
    const struct export_totals totals =
        export_files_count(input, &files->files[i], 1);
    fputs("| ", out);
    put_code(files->files[i].short_name, out);
    put_markdown(&totals, out);
  }
  fputs("| **total**", out);
  put_markdown(&all, out);
  return 0;
}

int export_markdown(const struct export_input *input,
                    const struct export_options *options, FILE *out,
                    struct err *err) {
  (void)options;
  return export_files_write(input, write_markdown, out, err);
}

static void put_html(struct xml *xml, const char *name,
                     const struct export_totals *totals) {
  struct part parts[N_KINDS];
  find_parts(totals, parts);
  xml_begin(xml, "tr");
  xml_text_element(xml, "th", name);
  for (size_t i = 0; i < N_KINDS; i++) {
    char text[96];
    name_part(&parts[i], text, sizeof(text));
    xml_text_element(xml, "td", text);
  }
  xml_end(xml, "tr");
}

static int write_html(const struct export_input *input,
                      struct export_files *files, FILE *out, struct err *err) {
  static const char *const heads[] = {"File", "Lines", "Functions", "Branches"};
  const struct export_totals all =
      export_files_count(input, files->files, files->n_files);
  struct xml xml = {.stream = out};
  (void)err;
  xml_begin(&xml, "table");
  xml_begin(&xml, "thead");
  xml_begin(&xml, "tr");
  for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
    xml_text_element(&xml, "th", heads[i]);
  xml_end(&xml, "tr");
  xml_end(&xml, "thead");
  xml_begin(&xml, "tbody");
  for (size_t i = 0; i < files->n_files; i++) {
    const struct export_totals totals =
        export_files_count(input, &files->files[i], 1);
    put_html(&xml, files->files[i].short_name, &totals);
  }
  put_html(&xml, "Total", &all);
  xml_end(&xml, "tbody");
  xml_end(&xml, "table");
  return 0;
}

int export_html_table(const struct export_input *input,
                      const struct export_options *options, FILE *out,
                      struct err *err) {
  (void)options;
  return export_files_write(input, write_html, out, err);
}

// --- Badge ---

/** A box with a text. */
static void put_box(struct xml *xml, unsigned x, unsigned width,
                    const char *color, const char *text) {
  xml_begin(xml, "rect");
  xml_integer(xml, "x", x);
  xml_integer(xml, "width", width);
  xml_text(xml, "height", "20");
  xml_text(xml, "fill", color);
  xml_end(xml, "rect");
  xml_begin(xml, "text");
  xml_integer(xml, "x", x + width / 2);
  xml_text(xml, "y", "14");
  xml_line(xml, text);
  xml_end(xml, "text");
}

static int write_badge(const struct export_input *input,
                       struct export_files *files, FILE *out, struct err *err) {
  enum { NAME_WIDTH = 62, VALUE_WIDTH = 48 };
  const struct export_totals all =
      export_files_count(input, files->files, files->n_files);
  struct xml xml = {.stream = out};
  struct part parts[N_KINDS];
  char value[16], title[40];
  (void)err;
  find_parts(&all, parts);
  // Rounded down: 100 % is all.
  const double share = floor(10 * percent(&parts[0], 1)) / 10;
  snprintf(value, sizeof(value), share < 100 ? "%.1f %%" : "%.0f %%", share);
  snprintf(title, sizeof(title), "coverage: %s", value);
  xml_begin(&xml, "svg");
  xml_text(&xml, "xmlns", "http://www.w3.org/2000/svg");
  xml_integer(&xml, "width", NAME_WIDTH + VALUE_WIDTH);
  xml_text(&xml, "height", "20");
  xml_text(&xml, "role", "img");
  xml_text(&xml, "aria-label", title);
  xml_text_element(&xml, "title", title);
  xml_begin(&xml, "g");
  xml_text(&xml, "fill", "#fff");
  xml_text(&xml, "text-anchor", "middle");
  xml_text(&xml, "font-family", "Verdana,DejaVu Sans,sans-serif");
  xml_text(&xml, "font-size", "11");
  put_box(&xml, 0, NAME_WIDTH, "#555", "coverage");
  put_box(&xml, NAME_WIDTH, VALUE_WIDTH,
          share >= 90   ? "#2c7a2c"
          : share >= 75 ? "#7a6a00"
                        : "#b03a2e",
          value);
  xml_end(&xml, "g");
  xml_end(&xml, "svg");
  return 0;
}

int export_badge(const struct export_input *input,
                 const struct export_options *options, FILE *out,
                 struct err *err) {
  (void)options;
  return export_files_write(input, write_badge, out, err);
}
