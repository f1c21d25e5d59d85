/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** `arcline doctor`: finds reasons for an empty or odd profile. */
#include "base/err.h"
#include "base/file_walk.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "cmd/doctor.h"
#include "model/folder.h"
#include "model/newest.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct option_spec option_specs[] = {
    OPTIONS_OF_INPUTS,
    {0},
};

// --- Folders ---

/** Check files that are no profiles: the runtime's messages, and files of
 * programs that were killed. */
static int check_names(struct doctor *doctor, const char *folder,
                       struct err *err) {
  struct file_walk walk;
  struct file_walk_found found;
  int more = -1;

  if (file_walk_begin(folder, &walk, err) != 0)
    return -1;
  while ((more = file_walk_next(&walk, &found, err)) > 0) {
    const char *const live = strstr(found.path, ".live.");
    long pid;
    if (found.error != 0) {
      doctor_find(doctor, found.path, strerror(found.error),
                  "profiles in it are not read; change its permissions");
    } else if (doctor_is_log(found.path)) {
      doctor_print_log(doctor, found.path);
    } else if (live && options_parse_number(live + 6, &pid) && pid > 0) {
      char process[32];
      snprintf(process, sizeof(process), "/proc/%ld", pid);
      if (access(process, F_OK) != 0)
        doctor_find(
            doctor, found.path,
            "program with persist=mmap was killed, or the machine crashed",
            "run `arcline recover' to get its profiles");
    }
  }
  file_walk_end(&walk);
  return more;
}

static int check_folder(struct doctor *doctor, const char *folder,
                        struct common_options *common, struct err *err) {
  struct folder_files profiles = {0}, sides = {0};
  char *operands[] = {(char *)folder};

  if (access(folder, W_OK) != 0)
    doctor_find(doctor, folder, "not writable",
                "programs that run there write no profile; use "
                "ARCLINE_OPTIONS=out= to write elsewhere");
  if (check_names(doctor, folder, err) != 0)
    return -1;
  int rc = folder_find_profiles(folder, NULL, &profiles, err);
  if (rc == 0)
    rc = folder_find_sides(folder, &sides, err);
  if (rc != 0) {
    rc = doctor_find_error(doctor, err);
  } else if (profiles.n_paths == 0) {
    doctor_find(doctor, folder, "no profile in this folder",
                "a program writes gmon.out when it ends, if it was built with "
                "arcline-cc and is not killed; ARCLINE_OPTIONS=verbose=1 "
                "prints the name");
  } else if (sides.n_paths == 0) {
    doctor_find(doctor, folder, "no side file names the images of its profiles",
                "name the image: arcline doctor IMAGE PROFILE");
  } else {
    common_options_take_operands(common, operands, 1);
    rc = doctor_check_profiles(doctor, &common->inputs, err);
  }
  folder_files_release(&profiles);
  folder_files_release(&sides);
  return rc;
}

// --- What was named ---

/** An image alone: it, and the newest profile of it. */
static int check_program(struct doctor *doctor, char *image,
                         struct common_options *common, struct err *err) {
  struct newest newest;

  if (newest_find(image, &newest, err) != 0)
    return err->code == ERR_SYSTEM ? -1
                                   : doctor_check_image(doctor, image, err);
  int rc;
  if (newest.n_operands == 0) {
    rc = doctor_check_image(doctor, image, err);
    if (rc == 0)
      doctor_find(
          doctor, image, "no profile of this image in this folder",
          "run it to its end; it writes the profile to its current folder");
  } else {
    common_options_take_operands(common, newest.operands,
                                 (int)newest.n_operands);
    rc = doctor_check_profiles(doctor, &common->inputs, err);
    if (rc == 0)
      rc = doctor_print_log_of(doctor, newest.operands[newest.n_operands - 1],
                               err);
  }
  newest_release(&newest);
  return rc;
}

static int check(struct doctor *doctor, int n_operands, char **operands,
                 struct common_options *common, struct err *err) {
  char *const first = n_operands > 0 ? operands[0] : ".";
  struct stat status;
  long pid;

  common_options_take_operands(common, operands, n_operands);
  if (common_options_open_archive(common, err) != 0)
    return -1;
  if (common->archive.operands.n)
    return doctor_check_profiles(doctor, &common->inputs, err);
  if (stat(first, &status) != 0) {
    if (options_parse_number(first, &pid) && pid > 0 && pid <= INT32_MAX)
      return doctor_check_process(doctor, (pid_t)pid, err);
    return err_set(err, ERR_USAGE,
                   "%s: neither a file nor a process; name an image, a "
                   "profile, a folder or a process ID",
                   first);
  }
  if (n_operands <= 1 && S_ISDIR(status.st_mode))
    return check_folder(doctor, first, common, err);
  if (n_operands == 1 && inputs_operand_at(first) == OPERAND_IMAGE)
    return check_program(doctor, first, common, err);
  const int rc = doctor_check_profiles(doctor, &common->inputs, err);
  return rc == 0 ? doctor_print_log_of(doctor, operands[n_operands - 1], err)
                 : rc;
}

static int apply(void *context, int id, const char *value, struct err *err) {
  return common_options_apply(context, id, value, err);
}

static int run(int argc, char **argv, struct err *err) {
  struct common_options common = {0};
  struct doctor doctor = {0};
  int first;
  int rc = options_parse(option_specs, argc, argv, apply, &common, &first, err);

  if (rc == 0)
    rc = check(&doctor, argc - first, argv + first, &common, err);
  if (rc == 0 && doctor.n_findings == 0)
    puts("no problems found");
  common_options_release(&common);
  return rc == 0 ? doctor.n_findings > 0 : rc;
}

const struct command cmd_doctor = {
    .name = "doctor",
    .summary = "find out why a profile is empty or odd",
    .synopsis = "[OPTION]... [IMAGE|PID|FOLDER|SIDE-FILE]\n"
                "[OPTION]... IMAGE PROFILE...",
    .description = "Find out why a profile is empty or odd.\n"
                   "Checks a program, a process, profiles or the current "
                   "folder, and prints a line\nwith advice for each problem. "
                   "Exits with 1 if there are any.\n",
    .examples = "prog\n1234\nprog gmon.out\n",
    .options = option_specs,
    .run = run,
};
