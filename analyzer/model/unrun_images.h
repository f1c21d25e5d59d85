/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Adds images that coverage includes although they did not run: programs that
 * no test started, and libraries that nothing loaded. They have no profile, so
 * their code was never executed.
 */
#ifndef ARCLINE_UNRUN_IMAGES_H
#define ARCLINE_UNRUN_IMAGES_H

struct err;
struct inputs;

/**
 * Add an image; or all instrumented ones of a folder and its subfolders but
 * probes of a build. Those that ran are left out, by their build-ids.
 *
 * path  borrowed until inputs_release().
 *
 * Returns 0; or -1 with *err set.
 * Errors: an image that cannot be read or is not instrumented; a folder that
 *         cannot be read or has no instrumented image; no memory.
 */
int unrun_images_add(struct inputs *inputs, const char *path, struct err *err);

#endif
