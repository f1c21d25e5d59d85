// The counter of a loop of a few instructions is addressed by a register, which
// processors recognize as the same memory as before; no other counter is.
// RUN: %clang --target=x86_64-linux-gnu -O2 -fPIE -fpass-plugin=%plugin -S %s -o - | FileCheck %s
// RUN: %clang --target=x86_64-linux-gnu -O2 -fPIE -fpass-plugin=%plugin -c %s -o %t.o
// RUN: %clang --target=x86_64-linux-gnu -O2 -fPIC -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OTHER
// RUN: %clang --target=aarch64-linux-gnu -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OTHER
// RUN: %clang --target=x86_64-linux-gnu -O0 -fPIE -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OTHER
// OTHER-NOT: asm ""
extern void work(void);

// CHECK-LABEL: scan:
// CHECK:         leaq .L__arcline_cells{{.*}}(%rip), [[CELL:%r[a-z0-9]+]]
// CHECK:         incq %gs:{{[0-9]*}}([[CELL]])
const char *scan(const char *s) {
  while (*s && *s != '\n')
    s++;
  return s;
}

// The shortest path is short, though the loop is not: no register is used.
// CHECK-LABEL: seldom:
// CHECK-NOT:     pushq %r14
// CHECK:         leaq .L__arcline_cells{{.*}}(%rip), [[CELL:%r[a-z0-9]+]]
// CHECK:         incq %gs:([[CELL]])
// CHECK:         callq work
const char *seldom(const char *s) {
  for (; *s; s++)
    if (*s == '&')
      work();
  return s;
}

// CHECK-LABEL: slow:
// CHECK-NOT:     incq %gs:{{[0-9]*}}(%r
// CHECK:         callq work
const char *slow(const char *s) {
  while (*s++)
    work();
  return s;
}

// CHECK-LABEL: once:
// CHECK-NOT:     leaq
// CHECK:         .cfi_endproc
int once(const char *s) { return *s ? s[1] : s[2] * 7; }
