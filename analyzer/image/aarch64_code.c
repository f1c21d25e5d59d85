/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "image/aarch64_code.h"

#include "base/err.h"

#ifdef ARCLINE_HAVE_CAPSTONE

#include <capstone/capstone.h>
#include <dlfcn.h>
#include <stdio.h>

// Of the header's version of the interface; other versions have other numbers.
#define STRING_OF(number) #number
#define LIBRARY_OF(major) "libcapstone.so." STRING_OF(major)

enum { INSTRUCTION_BYTES = 4, MAX_TEXT_BYTES = 256 };

/** The library's functions in use, and their state. */
static struct {
  cs_err (*open)(cs_arch, cs_mode, csh *);
  bool (*next)(csh, const uint8_t **, size_t *, uint64_t *, cs_insn *);
  cs_insn *(*allocate)(csh);
  csh handle;
  cs_insn *instruction;
} capstone;

/** Find a function. ISO C has no conversion from void * for these; POSIX does.
 */
static bool find(void *library, const char *name, void *function) {
  *(void **)function = dlsym(library, name);
  return *(void **)function != NULL;
}

int aarch64_code_load(const char *path, struct err *err) {
  static const char name[] = LIBRARY_OF(CS_API_MAJOR);
  if (capstone.instruction)
    return 0;
  void *const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return err_set(err, ERR_SYSTEM,
                   "%s: listing AArch64 code requires %s, which cannot be "
                   "loaded; install capstone",
                   path, name);
  if (!find(library, "cs_open", &capstone.open) ||
      !find(library, "cs_disasm_iter", &capstone.next) ||
      !find(library, "cs_malloc", &capstone.allocate) ||
      capstone.open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, &capstone.handle) !=
          CS_ERR_OK)
    return err_set(
        err, ERR_SYSTEM,
        "%s: listing AArch64 code requires %s, and the installed one does not "
        "support AArch64; install that of the distribution",
        path, name);
  capstone.instruction = capstone.allocate(capstone.handle);
  return capstone.instruction ? 0 : err_no_memory(err);
}

int aarch64_code_list(const uint8_t *bytes, size_t n_bytes, uint64_t vaddr,
                      instruction_found *found, void *context) {
  const uint8_t *const end = bytes + n_bytes;
  while (bytes < end) {
    char text[MAX_TEXT_BYTES] = "(bad)";
    const uint8_t *next = bytes;
    size_t n_left = (size_t)(end - bytes), n = INSTRUCTION_BYTES;
    uint64_t address = vaddr;
    if (capstone.next(capstone.handle, &next, &n_left, &address,
                      capstone.instruction))
      snprintf(text, sizeof(text), "%s%s%s", capstone.instruction->mnemonic,
               *capstone.instruction->op_str ? " " : "",
               capstone.instruction->op_str);
    else if ((size_t)(end - bytes) < n)
      n = (size_t)(end - bytes);
    const struct instruction instruction = {vaddr, n, text};
    const int rc = found(context, &instruction);
    if (rc)
      return rc;
    bytes += n;
    vaddr += n;
  }
  return 0;
}

#else

int aarch64_code_load(const char *path, struct err *err) {
  return err_set(err, ERR_SYSTEM,
                 "%s: this arcline was built without capstone, which lists "
                 "AArch64 code; install libcapstone-dev and build it again",
                 path);
}

int aarch64_code_list(const uint8_t *bytes, size_t n_bytes, uint64_t vaddr,
                      instruction_found *found, void *context) {
  (void)bytes, (void)n_bytes, (void)vaddr, (void)found, (void)context;
  return 0; // aarch64_code_load() never succeeds
}

#endif
