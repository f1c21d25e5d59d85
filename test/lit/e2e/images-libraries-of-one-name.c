// Plugins of one name, from different folders, have a file each: those that are
// loaded later are distinguished by their build-id, and copies of one file by a
// number. A library that is unloaded and loaded again has the same file.
//
// RUN: mkdir a b c
// RUN: for i in a b; do \
// RUN:   %arcline-cc -O2 -fPIC -shared -DPLUGIN=call_$i %s -o $i/p.so || exit 1; \
// RUN: done
// RUN: cp b/p.so c
// RUN: %arcline-cc -O2 %s -o prog && ./prog a b c
// RUN: llvm-readelf -n b/p.so \
// RUN:   | sed -n 's/.*Build ID: \(................\).*/\1/p' > id
// RUN: ls | grep '^gmon' > names
// RUN: printf 'gmon.out%%s\n' '' .arcline .p.so .p.so.$(cat id) .p.so.$(cat id).2 | diff - names
// RUN: %arcline gprof -b -p prog gmon.out a/p.so gmon.out.p.so \
// RUN:   b/p.so gmon.out.p.so.$(cat id) c/p.so gmon.out.p.so.$(cat id).2 > report
// RUN: FileCheck %s < report
// CHECK-DAG: {{ }}20 {{.*}} call_a{{$}}
// CHECK-DAG: {{ }}10 {{.*}} call_b{{$}}
// CHECK-DAG: {{ }}10 {{.*}} call_b{{$}}
//
// In pools it is one file for each build, whatever the order.
// RUN: rm gmon*; mkdir pool
// RUN: env ARCLINE_OPTIONS=out=pool/%%m ./prog a b c
// RUN: env ARCLINE_OPTIONS=out=pool/%%m ./prog c a b
// RUN: ls pool | grep -c -v arcline | grep -x 3
// RUN: %arcline gprof -b -p b/p.so pool/p.so.$(cat id) | grep -E ' 40 .* call_b$'
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#ifdef PLUGIN
__attribute__((noinline)) static void PLUGIN(void) { __asm__ volatile(""); }

void entry(void) {
  for (int i = 0; i < 10; i++)
    PLUGIN();
}
#else
static void *load(const char *folder) {
  char path[64];
  void *plugin;
  void (*entry)(void);

  snprintf(path, sizeof(path), "./%s/p.so", folder);
  plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!plugin)
    return NULL;
  *(void **)&entry = dlsym(plugin, "entry");
  entry();
  return plugin;
}

int main(int argc, char **argv) {
  void *plugins[3];

  for (int i = 0; i < 3; i++) {
    plugins[i] = load(argv[i + 1]);
    if (!plugins[i])
      return 1;
  }
  if (!strcmp(argv[1], "a") && (dlclose(plugins[0]) || !load(argv[1])))
    return 1;
  return argc != 4;
}
#endif
