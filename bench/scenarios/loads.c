/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads and unloads a library two hundred times, at changing addresses. */
#include <dlfcn.h>
#include <sys/mman.h>

int main(void) {
  for (int i = 0; i < 200; i++) {
    void *library = dlopen("./libone.so", RTLD_NOW | RTLD_LOCAL);
    void (*entry)(void);
    if (!library)
      return 1;
    *(void **)&entry = dlsym(library, "entry");
    entry();
    // Occupies the addresses of the next one.
    mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (dlclose(library))
      return 2;
  }
  return 0;
}
