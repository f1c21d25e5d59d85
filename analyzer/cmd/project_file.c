/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cmd/project_file.h"

#include "base/array.h"
#include "base/did_you_mean.h"
#include "base/err.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char file_name[] = "arcline.ini";
static const char profiles_key[] = "profiles";

/** State of reading a file. */
struct reader {
  const struct command *const *commands;
  FILE *stream;
  struct project_file *file;
  size_t n_folder; // bytes of the file's folder in its path
  unsigned line;   // read last
  bool has_error;
  struct err *err;
};

static int fail_at(struct reader *reader, const char *format, const char *a,
                   const char *b) {
  char text[2048];
  if (reader->has_error)
    return 0;
  reader->has_error = true;
  snprintf(text, sizeof(text), format, a, b);
  err_set(reader->err, ERR_INPUT, "%s:%u: %s", reader->file->path, reader->line,
          text);
  return 0;
}

static int fail_memory(struct reader *reader) {
  reader->has_error = true;
  err_no_memory(reader->err);
  return 0;
}

//===--- Values -----------------------------------------------------------===//

/** A name as seen from the file's folder; to free(), NULL (no memory). */
static char *resolve(const struct reader *reader, const char *name) {
  char *path;
  if (name[0] == '/' || strcmp(name, "-") == 0)
    return strdup(name);
  while (strncmp(name, "./", 2) == 0)
    name += 2;
  if (strcmp(name, ".") == 0 && reader->n_folder > 1)
    return strndup(reader->file->path, reader->n_folder - 1);
  if (asprintf(&path, "%.*s%s", (int)reader->n_folder, reader->file->path,
               name) < 0)
    return NULL;
  return path;
}

/** The same of each name between colons. */
static char *resolve_list(const struct reader *reader, const char *list) {
  char *all = strdup(""), *const copy = strdup(list);
  char *rest = copy;
  for (const char *name; all && rest && (name = strsep(&rest, ":"));) {
    char *const path = resolve(reader, name), *longer = NULL;
    if (path && asprintf(&longer, "%s%s%s", all, all[0] ? ":" : "", path) < 0)
      longer = NULL;
    free(path);
    free(all);
    all = longer;
  }
  free(copy);
  return copy ? all : NULL;
}

/** The value of an option: names of files, by what the option calls its
 * argument, are resolved. */
static char *resolve_value(const struct reader *reader,
                           const struct option_spec *spec, const char *value) {
  const char *const name = spec->argument_name ? spec->argument_name : "";
  if (strcmp(name, "FOLDER") == 0 || strcmp(name, "FILE") == 0)
    return resolve(reader, value);
  if (strcmp(name, "DIRS") == 0)
    return resolve_list(reader, value);
  const char *const to = strchr(value, '=');
  if (strcmp(name, "FROM=TO") != 0 || !to)
    return strdup(value);
  char *const path = resolve(reader, to + 1), *map = NULL;
  if (path && asprintf(&map, "%.*s=%s", (int)(to - value), value, path) < 0)
    map = NULL;
  free(path);
  return map;
}

/** Read yes or no. Returns false if it is neither. */
static bool read_switch(const char *value, bool *out) {
  static const char *const words[][4] = {{"no", "false", "off", "0"},
                                         {"yes", "true", "on", "1"}};
  for (int i = 0; i < 2; i++)
    for (size_t k = 0; k < 4; k++)
      if (strcmp(value, words[i][k]) == 0) {
        *out = i;
        return true;
      }
  return false;
}

//===--- Keys -------------------------------------------------------------===//

static bool is_common(const struct option_spec *spec) {
  return spec->id >= OPT_IMAGES && spec->id < OPTIONS_HELP;
}

static const struct option_spec *find_option(const struct command *command,
                                             const char *key) {
  const struct option_spec *spec;
  for (size_t i = 0; (spec = options_at(command->options, i)); i++)
    if (spec->long_name && spec->id < OPTIONS_HELP &&
        strcmp(spec->long_name, key) == 0)
      return spec;
  return NULL;
}

/** The option of a key before the first section. */
static const struct option_spec *find_common(struct reader *reader,
                                             const char *key) {
  struct did_you_mean nearest = {.word = key, .n_word = strlen(key)};
  const struct option_spec *spec = NULL;
  const char *owner = NULL;
  did_you_mean_offer(&nearest, profiles_key);
  for (size_t i = 0; reader->commands[i]; i++) {
    if (reader->commands[i]->is_apart)
      continue;
    const struct option_spec *const found =
        find_option(reader->commands[i], key);
    if (found && is_common(found))
      return found;
    if (found && !owner)
      owner = reader->commands[i]->name;
    for (size_t k = 0; (spec = options_at(reader->commands[i]->options, k));
         k++)
      if (spec->long_name && is_common(spec))
        did_you_mean_offer(&nearest, spec->long_name);
  }
  if (owner)
    fail_at(reader, "%s: not in the section of a command, such as [%s]", key,
            owner);
  else if (nearest.best)
    fail_at(reader, "%s: unknown key; did you mean %s?", key, nearest.best);
  else
    fail_at(reader, "%s: unknown key%s", key, "");
  return NULL;
}

static const struct option_spec *find_own(struct reader *reader,
                                          const struct command *command,
                                          const char *key) {
  struct did_you_mean nearest = {.word = key, .n_word = strlen(key)};
  const struct option_spec *spec = find_option(command, key);
  if (spec)
    return spec;
  for (size_t i = 0; (spec = options_at(command->options, i)); i++)
    if (spec->long_name && spec->id < OPTIONS_HELP)
      did_you_mean_offer(&nearest, spec->long_name);
  if (nearest.best)
    fail_at(reader, "%s: unknown key; did you mean %s?", key, nearest.best);
  else
    fail_at(reader, "%s: not an option of arcline %s", key, command->name);
  return NULL;
}

/** Make the word of a setting. Returns false with an error recorded. */
static bool make_word(struct reader *reader, const struct option_spec *spec,
                      struct project_setting *setting) {
  struct err why;
  bool is_on;
  if (!setting->value[0])
    return fail_at(reader, "%s: requires a value%s", setting->key, "");
  if (spec->argument != OPTION_NO_ARGUMENT) {
    if (options_check_value(spec, setting->value, &why) != 0)
      return fail_at(reader, "%s%s", why.text, "");
    char *const value = resolve_value(reader, spec, setting->value);
    if (!value || asprintf(&setting->word, "--%s=%s", setting->key, value) < 0)
      setting->word = NULL;
    free(value);
    return setting->word || fail_memory(reader);
  }
  if (!read_switch(setting->value, &is_on))
    return fail_at(reader, "%s = %s: must be yes or no", setting->key,
                   setting->value);
  if (is_on && asprintf(&setting->word, "--%s", setting->key) < 0) {
    setting->word = NULL;
    return fail_memory(reader);
  }
  return true;
}

/** Append a setting. Returns 0 with an error recorded, as inih requires. */
static int add_setting(struct reader *reader, const struct command *command,
                       const struct option_spec *spec, const char *key,
                       const char *value) {
  struct project_file *const file = reader->file;
  struct project_setting *const settings =
      array_grow(file->settings, file->n_settings, &file->max_settings,
                 sizeof(*file->settings));
  if (!settings)
    return fail_memory(reader);
  file->settings = settings;
  struct project_setting *const setting = &settings[file->n_settings++];
  *setting = (struct project_setting){.command = command,
                                      .key = strdup(key),
                                      .value = strdup(value),
                                      .line = reader->line};
  if (!setting->key || !setting->value)
    return fail_memory(reader);
  if (spec)
    return make_word(reader, spec, setting);
  free(file->profiles);
  file->profiles = resolve(reader, value);
  return file->profiles ? 1 : fail_memory(reader);
}

static const struct command *find_command(const struct reader *reader,
                                          const char *name) {
  for (size_t i = 0; reader->commands[i]; i++)
    if (strcmp(reader->commands[i]->name, name) == 0)
      return reader->commands[i];
  return NULL;
}

static int take_key(void *context, const char *section, const char *key,
                    const char *value) {
  struct reader *const reader = context;
  const struct command *const command = find_command(reader, section);
  if (reader->has_error)
    return 0;
  if (!section[0] && strcmp(key, profiles_key) == 0)
    return add_setting(reader, NULL, NULL, key, value);
  if (section[0] && !command)
    return fail_at(reader, "[%s]: unknown command%s", section, "");
  if (command && command->is_apart)
    return fail_at(reader, "[%s]: arcline %s has no settings", section,
                   section);
  const struct option_spec *const spec =
      command ? find_own(reader, command, key) : find_common(reader, key);
  return spec ? add_setting(reader, command, spec, key, value) : 0;
}

//===--- Files ------------------------------------------------------------===//

/** A line, for inih: counted, and whole. */
static char *read_line(char *line, int size, void *context) {
  struct reader *const reader = context;
  if (!fgets(line, size, reader->stream))
    return NULL;
  reader->line++;
  const size_t n = strlen(line);
  if (n + 1 == (size_t)size && line[n - 1] != '\n')
    fail_at(reader, "line is too long%s%s", "", "");
  return line;
}

static int read_stream(FILE *stream, const struct command *const *table,
                       struct project_file *file, struct err *err) {
  const char *const slash = strrchr(file->path, '/');
  struct reader reader = {.commands = table,
                          .stream = stream,
                          .file = file,
                          .n_folder =
                              slash ? (size_t)(slash + 1 - file->path) : 0,
                          .err = err};
  const int line = ini_parse_stream(read_line, &reader, take_key, &reader);
  if (line > 0 && !reader.has_error) {
    reader.line = (unsigned)line;
    fail_at(&reader, "expected [section], key = value, or a comment%s%s", "",
            "");
  } else if (line < 0 && !reader.has_error) {
    fail_memory(&reader);
  }
  return reader.has_error ? -1 : 0;
}

/** May settings of this file be used? */
static bool is_trusted(FILE *stream, const char *path) {
  struct stat status;
  if (fstat(fileno(stream), &status) != 0 || !S_ISREG(status.st_mode))
    return false;
  if (status.st_uid == geteuid() || status.st_uid == 0)
    return true;
  warn("%s: file belongs to another user, ignored", path);
  return false;
}

static int read_file(const char *path, const struct command *const *table,
                     struct project_file *out, struct err *err) {
  FILE *const stream = fopen(path, "re");
  if (!stream)
    return err_set(err, ERR_INPUT, "%s: cannot open: %s", path,
                   strerror(errno));
  int rc = 0;
  if (is_trusted(stream, path)) {
    out->path = strdup(path);
    rc = out->path ? read_stream(stream, table, out, err) : err_no_memory(err);
  }
  fclose(stream);
  if (rc != 0)
    project_file_release(out);
  return rc;
}

/** Read the nearest file from a folder upwards. folder: changed. */
static int search(char *folder, const struct command *const *table,
                  struct project_file *out, struct err *err) {
  for (;;) {
    char *path;
    if (asprintf(&path, "%s/%s", folder, file_name) < 0)
      return err_no_memory(err);
    const bool exists = access(path, F_OK) == 0;
    const int rc = exists ? read_file(path, table, out, err) : 0;
    free(path);
    if (exists)
      return rc;
    char *const slash = strrchr(folder, '/');
    if (!slash)
      return 0;
    *slash = '\0'; // the root's name is empty now
  }
}

int project_file_find(const struct command *const *table,
                      struct project_file *out, struct err *err) {
  const char *const named = getenv("ARCLINE_CONFIG");
  *out = (struct project_file){0};
  if (named)
    return named[0] ? read_file(named, table, out, err) : 0;
  char *const folder = getcwd(NULL, 0);
  if (!folder) // it was removed
    return 0;
  const int rc = search(folder, table, out, err);
  free(folder);
  return rc;
}

bool project_setting_is_for(const struct project_setting *setting,
                            const struct command *command) {
  if (!setting->word)
    return false;
  if (setting->command)
    return setting->command == command;
  if (command->is_apart)
    return false;
  const struct option_spec *const spec = find_option(command, setting->key);
  return spec && is_common(spec);
}

int project_file_arguments(const struct project_file *file,
                           const struct command *command, int argc, char **argv,
                           int *out_argc, char ***out_argv, struct err *err) {
  char **const words =
      calloc((size_t)argc + file->n_settings + 1, sizeof(*words));
  int n = 0;
  if (!words)
    return err_no_memory(err);
  words[n++] = argv[0];
  for (size_t i = 0; i < file->n_settings; i++)
    if (project_setting_is_for(&file->settings[i], command))
      words[n++] = file->settings[i].word;
  for (int i = 1; i < argc; i++)
    words[n++] = argv[i];
  *out_argc = n;
  *out_argv = words;
  return 0;
}

const struct project_setting *
project_file_setting_of(const struct project_file *file, const char *word) {
  for (size_t i = 0; i < file->n_settings; i++)
    if (word && file->settings[i].word == word)
      return &file->settings[i];
  return NULL;
}

void project_file_release(struct project_file *file) {
  for (size_t i = 0; i < file->n_settings; i++) {
    free(file->settings[i].key);
    free(file->settings[i].word);
    free(file->settings[i].value);
  }
  free(file->settings);
  free(file->profiles);
  free(file->path);
  *file = (struct project_file){0};
}
