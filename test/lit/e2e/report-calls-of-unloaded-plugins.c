// Plugins of one layout are loaded one after the other, so that the functions of
// some are where those of others were. None gets the calls of another one.
//
// RUN: for i in 1 2 3 4 5 6 7; do \
// RUN:   %arcline-cc -g -O2 -fPIC -shared -DPLUGIN=plugin_$i %s -o $i.so || exit 1; \
// RUN: done
// RUN: %arcline-cc -g -O2 %s -o prog && ./prog
// RUN: %arcline report --sort=calls --top=0 --fields=calls,name gmon.out.arcline \
// RUN:   | sed -n 's/  *\([0-9]*\)  plugin_/\1 /p' > calls
// RUN: printf '%%s\n' '7 7' '6 6' '5 5' '4 4' '3 3' '2 2' '1 1' | diff - calls
// RUN: %arcline annotate --calls gmon.out.arcline \
// RUN:   | sed -n 's/  *\([0-9]*\)  *|   -> plugin_/\1 /p' > callees
// RUN: grep -x '7 7' callees && awk '$1 > $2 { exit 1 }' callees
#include <dlfcn.h>
#include <stdio.h>

#ifdef PLUGIN
void PLUGIN(void) { __asm__ volatile(""); }
#else
int main(void) {
  for (int i = 1; i <= 7; i++) {
    char name[16];
    void (*function)(void);
    snprintf(name, sizeof(name), "./%d.so", i);
    void *plugin = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!plugin)
      return 1;
    snprintf(name, sizeof(name), "plugin_%d", i);
    *(void **)&function = dlsym(plugin, name);
    for (int j = 0; j < i; j++)
      function();
    if (i % 3 == 0)
      dlclose(plugin);
  }
  return 0;
}
#endif
