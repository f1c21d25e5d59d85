// An ifunc of libc has one name and many bodies: the side file identifies the
// one that was called, so that samples there belong to the callee. It has no
// record of objects without samples, hence 1,000 a second.
//
// RUN: %arcline-cc -O2 %s -o %t && env ARCLINE_OPTIONS=hz=1000 %t
// RUN: %arcline dump gmon.out.arcline | FileCheck %s --check-prefix=DYN
// DYN-DAG: object n=[[LIBC:[0-9]+]] {{.*}}/libc.so.6
// DYN-DAG: call caller=0 {{.*}} count=40000 name=strlen
// DYN-DAG: target caller=0 name=strlen object=[[LIBC]] offset=0x
// RUN: awk '/^target 0 strlen /{print $5}' gmon.out.arcline >offset
// RUN: env TARGET=$(cat offset) %t
//
// Slots that are filled in at once, and those without stubs:
// RUN: %arcline-cc -O2 -fno-plt -Wl,-z,now %s -o %t2 && env ARCLINE_OPTIONS=hz=1000 %t2
// RUN: env TARGET=$(awk '/^target 0 strlen /{print $5}' gmon.out.arcline) %t2
//
// In a static executable it is in the program itself:
// RUN: %arcline-cc -O2 -static %s -o %t3 && env ARCLINE_OPTIONS=hz=1000 %t3
// RUN: %arcline dump gmon.out.arcline | FileCheck %s --check-prefix=STATIC
// STATIC: resolved object=0 resolver=0x{{[0-9a-f]+}} to=0x
// STATIC-NOT: target
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[1 << 16];

/* Where in its file is a function that was mapped from one? */
static unsigned long offset_of(const void *function) {
  const unsigned long at = (unsigned long)function;
  unsigned long low, high, offset;
  char line[4096];
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof(line), maps))
    if (sscanf(line, "%lx-%lx %*s %lx", &low, &high, &offset) == 3 &&
        at >= low && at < high)
      return at - low + offset;
  return 0;
}

int main(void) {
  size_t (*volatile chosen)(const char *) = strlen;
  volatile size_t sum = 0;
  memset(text, 'x', sizeof(text) - 1);
  for (int i = 0; i < 40000; i++)
    sum += strlen(text + i % 7);
  // The dynamic linker's choice is the one in the side file of an earlier run.
  const char *const target = getenv("TARGET");
  if (target && strtoul(target, NULL, 16) != offset_of((void *)chosen))
    return 1;
  return sum == 0;
}
